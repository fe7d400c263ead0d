"""Settings of semi-synchronous replication: what a commit waits for, on the node that has the channel's other end."""

from __future__ import annotations

from backend.core.server_settings.judgements import MYSQL, EqualWithin, Scope, neutral, setting

_WAITS = "After a move commits wait for the other side in another way than before, or not at all"
ROWS = (
    *(
        setting(f"rpl_semi_sync_{name}", EqualWithin(Scope.SIDE, _WAITS))
        for name in (
            "master_enabled",
            "master_timeout",
            "master_wait_point",
            "master_wait_no_slave",
            "slave_enabled",
        )
    ),
    *(
        setting(f"rpl_semi_sync_{name}", EqualWithin(Scope.SIDE, _WAITS), families=MYSQL)
        for name in (
            "source_enabled",
            "source_timeout",
            "source_wait_point",
            "source_wait_no_replica",
            "source_wait_for_replica_count",
            "replica_enabled",
        )
    ),
    *neutral(
        "How a replica that stops takes leave of its source; commits wait by the other settings.",
        *("rpl_semi_sync_slave_delay_master", "rpl_semi_sync_slave_kill_conn_timeout"),
    ),
    *neutral("Diagnosis.", "rpl_semi_sync_master_trace_level", "rpl_semi_sync_slave_trace_level"),
    *neutral("Diagnosis.", "rpl_semi_sync_source_trace_level", "rpl_semi_sync_replica_trace_level", families=MYSQL),
)
