"""Names that MariaDB uses: variables, and the channel columns that are settings."""

from __future__ import annotations

from backend.core.server_settings.table import JUDGED

VARIABLES = (
    "version",
    "version_comment",
    "server_id",
    "hostname",
    "port",
    "datadir",
    "read_only",
    "binlog_checksum",
    "encrypt_binlog",
    "expire_logs_days",
    "binlog_expire_logs_seconds",
    "gtid_domain_id",
    "gtid_strict_mode",
    "gtid_slave_pos",
    "gtid_binlog_pos",
    "gtid_binlog_state",
    "wsrep_provider_options",
    "wsrep_gtid_mode",
    "wsrep_gtid_domain_id",
    "wsrep_desync",
    "wsrep_reject_queries",
    "wsrep_cluster_name",
    "wsrep_node_name",
    "wsrep_slave_threads",
    "wsrep_sst_method",
    "collation_server",
    "character_set_collations",
    "wsrep_auto_increment_control",
    "auto_increment_increment",
    "auto_increment_offset",
    "event_scheduler",
    "time_zone",
    "skip_slave_start",
    "slave_net_timeout",
    "slave_max_allowed_packet",
    "max_allowed_packet",
    "slave_parallel_threads",
    "slave_parallel_mode",
    "relay_log_recovery",
    "max_relay_log_size",
    *(row.name for row in JUDGED if "." not in row.name),
    "max_allowed_packet",
    "have_ssl",
    "rpl_semi_sync_master_enabled",
    "rpl_semi_sync_master_timeout",
    "rpl_semi_sync_master_wait_point",
    "rpl_semi_sync_master_wait_no_slave",
    "rpl_semi_sync_slave_enabled",
)

MOVABLE_OPTIONS = (
    "Connect_Retry",
    "Slave_heartbeat_period",
    "SQL_Delay",
    "Master_SSL_Allowed",
    "Master_SSL_CA_File",
    "Master_SSL_CA_Path",
    "Master_SSL_Cert",
    "Master_SSL_Cipher",
    "Master_SSL_Key",
    "Master_SSL_Verify_Server_Cert",
    "Master_SSL_Crl",
    "Master_SSL_Crlpath",
    "Using_Gtid",
    "Replicate_Do_Domain_Ids",
    "Replicate_Ignore_Domain_Ids",
)
"""Settings that CHANGE MASTER copies to another node."""

NODE_OPTIONS = (
    "Replicate_Do_DB",
    "Replicate_Ignore_DB",
    "Replicate_Do_Table",
    "Replicate_Ignore_Table",
    "Replicate_Wild_Do_Table",
    "Replicate_Wild_Ignore_Table",
    "Replicate_Rewrite_DB",
    "Parallel_Mode",
    "Max_relay_log_size",
)
"""Settings of the node itself: they must already be equal on the node that a channel moves to."""

OPTIONS = MOVABLE_OPTIONS + NODE_OPTIONS
