"""Names that MySQL uses: variables, and the columns of a channel that are settings."""

from __future__ import annotations

from backend.core.dialects.mariadb.names import NODE_OPTIONS as MARIADB_NODE_OPTIONS

VARIABLES = (
    "version",
    "version_comment",
    "server_uuid",
    "super_read_only",
    "gtid_mode",
    "enforce_gtid_consistency",
    "gtid_executed",
    "gtid_purged",
    "log_replica_updates",
    "replica_net_timeout",
    "replica_max_allowed_packet",
    "replica_parallel_workers",
    "replica_preserve_commit_order",
    "replica_exec_mode",
    "replica_skip_errors",
    "skip_replica_start",
    "binlog_encryption",
    "binlog_transaction_compression",
    "binlog_rows_query_log_events",
    "pxc_strict_mode",
    "pxc_maint_mode",
    "rpl_semi_sync_source_enabled",
    "rpl_semi_sync_source_timeout",
    "rpl_semi_sync_source_wait_point",
    "rpl_semi_sync_source_wait_no_replica",
    "rpl_semi_sync_source_wait_for_replica_count",
    "rpl_semi_sync_replica_enabled",
)
"""Those that MariaDB does not have; the ones of equal name are asked for once."""

SAME_AS = {
    "log_replica_updates": "log_slave_updates",
    "replica_net_timeout": "slave_net_timeout",
    "replica_max_allowed_packet": "slave_max_allowed_packet",
    "replica_parallel_workers": "slave_parallel_threads",
    "replica_exec_mode": "slave_exec_mode",
    "replica_skip_errors": "slave_skip_errors",
    "replica_preserve_commit_order": "slave_preserve_commit_order",
    "skip_replica_start": "skip_slave_start",
    "binlog_encryption": "encrypt_binlog",
    "binlog_transaction_compression": "log_bin_compress",
    "binlog_rows_query_log_events": "binlog_annotate_row_events",
    "rpl_semi_sync_source_enabled": "rpl_semi_sync_master_enabled",
    "rpl_semi_sync_source_timeout": "rpl_semi_sync_master_timeout",
    "rpl_semi_sync_source_wait_point": "rpl_semi_sync_master_wait_point",
    "rpl_semi_sync_source_wait_no_replica": "rpl_semi_sync_master_wait_no_slave",
    "rpl_semi_sync_replica_enabled": "rpl_semi_sync_slave_enabled",
}
"""By MySQL's name the one under which the checks know the same setting."""

NODE_OPTIONS = tuple(name for name in MARIADB_NODE_OPTIONS if name.startswith("Replicate_"))
"""Filters of the channel as SHOW REPLICA STATUS has them."""

CONNECTION_OPTIONS = {
    "NETWORK_INTERFACE": "SOURCE_BIND",
    "SSL_ALLOWED": "SOURCE_SSL",
    "SSL_CA_FILE": "SOURCE_SSL_CA",
    "SSL_CA_PATH": "SOURCE_SSL_CAPATH",
    "SSL_CERTIFICATE": "SOURCE_SSL_CERT",
    "SSL_CIPHER": "SOURCE_SSL_CIPHER",
    "SSL_KEY": "SOURCE_SSL_KEY",
    "SSL_VERIFY_SERVER_CERTIFICATE": "SOURCE_SSL_VERIFY_SERVER_CERT",
    "SSL_CRL_FILE": "SOURCE_SSL_CRL",
    "SSL_CRL_PATH": "SOURCE_SSL_CRLPATH",
    "CONNECTION_RETRY_INTERVAL": "SOURCE_CONNECT_RETRY",
    "CONNECTION_RETRY_COUNT": "SOURCE_RETRY_COUNT",
    "HEARTBEAT_INTERVAL": "SOURCE_HEARTBEAT_PERIOD",
    "TLS_VERSION": "SOURCE_TLS_VERSION",
    "PUBLIC_KEY_PATH": "SOURCE_PUBLIC_KEY_PATH",
    "GET_PUBLIC_KEY": "GET_SOURCE_PUBLIC_KEY",
    "NETWORK_NAMESPACE": "NETWORK_NAMESPACE",
    "COMPRESSION_ALGORITHM": "SOURCE_COMPRESSION_ALGORITHMS",
    "ZSTD_COMPRESSION_LEVEL": "SOURCE_ZSTD_COMPRESSION_LEVEL",
    "TLS_CIPHERSUITES": "SOURCE_TLS_CIPHERSUITES",
    "SOURCE_CONNECTION_AUTO_FAILOVER": "SOURCE_CONNECTION_AUTO_FAILOVER",
    "GTID_ONLY": "GTID_ONLY",
}
"""Columns of performance_schema.replication_connection_configuration with the option that sets each."""

APPLIER_OPTIONS = {
    "DESIRED_DELAY": "SOURCE_DELAY",
    "PRIVILEGE_CHECKS_USER": "PRIVILEGE_CHECKS_USER",
    "REQUIRE_ROW_FORMAT": "REQUIRE_ROW_FORMAT",
    "REQUIRE_TABLE_PRIMARY_KEY_CHECK": "REQUIRE_TABLE_PRIMARY_KEY_CHECK",
    "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE": "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS",
    "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_VALUE": "",
}
"""The same of performance_schema.replication_applier_configuration; the last is part of the one before it."""

CARRIED = frozenset((*CONNECTION_OPTIONS, *APPLIER_OPTIONS))
"""Settings of a channel that a move must keep; `verify` reads them back."""
