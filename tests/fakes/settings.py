"""Settings of a healthy node, by the table that judges them."""

from __future__ import annotations

from backend.core.server_settings.table import JUDGED

_SHARED = {
    "log_bin_compress": "OFF",
    "log_bin_compress_min_len": "256",
    "slave_max_allowed_packet": "1073741824",
    "slave_ddl_exec_mode": "IDEMPOTENT",
    "wsrep_mode": "",
    "wsrep_certification_rules": "strict",
    "wsrep_ignore_apply_errors": "7",
    "wsrep_max_ws_size": "2147483647",
    "lower_case_table_names": "0",
    "default_storage_engine": "InnoDB",
    "system_time_zone": "UTC",
    "rpl_semi_sync_master_enabled": "OFF",
    "rpl_semi_sync_slave_enabled": "OFF",
}
HEALTHY = {row.name: row.needs[0].value if row.needs else _SHARED.get(row.name, "") for row in JUDGED} | {
    "max_allowed_packet": "16777216",
    "time_zone": "SYSTEM",
}
