"""The grants that the console's accounts need: each statement was run under each privilege, on MySQL 9.7.4."""

from __future__ import annotations

from backend.core.dialects.needs import HAWSER, MISSING, ORPHANS, PROBE, PROBES, Need

NEEDS = (
    Need(
        *("monitor", ("PROCESS",), MISSING),
        "open transactions and DDL of other sessions",
        "Open transactions and running DDL are unknown.",
    ),
    Need(
        *("monitor", ("REPLICATION CLIENT",), MISSING),
        "reading the end of the binary log, its files and the channels",
        "The binary log and the channels are unknown.",
    ),
    Need(
        *("monitor", ("REPLICATION SLAVE",), ORPHANS),
        "reading the events of the binary log and of relay logs",
        "Transactions cannot be looked up, and no position can be proven.",
    ),
    *(
        Need(
            *("monitor", ("SELECT",), MISSING),
            "settings of the channels that their status does not show",
            "The settings of channels are unknown, and no channel can be moved with all of them.",
            *("performance_schema", table),
        )
        for table in ("replication_connection_configuration", "replication_applier_configuration")
    ),
    Need(
        *("monitor", ("SELECT",), MISSING),
        "replication filters, which are no variables here",
        "Replication filters are unknown, and no channel can be moved.",
        *("performance_schema", "replication_applier_global_filters"),
    ),
    Need(
        *("monitor", ("SELECT",), HAWSER),
        "reading probes",
        "Runs are not probed (not_probed).",
        schema="hawser",
    ),
    Need(
        *("operator", ("REPLICATION_SLAVE_ADMIN",), MISSING),
        "`STOP REPLICA`, `START REPLICA`, `CHANGE REPLICATION SOURCE`",
        "No channel can be stopped, started or moved.",
    ),
    Need(
        *("operator", ("RELOAD",), MISSING),
        "`RESET REPLICA`",
        "No channel can be removed.",
    ),
    Need(
        *("operator", ("SYSTEM_VARIABLES_ADMIN",), MISSING),
        "`SET GLOBAL super_read_only` and `read_only`",
        "No node can be fenced or opened.",
    ),
    Need(
        *("operator", PROBE, PROBES),
        "creating and writing `hawser.probe` and `hawser.calibration`",
        "No probe can be written.",
        schema="hawser",
    ),
    Need(
        *("replication", ("REPLICATION SLAVE",), MISSING),
        "what `CHANGE REPLICATION SOURCE` logs in with",
        "No channel can read from this node.",
    ),
)
