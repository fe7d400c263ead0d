"""Settings of a replica: what its channels receive, skip, apply and write on."""

from __future__ import annotations

import re

from backend.core.findings import Severity
from backend.core.server_settings.judgements import (
    EVERY,
    MYSQL,
    OF_EACH_CHANNEL,
    RESTART,
    EqualWithin,
    MustBe,
    NotBelow,
    Scope,
    Setting,
    WrittenBy,
    neutral,
    read_by,
    setting,
)

MOST_PACKET = 2**30
"""The greatest value of slave_max_allowed_packet and of max_allowed_packet on each family, and the former's default."""
_OUT_OF_THE_LOG = re.compile(
    r"\b(sql_log_bin|wsrep_on|wsrep_osu_method|binlog_format|skip_replication|server_id|gtid_\w+|foreign_key_checks)\b",
    re.IGNORECASE,
)
_OTHER_ROWS = "The data of the two sides may differ without any error"
_BY_FILTER = "Replicas of one side filter differently: after a move tables would be missing without an error"


def _keeps_the_log(statements: str) -> bool:
    """Whether what each session runs at its beginning leaves logging and replication alone."""
    return _OUT_OF_THE_LOG.search(statements) is None


def _keeps_values(conversions: str) -> bool:
    return "ALL_LOSSY" not in conversions.upper().split(",")


def _skips(name: str, value: str, why: str, **more: object) -> Setting:
    """A setting by which a replica goes on behind an error, or leaves a transaction out."""
    needed = MustBe(value, f"{why}. {_OTHER_ROWS}", Severity.BLOCKER, "errors_skipped", **more)  # type: ignore[arg-type]
    return setting(name, needed, families=EVERY)


SKIPPING = (
    _skips(
        *("slave_exec_mode", "STRICT", "Its channels apply rows that conflict or are missing without stopping"),
        leaves_differences=WrittenBy.CHANNELS,
    ),
    _skips(
        *("slave_skip_errors", "OFF", "Its channels skip transactions that fail with these errors"),
        obstacle=RESTART,
        leaves_differences=WrittenBy.CHANNELS,
    ),
    _skips(
        *("sql_slave_skip_counter", "0", "The next start of its channel leaves out so many events"),
        config=OF_EACH_CHANNEL,
    ),
)
PACKET = setting(
    "slave_max_allowed_packet",
    NotBelow(
        *("max_allowed_packet", 2, MOST_PACKET),
        "Its channel stops at the first event that is larger, and reads nothing after it",
        "replica_packet_smaller",
    ),
    families=EVERY,
)
FILTERS = tuple(
    setting(name, EqualWithin(Scope.SIDE, _BY_FILTER), since=since)
    for name, since in (
        ("replicate_do_db", None),
        ("replicate_ignore_db", None),
        ("replicate_do_table", None),
        ("replicate_ignore_table", None),
        ("replicate_wild_do_table", None),
        ("replicate_wild_ignore_table", None),
        ("replicate_rewrite_db", (10, 11)),
    )
)
ROWS = (
    *SKIPPING,
    PACKET,
    *FILTERS,
    setting(
        "replicate_events_marked_for_skip",
        MustBe(
            *("REPLICATE", f"Transactions that a session marked (skip_replication) do not arrive. {_OTHER_ROWS}"),
            Severity.BLOCKER,
        ),
    ),
    setting(
        "slave_run_triggers_for_rbr",
        MustBe(
            "NO",
            "Triggers run once more for rows of a channel, and what they write then is not on each node of its cluster",
            Severity.BLOCKER,
            leaves_differences=WrittenBy.CHANNELS,
        ),
    ),
    setting(
        "slave_type_conversions",
        MustBe(
            *("", f"A value that does not fit its column is cut. {_OTHER_ROWS}", Severity.BLOCKER),
            accepts=_keeps_values,
            leaves_differences=WrittenBy.CHANNELS,
        ),
        EqualWithin(Scope.SIDE, "The same row is applied by one replica and stops another"),
        families=EVERY,
    ),
    setting(
        "slave_ddl_exec_mode",
        EqualWithin(Scope.SIDE, "With IDEMPOTENT a CREATE TABLE of a channel replaces a table that STRICT would keep"),
    ),
    setting(
        "slave_sql_verify_checksum",
        MustBe("ON", "An event that was damaged in the relay log is applied", Severity.WARNING),
        families=EVERY,
    ),
    setting(
        "init_slave",
        MustBe(
            *("", "Its channels begin with statements that change what they log or check", Severity.BLOCKER),
            accepts=_keeps_the_log,
            leaves_differences=WrittenBy.CHANNELS,
        ),
        EqualWithin(Scope.SIDE, "Channels of its nodes begin with other statements"),
        families=EVERY,
    ),
    setting(
        "init_connect",
        MustBe(
            *("", "Sessions of clients begin with statements that change what they log or check", Severity.BLOCKER),
            accepts=_keeps_the_log,
            leaves_differences=WrittenBy.CLIENTS,
        ),
        families=EVERY,
    ),
    setting(
        "slave_preserve_commit_order",
        MustBe("ON", "Its log has transactions in another order than its source's", Severity.BLOCKER),
        families=MYSQL,
    ),
    setting(
        "read_binlog_speed_limit",
        MustBe("0", "STOP SLAVE waits for as long as a large event is read at that rate", Severity.WARNING),
    ),
    setting(
        "relay_log_purge",
        MustBe("ON", "Relay logs fill the disk", Severity.WARNING, told_by="backend.core.discovery.settings"),
        families=EVERY,
    ),
    *read_by("backend.core.link_state.stop_cause", "skip_slave_start", "skip_replica_start", families=EVERY),
    *read_by(
        "backend.core.adviser.apply_capacity.appliers", "slave_parallel_threads", "slave_parallel_mode", families=EVERY
    ),
    *neutral(
        "Another name, or the appliers of one domain; slave_parallel_threads tells how many there are.",
        *("slave_parallel_workers", "slave_domain_parallel_threads", "slave_parallel_type"),
        families=EVERY,
    ),
    *neutral(
        "The place of a channel is proven before it starts, so a place that a crash left behind is not believed.",
        *("sync_relay_log", "sync_relay_log_info", "sync_master_info", "sync_source_info", "relay_log_recovery"),
        *("relay_log_info_repository", "master_info_repository"),
        families=EVERY,
    ),
    *neutral(
        "Where it ends an attempt the channel stops with an error; nothing is skipped.",
        *("slave_transaction_retries", "slave_transaction_retry_errors", "slave_transaction_retry_interval"),
        *("slave_max_statement_time", "slave_net_timeout", "slave_abort_blocking_timeout", "rpl_stop_slave_timeout"),
        *("rpl_stop_replica_timeout",),
        families=EVERY,
    ),
    *neutral(
        "Memory, compression and pace of reading and applying; order and content are the same.",
        *("slave_compressed_protocol", "slave_parallel_max_queued", "slave_load_tmpdir"),
        *("slave_allow_batching", "slave_checkpoint_group", "slave_checkpoint_period", "slave_pending_jobs_size_max"),
        *("rpl_read_size", "slave_rows_search_algorithms"),
        families=EVERY,
    ),
    *neutral(
        "Names, sizes and limits of relay log files; what is in them is read by position.",
        *("relay_log", "relay_log_basename", "relay_log_index", "relay_log_info_file", "relay_log_space_limit"),
        *("max_relay_log_size",),
        families=EVERY,
    ),
    *neutral(
        "What a replica tells its source of itself, for people.",
        *("report_host", "report_port", "report_user", "report_password"),
        families=EVERY,
    ),
    *neutral(
        "A source that checks its events before it sends them; a replica does by slave_sql_verify_checksum.",
        *("master_verify_checksum", "source_verify_checksum"),
        families=EVERY,
    ),
    *neutral(
        "MySQL's other name of a setting that is judged or read under slave_ or master_.",
        *("replica_exec_mode", "replica_skip_errors", "replica_max_allowed_packet", "replica_type_conversions"),
        *("replica_sql_verify_checksum", "replica_preserve_commit_order", "init_replica", "sql_replica_skip_counter"),
        *("replica_net_timeout", "replica_parallel_workers", "replica_parallel_type", "replica_compressed_protocol"),
        *("replica_load_tmpdir", "replica_transaction_retries", "replica_allow_batching", "replica_checkpoint_group"),
        *("replica_checkpoint_period", "replica_pending_jobs_size_max"),
        families=MYSQL,
    ),
    *neutral(
        "Whether a source of a later release is accepted; check_version names such a pair.",
        "replica_allow_higher_version_source",
        families=MYSQL,
    ),
    *neutral(
        "How plugins of a source are called; the log is the same.",
        *("replication_optimize_for_static_plugin_config", "replication_sender_observe_commit_only"),
        families=MYSQL,
    ),
)
