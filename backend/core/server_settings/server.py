"""Settings of GTIDs, of who the server is, of its fence, and others by which sides apply a statement differently."""

from __future__ import annotations

from backend.core.findings import Severity
from backend.core.server_settings.judgements import (
    EVERY,
    MYSQL,
    EqualWithin,
    MustBe,
    Scope,
    neutral,
    read_by,
    setting,
)

_WITHOUT_SUMMER_TIME = {
    "BST": "GMT",
    "CEST": "CET",
    "EEST": "EET",
    "WEST": "WET",
    "IDT": "IST",
    "NDT": "NST",
    "ADT": "AST",
    "EDT": "EST",
    "CDT": "CST",
    "MDT": "MST",
    "PDT": "PST",
    "AKDT": "AKST",
    "HDT": "HST",
    "AEDT": "AEST",
    "ACDT": "ACST",
    "NZDT": "NZST",
}
_TABLES = "A table that is created without ENGINE gets another engine on the other side, and may stay on one node there"
_MAY_WRITE = MustBe(
    "OFF", "A channel that is started on it stops at its first transaction (error 1792)", Severity.BLOCKER
)


def standard_zone(name: str) -> str:
    """The name that a zone has in winter: a server keeps the name of the season in which it was started."""
    return _WITHOUT_SUMMER_TIME.get(name, name)


ROWS = (
    setting(
        "gtid_ignore_duplicates",
        EqualWithin(Scope.SIDE, "A replica with ON leaves out GTIDs that another one applies, or stops at"),
    ),
    setting(
        "lower_case_table_names",
        EqualWithin(Scope.LINK, "The same table has two names, or two tables have one"),
        families=EVERY,
    ),
    setting("default_storage_engine", EqualWithin(Scope.LINK, _TABLES), families=EVERY),
    setting("enforce_storage_engine", EqualWithin(Scope.LINK, _TABLES)),
    setting(
        "system_time_zone",
        EqualWithin(
            Scope.LINK,
            "Where time_zone is SYSTEM, a statement that converts times, as ALTER of a TIMESTAMP to a DATETIME, leaves "
            "other values there",
            form=standard_zone,
            remedy="Set time_zone to '+00:00' on every node, and in each configuration file: the binary log carries it",
        ),
        families=EVERY,
    ),
    *read_by("backend.core.facts.judged_settings", "time_zone", families=EVERY),
    setting(
        "secure_timestamp",
        MustBe(
            *("NO", "A channel cannot set the time of the source's statements", Severity.WARNING),
            also=("SUPER", "REPLICATION"),
        ),
    ),
    *read_by("backend.core.checks.settings", "auto_increment_increment", "auto_increment_offset", families=EVERY),
    *read_by("backend.core.checks.gtid", "gtid_strict_mode", "gtid_slave_pos"),
    *read_by("backend.core.facts.incarnation", "gtid_binlog_state"),
    *read_by("backend.core.checks.auto_position", "gtid_mode", "server_uuid", families=MYSQL),
    *read_by("backend.core.locate.executed_sets", "gtid_executed", "gtid_purged", families=MYSQL),
    *read_by("backend.core.checks.server_ids", "server_id", families=EVERY),
    *read_by("backend.core.checks.fencing", "read_only", families=EVERY),
    *read_by("backend.core.dialects.mysql.facts", "super_read_only", families=MYSQL),
    *read_by("backend.core.checks.activity", "event_scheduler", families=EVERY),
    *read_by("backend.core.server_settings.applying", "max_allowed_packet", families=EVERY),
    *neutral(
        "GTIDs of a node's own local writes; a position rests on content, seqno and cluster-wide GTIDs.",
        *("gtid_domain_id", "gtid_binlog_pos", "gtid_current_pos", "gtid_seq_no", "last_gtid"),
    ),
    *neutral(
        "The table in which positions by GTID are kept, and when it is cleaned.",
        *("gtid_cleanup_batch_size", "gtid_pos_auto_engines"),
    ),
    *neutral(
        "It allows or refuses statements that cannot have a GTID; what is logged has one.",
        *("enforce_gtid_consistency", "gtid_owned", "gtid_executed_compression_period", "session_track_gtids"),
        families=MYSQL,
    ),
    setting("tx_read_only", _MAY_WRITE),
    setting("transaction_read_only", _MAY_WRITE, families=EVERY, since=(11, 1)),
    *neutral(
        "Storage that takes no write at all; such a node refuses the probe, and its channel.",
        *("innodb_read_only", "innodb_read_only_compressed"),
        families=EVERY,
    ),
    *neutral(
        "Only for idle transactions of clients: they are rolled back, and never logged.",
        *("idle_readonly_transaction_timeout",),
    ),
    *neutral(
        "How often the storage's own log is written where a commit does not (innodb_flush_log_at_trx_commit).",
        *("innodb_flush_log_at_timeout",),
        families=EVERY,
    ),
    *neutral("A file of definitions on disk.", "sync_frm"),
    *neutral("Statements at the start of a server, before a client connects.", "init_file", families=EVERY),
    *neutral(
        "The error log, the general log and the slow log, for people.",
        *("log_error", "log_output", "log_queries_not_using_indexes", "log_slow_admin_statements", "log_warnings"),
        *("log_slow_disabled_statements", "log_slow_filter", "log_slow_max_warnings", "log_slow_query"),
        *("log_slow_min_examined_row_limit", "log_slow_query_file", "log_slow_query_time", "log_slow_rate_limit"),
        *("log_slow_slave_statements", "log_slow_verbosity", "log_disabled_statements", "log_slow_always_query_time"),
        *("log_error_services", "log_error_suppression_list", "log_error_verbosity", "log_raw", "log_slow_extra"),
        *("log_slow_replica_statements", "log_throttle_queries_not_using_indexes", "log_timestamps"),
        families=EVERY,
    ),
    *neutral("A server without a binary log keeps two-phase commits in it; one is required (log_bin).", "log_tc_size"),
)
