"""What becomes of each column and setting. One that is not named here is kept only where it cannot tell a name."""

from __future__ import annotations

import re
from enum import Enum, auto


class Rule(Enum):
    """How a value is redacted."""

    KEPT = auto()
    HOST = auto()
    ADDRESSES = auto()
    USER = auto()
    ACCOUNT = auto()
    LOG = auto()
    PATH = auto()
    CLUSTER = auto()
    CHANNEL = auto()
    NAMES = auto()
    STATE = auto()
    PROVIDER = auto()
    UNKNOWN = auto()


_NAMED = {
    Rule.KEPT: (
        "version version_comment binlog_format binlog_row_image binlog_row_value_options binlog_checksum gtid_mode "
        "enforce_gtid_consistency wsrep_mode wsrep_sst_method wsrep_reject_queries wsrep_restart_slave "
        "collation_server character_set_collations event_scheduler slave_parallel_mode slave_exec_mode "
        "slave_skip_errors replica_exec_mode replica_skip_errors pxc_strict_mode pxc_maint_mode have_ssl "
        "wsrep_cluster_status wsrep_local_state_comment filter_name "
        "slave_io_running slave_sql_running replica_io_running replica_sql_running until_condition using_gtid "
        "parallel_mode master_ssl_cipher source_ssl_cipher ssl_cipher tls_version source_tls_version tls_ciphersuites "
        "compression_algorithm require_table_primary_key_check assign_gtids_to_anonymous_transactions_type"
    ),
    Rule.HOST: (
        "hostname host report_host wsrep_node_name master_host source_host network_interface master_bind source_bind"
    ),
    Rule.ADDRESSES: "wsrep_incoming_addresses",
    Rule.USER: "user master_user source_user",
    Rule.ACCOUNT: "privilege_checks_user",
    Rule.LOG: (
        "file log_name master_log_file source_log_file relay_log_file relay_master_log_file relay_source_log_file "
        "until_log_file"
    ),
    Rule.PATH: (
        "datadir master_ssl_ca_file master_ssl_ca_path master_ssl_cert master_ssl_key master_ssl_crl "
        "master_ssl_crlpath source_ssl_ca_file source_ssl_ca_path source_ssl_cert source_ssl_key source_ssl_crl "
        "source_ssl_crlpath source_public_key_path ssl_ca_file ssl_ca_path ssl_certificate ssl_key ssl_crl_file "
        "ssl_crl_path public_key_path"
    ),
    Rule.CLUSTER: "wsrep_cluster_name",
    Rule.CHANNEL: "channel_name connection_name",
    Rule.NAMES: (
        "replicate_do_db replicate_ignore_db replicate_do_table replicate_ignore_table replicate_wild_do_table "
        "replicate_wild_ignore_table replicate_rewrite_db binlog_do_db binlog_ignore_db filter_rule network_namespace"
    ),
    Rule.STATE: ("slave_io_state replica_io_state slave_sql_state slave_sql_running_state replica_sql_running_state"),
    Rule.PROVIDER: "wsrep_provider_options",
}
_RULES = {name: rule for rule, names in _NAMED.items() for name in names.split()}
_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_GTIDS = rf"{_UUID}(:[a-z_]\w{{0,31}}|:\d+(-\d+)?)*"
_SAFE = re.compile(
    r"|on|off|yes|no|none|null|true|false|-?\d+(\.\d+)?|\d+(,\s*\d+)*"
    r"|\d{6} +\d{1,2}:\d\d:\d\d|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?"
    rf"|\d+-\d+-\d+(,\s*\d+-\d+-\d+)*|{_GTIDS}(,\s*{_GTIDS})*",
    re.IGNORECASE,
)


def rule_of(name: str) -> Rule:
    """The rule of a column or setting."""
    return _RULES.get(name.lower(), Rule.UNKNOWN)


def is_safe(value: str) -> bool:
    """Whether it is a number, a switch, a time, or GTIDs."""
    return bool(_SAFE.fullmatch(value))
