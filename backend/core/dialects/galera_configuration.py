"""The settings of a Galera node as a whole: the queries that read them, and the statements that set one.

Every account may read them. A provider's options are one text, or, where the server loads the plugin
`wsrep_provider`, a variable each (MariaDB 11.3 and later); the text is then read-only.
"""

from __future__ import annotations

import re

from backend.core.dialects.base import DialectError
from backend.core.dialects.quoting import plain
from backend.core.dialects.rows import names_of

OPTIONS_VARIABLE = "wsrep_provider_options"
PLUGIN_PREFIX = "wsrep_provider_"
VARIABLES = (
    "auto_increment_increment",
    "binlog_format",
    "binlog_row_image",
    "character_set_server",
    "collation_server",
    "default_storage_engine",
    "innodb_autoinc_lock_mode",
    "innodb_flush_log_at_trx_commit",
    "log_bin",
    "log_slave_updates",
    "lower_case_table_names",
    "max_allowed_packet",
    "read_only",
    "sql_mode",
    "sync_binlog",
    "system_time_zone",
    "time_zone",
    "wsrep_auto_increment_control",
    "wsrep_applier_threads",
    "wsrep_certify_nonpk",
    "wsrep_cluster_name",
    "wsrep_gtid_domain_id",
    "wsrep_gtid_mode",
    "wsrep_max_ws_rows",
    "wsrep_max_ws_size",
    "wsrep_on",
    "wsrep_slave_threads",
    "wsrep_sst_donor",
    "wsrep_sst_method",
    "wsrep_sync_wait",
    "wsrep_trx_fragment_size",
)
STATUS = (
    # Of the certificate that the asking session itself was shown; empty without TLS.
    "Ssl_server_not_after",
    "Uptime",
    "wsrep_cert_deps_distance",
    "wsrep_cluster_size",
    "wsrep_evs_repl_latency",
    "wsrep_provider_name",
    "wsrep_provider_version",
    "wsrep_received",
    "wsrep_received_bytes",
    "wsrep_replicated",
    "wsrep_replicated_bytes",
)
CONFIGURATION_QUERY = (
    f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names_of(('version', 'version_comment', *VARIABLES))}) "
    r"OR Variable_name LIKE 'wsrep\_provider\_%'"
)
ACTIVITY_QUERY = f"SHOW GLOBAL STATUS WHERE Variable_name IN ({names_of(STATUS)})"
SETTING_PRIVILEGES = ("SUPER", "BINLOG ADMIN", "SYSTEM_VARIABLES_ADMIN")
_OPTION = re.compile(r"[a-z]+(_[a-z]+)?(\.[a-z0-9_]+)?")
_VARIABLE = re.compile(r"[a-z][a-z0-9_]{1,63}")
_NUMBER = re.compile(r"\d+(\.\d+)?")


def can_freeze_purge(flavor: str | None) -> bool | None:
    """Whether the family's provider has `gcache.freeze_purge_at_seqno`; None where the family is unknown."""
    return None if flavor is None else flavor == "pxc"


def set_provider_option(name: str, value: str, *, has_plugin: bool) -> str:
    """The statement that sets a provider option on one node until its restart; DialectError names a bad part."""
    if not _OPTION.fullmatch(name):
        raise DialectError(f"{name!r} is not a provider option")
    if has_plugin:
        return set_variable(PLUGIN_PREFIX + name.replace(".", "_"), value)
    if any(char in value for char in ";="):
        raise DialectError(f"the value of {name} would end the option")
    return f"SET GLOBAL {OPTIONS_VARIABLE} = {plain(f'{name}={value}', name)};"


def read_setting(variable: str) -> str:
    """The query for a server variable, or for all provider options as one text; the column is `value`."""
    if not _VARIABLE.fullmatch(variable):
        raise DialectError(f"{variable!r} is not a variable")
    return f"SELECT @@GLOBAL.{variable} AS value"


def privilege_to_set(variable: str, flavor: str | None) -> str:
    """The least privilege that sets a variable; on MariaDB every one that is not named below needs SUPER.

    Measured on MariaDB 10.11.19 of `wsrep_provider_options` and `sync_binlog`.
    """
    if flavor != "mariadb":
        return "SYSTEM_VARIABLES_ADMIN"
    return "BINLOG ADMIN" if variable == "sync_binlog" else "SUPER"


def set_variable(name: str, value: str) -> str:
    """The statement that sets a server variable on one node until its restart."""
    if not _VARIABLE.fullmatch(name):
        raise DialectError(f"{name!r} is not a variable")
    return f"SET GLOBAL {name} = {value if _NUMBER.fullmatch(value) else plain(value, name)};"
