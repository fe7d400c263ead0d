"""What makes each unknown finding known stands on their page: a privilege, a setting, or something to be done."""

from __future__ import annotations

from backend.common.code_pages import FINDINGS
from tests.support.reference_page import entries

NO_PRIVILEGE = "very account may read"
MADE_KNOWN_BY = {
    "origins_unknown": ("MariaDB server and no proxy",),
    "rotation_privilege_missing": ("`CREATE USER`",),
    "secret_store_unknown": ("file, variable or vault",),
    "accounts_unknown": ("`SELECT` on `hawser.*`", "`hawser.write_through`"),
    "activity_unknown": ("`PROCESS`",),
    "auto_increment_unknown": (NO_PRIVILEGE, "`auto_increment_offset`"),
    "binlog_format_unknown": (NO_PRIVILEGE, "`wsrep_provider`"),
    "channel_not_seen": ("`SLAVE MONITOR`",),
    "channel_source_unregistered": ("registered address",),
    "channel_start_unknown": ("`skip_slave_start=ON`",),
    "channel_unknown": ("`SLAVE MONITOR`",),
    "channels_unknown": ("`SLAVE MONITOR`",),
    "commit_order_unknown": (NO_PRIVILEGE, "`wsrep_provider_options`"),
    "events_unknown": ("`SELECT` on `mysql.event`",),
    "event_scheduler_on": ("`SELECT` on `mysql.event`",),
    "copy_unknown": ("`wsrep_gtid_mode=OFF`",),
    "data_unread": ("`SELECT` and `SHOW VIEW`",),
    "filters_unknown": (NO_PRIVILEGE, "`SLAVE MONITOR`"),
    "grants_unknown": ("No privilege is needed",),
    "gtid_domains_not_apart": ("`wsrep_gtid_domain_id`",),
    "gtid_not_cluster_wide": ("`wsrep_gtid_mode=ON`",),
    "gtid_set_unknown": (NO_PRIVILEGE, "`gtid_mode=ON`"),
    "gtid_state_unknown": (NO_PRIVILEGE, "`wsrep_provider`"),
    "history_seam_unknown": ("the node that the channel reads from",),
    "identity_unknown": (NO_PRIVILEGE, "`wsrep_node_name`"),
    "log_bin_unknown": (NO_PRIVILEGE, "`wsrep_provider`"),
    "log_filter_unknown": ("`BINLOG MONITOR`",),
    "log_readers_unknown": ("`PROCESS`",),
    "log_slave_updates_unknown": (NO_PRIVILEGE, "`wsrep_provider`"),
    "maintenance_channels_unknown": ("`SLAVE MONITOR`",),
    "membership_unknown": (NO_PRIVILEGE, "`wsrep_provider`", "`wsrep_on=ON`"),
    "node_cannot_be_fenced": (NO_PRIVILEGE, "`read_only`"),
    "node_cannot_be_opened": (NO_PRIVILEGE, "`read_only`"),
    "node_refused": ("monitor account",),
    "orphans_unknown": ("`REPLICATION SLAVE`", "`REFERENCES`"),
    "reject_queries_privilege_unknown": ("`SUPER`",),
    "semi_sync_privilege_unknown": ("`REPLICATION MASTER ADMIN`",),
    "semi_sync_unknown": ("`rpl_semi_sync_master_enabled`",),
    "row_image_unknown": (NO_PRIVILEGE, "`wsrep_provider`"),
    "setting_privilege_unknown": ("`SUPER`",),
    "setting_unknown": (NO_PRIVILEGE, "`wsrep_provider`"),
    "source_log_unread": ("REPLICATION SLAVE",),
    "side_contents_unknown": ("once both nodes respond",),
    "start_unknown": ("`read_only=ON`",),
    "survivor_not_writable": ("`read_only=OFF`",),
    "tables_unknown": ("`REFERENCES`",),
    "version_unknown": (NO_PRIVILEGE, "`version`"),
    "wsrep_on_unknown": (NO_PRIVILEGE, "`wsrep_provider`"),
    "wsrep_unknown": (NO_PRIVILEGE, "`wsrep_provider`", "`wsrep_on=ON`"),
}
NEITHER_GRANT_NOR_SETTING = {
    "authority_unknown": "the node responds again",
    "change_calendar_unknown": "the entry is added again",
    "check_failed": "a fault in Hawser",
    "clock_unknown": "every poll reads it",
    "current_channel_unclear": "a person decides",
    "facts_stale": "the node responds again",
    "log_event_unknown": "another log is searched, or the event lies far enough behind",
    "foreign_origin_unclear": "a person decides, or the channel is made again",
    "loss_not_accepted": "a person decides",
    "maintenance_donor_unknown": "the monitor counts write-sets for some minutes",
    "maintenance_freeze_unknown": "the donor is read once",
    "maintenance_time_unknown": "the monitor counts write-sets for some minutes",
    "maintenance_votes_unknown": "every member answers",
    "node_hung": "the node responds again",
    "node_may_hold_channel": "the node responds again",
    "node_needed_for_setup": "the node responds again",
    "node_not_attested": "a person attests",
    "node_unknown": "the network",
    "node_unreachable": "the network",
    "other_channel_stays": "a person names the channel, or removes it",
    "reading_cause_unknown": "the cause is fixed, or a person attests",
    "replication_login_unknown": "every plan tests it",
    "server_id_unknown": "the node is read once",
    "settings_unread": "the node responds again, or the setting is left out",
    "side_contents_unknown": "both nodes respond",
    "site_path_unknown": "the network, or a person attests",
    "site_views_differ": "the members take up one view, or a person ends the lock",
    "state_uuid_unknown": "a Synced node is read once",
    "unapplied_unknown": "the monitor counts it, or a person accepts it",
    "unreachable_node_may_run": "its cluster expels it, or a person attests",
}


def test_unknown_findings__each_has_a_way_to_be_known() -> None:
    unknown = {
        code
        for entry in entries("findings.md")
        for code in entry.codes
        if "unknown" in entry.one_of("Severity: ") or code.endswith("_unknown")
    }
    assert unknown | {"event_scheduler_on"} == MADE_KNOWN_BY.keys() | NEITHER_GRANT_NOR_SETTING.keys()


def test_unknown_findings__what_to_do_names_the_grant_or_the_setting() -> None:
    silent = {
        code: missing
        for code, names in MADE_KNOWN_BY.items()
        if (missing := [name for name in names if name not in FINDINGS[code].what_to_do])
    }
    assert silent == {}
