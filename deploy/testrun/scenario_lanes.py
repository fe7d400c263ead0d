"""Which stage runs which scenarios on real clusters; they run beside each other, each on labs of its own."""

from __future__ import annotations

SCENARIO_LANES: dict[str, tuple[str, ...]] = {
    # One site's nodes, channels and runs, in the usual variant.
    "galera": (
        "test_automation",
        "test_binlog_contents",
        "test_channel_certificates",
        "test_channel_error",
        "test_channel_names",
        "test_configure",
        "test_create_channels",
        "test_distance",
        "test_incident",
        "test_lab_start",
        "test_measurements",
        "test_new_history",
        "test_node_maintenance",
        "test_pages",
        "test_refusals",
        "test_registration_changes",
        "test_relocate_classic",
        "test_relocate_contents",
        "test_remove_channels",
        "test_rotate_certificates",
        "test_rotate_passwords",
        "test_start_in_place",
        "test_switch_refusals",
        "test_transaction_beyond_4_gib",
        "test_worker_death",
        "test_worker_takeover",
    ),
    # A whole site lost and attached again, in the usual variant; and other releases of MariaDB.
    "sites": (
        "test_failover_loss",
        "test_relocate_newest",
        "test_reprotect_channel_not_started",
        "test_reprotect_interrupted",
        "test_reprotect_old_error",
        "test_reprotect_overwritten",
        "test_reprotect_schema_changes",
        "test_returned_site",
        "test_rolling_upgrade",
        "test_rolling_upgrade_standby",
        "test_site_death",
        "test_sites_classic",
        "test_sites_rebuild",
    ),
    # Every other variant.
    "variants": (
        "test_aligned_hint",
        "test_refusals_by_gtid",
        "test_relocate_aligned",
        "test_relocate_gtid",
        "test_relocate_shared_id",
        "test_reprotect_death",
        "test_sites_aligned",
        "test_sites_gtid",
        "test_sites_shared_id",
    ),
}
"""Modules of tests/galera by stage; every kind of lab that a stage needs besides its first costs it 50 s."""
