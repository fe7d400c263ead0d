"""Settings of the binary log: what a node writes into it, and for how long it keeps it."""

from __future__ import annotations

from backend.core.findings import Severity
from backend.core.server_settings.judgements import (
    EVERY,
    MYSQL,
    NEXT_SESSIONS,
    RESTART,
    EqualWithin,
    MustBe,
    Scope,
    Setting,
    WrittenBy,
    neutral,
    read_by,
    setting,
)

_FILTERED = (
    "It leaves schemas out of its binary log: what its clients write there reaches neither the other side nor its own "
    "cluster, and its log lacks what other nodes write there"
)
_DURABLE = "backend.core.adviser.advice.rules.log_not_durable"


def _filter(name: str) -> Setting:
    needed = MustBe(
        *("", _FILTERED, Severity.BLOCKER, "log_filter_set", "log_filter_unknown"),
        obstacle=RESTART,
        config=f"# remove every line {name}",
        keeps_writes=True,
        leaves_differences=WrittenBy.CLIENTS,
    )
    return setting(name, needed, families=EVERY)


FILTERS = (_filter("binlog_do_db"), _filter("binlog_ignore_db"))
"""Before 11.4 read from the columns of SHOW MASTER STATUS: no variable has them."""
FILTER_NAMES = frozenset(row.name for row in FILTERS)
ROWS = (
    setting(
        "log_bin",
        MustBe(
            *("ON", "It writes no binary log, so no channel can replicate from it", Severity.BLOCKER),
            *("log_bin_wrong", "log_bin_unknown"),
            config="log_bin",
            obstacle=RESTART,
        ),
        families=EVERY,
    ),
    setting(
        "log_slave_updates",
        MustBe(
            "ON",
            "Its log lacks the writes of other nodes, and what its channels apply stays on it alone",
            *(Severity.BLOCKER, "log_slave_updates_wrong", "log_slave_updates_unknown"),
            obstacle=RESTART,
            leaves_differences=WrittenBy.CHANNELS,
        ),
        families=EVERY,
    ),
    setting(
        "binlog_format",
        MustBe(
            *("ROW", "Statements may have another effect on the other side", Severity.BLOCKER),
            *("binlog_format_wrong", "binlog_format_unknown"),
            obstacle=NEXT_SESSIONS,
            leaves_differences=WrittenBy.CLIENTS,
        ),
        families=EVERY,
    ),
    *FILTERS,
    setting(
        "binlog_row_image",
        MustBe(
            "FULL",
            "Row sizes do not compare with those of another log, and orphaned transactions logged there cannot be "
            "replayed or undone",
            *(Severity.WARNING, "row_image_partial", "row_image_unknown"),
            obstacle=NEXT_SESSIONS,
        ),
        families=EVERY,
    ),
    setting(
        "binlog_row_value_options",
        MustBe(
            *("", "Row sizes of JSON columns do not compare with those of another log", Severity.WARNING),
            obstacle=NEXT_SESSIONS,
        ),
        families=MYSQL,
    ),
    setting(
        "log_bin_compress",
        EqualWithin(Scope.LINK, "The sizes of compressed rows do not compare", code="log_compression_differs"),
        families=EVERY,
    ),
    setting(
        "log_bin_compress_min_len",
        EqualWithin(Scope.LINK, "The sizes of compressed rows do not compare", code="log_compression_differs"),
    ),
    setting(
        "binlog_annotate_row_events",
        MustBe(
            "ON",
            "What clients write there is logged without the statements' texts, so more transactions look alike",
            *(Severity.WARNING, "statement_text_not_logged"),
            obstacle=NEXT_SESSIONS,
        ),
        families=EVERY,
    ),
    setting(
        "replicate_annotate_row_events",
        MustBe(
            "ON",
            "What channels apply there is logged without the statements' texts",
            *(Severity.WARNING, "statement_text_dropped"),
            obstacle=RESTART,
        ),
    ),
    setting(
        "binlog_row_event_max_size",
        EqualWithin(Scope.LINK, "The same rows stand in another number of events, so the contents of logs differ"),
        families=EVERY,
        since=(11, 4),
    ),
    setting(
        "sync_binlog",
        MustBe("1", "A server that crashes may lose the end of its binary log", Severity.WARNING, told_by=_DURABLE),
        families=EVERY,
    ),
    setting(
        "innodb_flush_log_at_trx_commit",
        MustBe(
            *("1", "A server that crashes may lose transactions that it acknowledged", Severity.WARNING),
            told_by=_DURABLE,
        ),
        families=EVERY,
    ),
    *read_by("backend.core.binlog.groups", "binlog_alter_two_phase", since=(10, 11)),
    *read_by("backend.core.dialects.mariadb.sessions", "binlog_checksum", families=EVERY),
    *read_by("backend.core.discovery.settings", "binlog_expire_logs_seconds", "expire_logs_days", families=EVERY),
    *neutral(
        "It makes table maps longer, which are no part of a group's content.", "binlog_row_metadata", families=EVERY
    ),
    *neutral(
        "The server decrypts its log for whoever may read it.",
        *("encrypt_binlog", "binlog_encryption"),
        families=EVERY,
    ),
    *neutral(
        "A log that is purged too early refuses a plan by name (binlog_purged); nothing is skipped.",
        *("max_binlog_total_size", "binlog_space_limit", "binlog_expire_logs_auto_purge"),
        *("slave_connections_needed_for_purge",),
        families=EVERY,
    ),
    *neutral(
        "It decides when a file ends, never what stands in it.",
        *("max_binlog_size", "binlog_large_commit_threshold"),
        families=EVERY,
    ),
    *neutral(
        "Memory and files behind a commit: one that does not fit fails, and is not logged in part.",
        *("binlog_cache_size", "binlog_stmt_cache_size", "binlog_file_cache_size"),
        *("max_binlog_cache_size", "max_binlog_stmt_cache_size"),
        families=EVERY,
    ),
    *neutral(
        "It groups commits for the disk, and keeps their order.",
        *("binlog_commit_wait_count", "binlog_commit_wait_usec", "binlog_optimize_thread_scheduling"),
        *("binlog_max_flush_queue_time", "binlog_order_commits"),
        *("binlog_group_commit_sync_delay", "binlog_group_commit_sync_no_delay_count"),
        families=EVERY,
    ),
    *neutral(
        "It concerns statements in the log; rows are logged (binlog_format).",
        *("binlog_direct_non_transactional_updates", "log_bin_trust_function_creators"),
        *("log_statements_unsafe_for_binlog",),
        families=EVERY,
    ),
    *neutral(
        "An index beside the log that finds a GTID faster; positions are read in the log itself.",
        *(
            "binlog_gtid_index",
            "binlog_gtid_index_page_size",
            "binlog_gtid_index_span_min",
            "binlog_gtid_simple_recovery",
        ),
        families=EVERY,
    ),
    *neutral(
        "The console counts the end of an event by its length where the event states none.",
        "binlog_legacy_event_pos",
    ),
    *neutral("The name of a file.", "log_bin_basename", "log_bin_index", families=EVERY),
    *neutral(
        "A session turns its own log off; no server accepts a global value.",
        *("sql_log_bin", "sql_log_off"),
        families=EVERY,
    ),
    *neutral(
        "It writes dependencies of transactions into the log for parallel appliers; content and order are the same.",
        *("binlog_transaction_dependency_history_size", "binlog_transaction_dependency_tracking"),
        families=MYSQL,
    ),
    *neutral(
        "Compressed transactions are compared by log_bin_compress, under which the console knows the switch.",
        *("binlog_transaction_compression", "binlog_transaction_compression_level_zstd"),
        families=MYSQL,
    ),
    *neutral(
        "What to do where the log cannot be written: the server stops or stops logging.",
        *("binlog_error_action",),
        families=MYSQL,
    ),
    *neutral("The console knows it as binlog_annotate_row_events.", "binlog_rows_query_log_events", families=MYSQL),
    *neutral("Only for the engine NDB.", *("log_bin_use_v1_row_events",), families=MYSQL),
    *neutral(
        "It is written into the log, and lets a dump end sooner.",
        "binlog_rotate_encryption_master_key_at_startup",
        families=MYSQL,
    ),
    *neutral("The console knows it as log_slave_updates.", "log_replica_updates", families=MYSQL),
)
