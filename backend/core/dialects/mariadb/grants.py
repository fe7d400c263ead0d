"""The grants that the console's accounts need: each statement of Hawser was run under each privilege, on 10.11."""

from __future__ import annotations

from backend.core.dialects.needs import EVENTS, HAWSER, MISSING, ORPHANS, PROBE, PROBES, Need

NEEDS = (
    Need(
        *("monitor", ("PROCESS",), MISSING),
        "open transactions and DDL of other sessions, and who reads the binary log",
        "Open transactions and running DDL are unknown, and a switchover or failback is refused (activity_unknown). "
        "Beside a channel from a third server every move is refused (log_readers_unknown).",
    ),
    Need(
        *("monitor", ("BINLOG MONITOR",), MISSING),
        "reading the binary log",
        "The binary log cannot be read: the node can be neither source nor replica, and no position can be proven.",
    ),
    Need(
        *("monitor", ("SLAVE MONITOR",), MISSING),
        "reading channels and relay logs",
        "Channels are unknown, and every plan that needs them is refused (channels_unknown, channel_not_seen).",
    ),
    Need(
        *("monitor", ("REPLICATION SLAVE",), ORPHANS),
        "following and reading row images in the binary log, and whether it is still the same log",
        "Orphaned transactions are unknown, and a reprotect that keeps them is refused (orphans_unknown). After a "
        "restart of a source its log is unknown (source_log_unread). Transactions are not compared row by row.",
    ),
    Need(
        *("monitor", ("REFERENCES",), ORPHANS),
        "names of your tables and columns, without their rows",
        "The columns of orphaned rows are unknown (orphans_unknown), and tables outside InnoDB are not found.",
    ),
    Need(
        *("monitor", ("SELECT",), HAWSER),
        "reading probes and the list of accounts that bypass `read_only`",
        "The accounts that bypass read_only are unknown, and a switchover or failback is refused (accounts_unknown). "
        "Runs are not probed (not_probed).",
        schema="hawser",
    ),
    Need(
        *("monitor", ("SELECT",), EVENTS),
        "reading events, only where the event scheduler runs",
        "The events are unknown, and a switchover or failback is refused (events_unknown).",
        *("mysql", "event"),
    ),
    Need(
        *("operator", ("REPLICATION SLAVE ADMIN",), MISSING),
        "`STOP SLAVE`, `START SLAVE`, `CHANGE MASTER`",
        "No channel can be stopped, started or moved.",
    ),
    Need(
        *("operator", ("RELOAD",), MISSING),
        "`RESET SLAVE`",
        "No channel can be removed, and a relocate stops in the middle.",
    ),
    Need(
        *("operator", ("READ_ONLY ADMIN",), MISSING),
        "`SET GLOBAL read_only`, writing probes while it is `ON`",
        "No node can be fenced or opened, and a switchover, failback or failover stops in the middle.",
    ),
    Need(
        *("operator", PROBE, PROBES),
        "creating and writing `hawser.probe` and `hawser.calibration`",
        "No probe can be written, and a run ends without that proof.",
        schema="hawser",
    ),
    Need(
        *("replication", ("REPLICATION SLAVE",), MISSING),
        "what `CHANGE MASTER` logs in with",
        "No channel can read from this node.",
    ),
)
