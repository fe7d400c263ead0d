"""Settings of Galera: what a node replicates to its own cluster, and what its appliers accept."""

from __future__ import annotations

from backend.core.findings import Severity
from backend.core.server_settings.judgements import (
    GALERA,
    MARIADB,
    RESTART,
    ChangesPlan,
    EqualWithin,
    MustBe,
    Scope,
    WrittenBy,
    neutral,
    read_by,
    setting,
)

_NUMBERS = "One transaction has another GTID on each of its nodes, and no channel can be moved by GTID"
_APPLIERS = "What one node applies stops another, or expels it"
COMMIT_ORDER = setting(
    "repl.commit_order",
    MustBe(
        "3",
        "Its log may order transactions differently than its peers' logs, so a position in one does not apply to "
        "another",
        *(Severity.BLOCKER, "commit_order_not_guaranteed", "commit_order_unknown"),
        config='wsrep_provider_options = "repl.commit_order=3"',
        obstacle=RESTART,
    ),
    families=MARIADB,
)
ROWS = (
    setting(
        "wsrep_on",
        MustBe(
            *("ON", "What is written on the node stays on it alone", Severity.BLOCKER),
            obstacle=RESTART,
            told_by="backend.core.facts.membership",
            leaves_differences=WrittenBy.CLIENTS,
        ),
        families=GALERA,
    ),
    COMMIT_ORDER,
    setting(
        "wsrep_osu_method",
        MustBe(
            *("TOI", "Its schema changes stay on it alone, also those of its channels", Severity.BLOCKER),
            keeps_writes=True,
            leaves_differences=WrittenBy.CLIENTS,
        ),
        families=GALERA,
    ),
    setting(
        "wsrep_forced_binlog_format",
        MustBe(
            *("NONE", "Statements may have another effect on the other side", Severity.BLOCKER),
            also=("ROW",),
            leaves_differences=WrittenBy.CLIENTS,
        ),
        families=GALERA,
    ),
    setting(
        "wsrep_restart_slave",
        MustBe(
            "OFF",
            "After an expulsion the node starts its channel automatically and may apply its last transaction again",
            Severity.WARNING,
            told_by="backend.core.discovery.settings",
        ),
    ),
    setting("wsrep_ignore_apply_errors", EqualWithin(Scope.SIDE, _APPLIERS)),
    setting("wsrep_slave_uk_checks", EqualWithin(Scope.SIDE, _APPLIERS)),
    setting("wsrep_slave_fk_checks", EqualWithin(Scope.SIDE, _APPLIERS)),
    setting("wsrep_certification_rules", EqualWithin(Scope.SIDE, "Conflicts are decided differently on its nodes")),
    setting(
        "wsrep_certify_nonpk",
        EqualWithin(Scope.SIDE, "Writes on tables without a primary key are certified on some nodes only"),
        families=GALERA,
    ),
    setting(
        "wsrep_mode",
        EqualWithin(Scope.SIDE, "A write that one node replicates stays on another, or is refused there"),
        since=(10, 6),
    ),
    setting(
        "wsrep_max_ws_size",
        EqualWithin(Scope.LINK, "A transaction that one side accepts stops the channel on the other"),
        families=GALERA,
    ),
    setting(
        "wsrep_max_ws_rows",
        EqualWithin(Scope.LINK, "A transaction that one side accepts stops the channel on the other"),
        families=GALERA,
    ),
    *read_by("backend.core.facts.membership", "wsrep_desync", families=GALERA),
    *read_by("backend.core.link_state.clusters", "wsrep_reject_queries", families=GALERA),
    setting("wsrep_gtid_mode", ChangesPlan("backend.core.checks.gtid"), EqualWithin(Scope.SIDE, _NUMBERS)),
    setting("wsrep_gtid_domain_id", ChangesPlan("backend.core.checks.gtid"), EqualWithin(Scope.SIDE, _NUMBERS)),
    *read_by("backend.core.checks.settings", "wsrep_auto_increment_control", families=GALERA),
    *read_by("backend.core.dialects.galera", "wsrep_provider_options", families=GALERA),
    *read_by("backend.core.facts.server_identity", "wsrep_node_name", families=GALERA),
    *read_by(
        "backend.core.adviser.apply_capacity.appliers", "wsrep_slave_threads", "wsrep_applier_threads", families=GALERA
    ),
    *read_by("backend.core.plans.rebuild_guide", "wsrep_sst_method", families=GALERA),
    *read_by(
        "backend.core.discovery.members",
        "wsrep_cluster_address",
        "wsrep_node_incoming_address",
        "wsrep_node_address",
        families=GALERA,
    ),
    *neutral(
        "Each session of the console sets it to 0. An application that waits reads later, and writes the same.",
        *("wsrep_sync_wait", "wsrep_causal_reads"),
        families=GALERA,
    ),
    *neutral(
        "A transaction that travels in fragments is logged once, when it commits.",
        *("wsrep_trx_fragment_size", "wsrep_trx_fragment_unit", "wsrep_sr_store"),
        families=GALERA,
    ),
    *neutral("The name of the cluster; its state UUID is what plans compare.", "wsrep_cluster_name", families=GALERA),
    *neutral(
        "Reads of a node outside the Primary Component; the console asks for the state first.",
        *("wsrep_dirty_reads", "wsrep_sst_donor_rejects_queries"),
        families=GALERA,
    ),
    *neutral(
        "How often, or as what, a statement of a client is tried; what commits is replicated and logged the same way.",
        *("wsrep_retry_autocommit", "wsrep_convert_lock_to_trx", "wsrep_load_data_splitting"),
        *("wsrep_drupal_282555_workaround", "wsrep_mysql_replication_bundle", "wsrep_min_log_verbosity"),
        families=GALERA,
    ),
    *neutral(
        "Rows outside InnoDB stay on one node; a plan of a new link, and one that meets them, names the tables "
        "(tables_outside_innodb).",
        *("wsrep_replicate_myisam", "wsrep_strict_ddl"),
    ),
    *neutral(
        "State transfers, and who is called about them; a node in a transfer is not Synced.",
        *("wsrep_sst_auth", "wsrep_sst_donor", "wsrep_sst_receive_address", "wsrep_allowlist", "wsrep_notify_cmd"),
        *("wsrep_start_position", "wsrep_recover", "wsrep_sst_allowed_methods"),
        families=GALERA,
    ),
    *neutral(
        "Files, versions and diagnosis.",
        *("wsrep_data_home_dir", "wsrep_dbug_option", "wsrep_debug", "wsrep_log_conflicts", "wsrep_patch_version"),
        *("wsrep_provider", "wsrep_status_file"),
        families=GALERA,
    ),
    *neutral("Only a session has it.", "wsrep_gtid_seq_no"),
)
