"""Server options of MySQL's families: of the pair without Galera, and of the lab's clusters.

Those that begin with `wsrep_` or `pxc_` are set as the vendors document them, and were never taken by a real server.
"""

from __future__ import annotations

import os
import pwd
from pathlib import Path

from deploy.lab.errors import LabError
from deploy.lab.layout import Settings
from deploy.lab.server.accounts import Account
from deploy.servers.family import CLONE, XTRABACKUP, Family
from deploy.servers.server import Server

REDO_LOG = "16M"
COMMON = {
    "skip_name_resolve": "ON",
    "mysqlx": "OFF",
    "performance_schema": "ON",
    "innodb_buffer_pool_size": "64M",
    "log_bin": "binlog",
    "relay_log": "relay",
    "sync_binlog": "1",
    "binlog_format": "ROW",
    "binlog_row_image": "FULL",
    "relay_log_recovery": "ON",
    "replica_net_timeout": "10",
    "skip_replica_start": "ON",
}
_CLUSTER = {
    "character_set_server": "utf8mb4",
    "collation_server": "utf8mb4_general_ci",
    "max_connections": "120",
    "table_open_cache": "400",
    "open_files_limit": "4096",
    "innodb_log_buffer_size": "4M",
    "innodb_autoinc_lock_mode": "2",
    "innodb_flush_log_at_trx_commit": "1",
    "innodb_lock_wait_timeout": "10",
    "binlog_checksum": "CRC32",
    "binlog_rows_query_log_events": "ON",
    "max_binlog_size": "64M",
    "log_replica_updates": "ON",
    "replica_parallel_workers": "1",
    # Notes, too: the position that `--wsrep-recover` finds is one.
    "log_error_verbosity": "3",
    "wsrep_applier_threads": "2",
    "wsrep_auto_increment_control": "OFF",
}
_PXC = {
    # The load has a table without a primary key on purpose; ENFORCING refuses writes to it.
    "pxc_strict_mode": "PERMISSIVE",
    "pxc_encrypt_cluster_traffic": "OFF",
    # Else every clean stop takes ten seconds, for a proxy that the lab does not have.
    "pxc_maint_transition_period": "0",
}
_ALLOWED = {CLONE: f"{XTRABACKUP},{CLONE}"}


def base_options(server: Server, datadir: Path) -> dict[str, str]:
    """What every start of a release needs: Debian's compiled-in folders are the host's, or missing."""
    return {
        **server.options,
        "secure_file_priv": "NULL",
        "datadir": str(datadir),
        "innodb_redo_log_capacity": REDO_LOG,
        "user": pwd.getpwuid(os.getuid()).pw_name,
    }


def cluster_options(settings: Settings, server: Server, datadir: Path, transfer: Account) -> dict[str, str]:
    """What is alike on all nodes of a lab of this release. `transfer` is who copies a node, where it must be named."""
    gtid = "ON" if settings.variant == "gtid" else "OFF"
    chosen = {
        "gtid_mode": gtid,
        "enforce_gtid_consistency": gtid,
        "skip_replica_start": "ON" if settings.skip_slave_start else "OFF",
        "wsrep_sst_method": server.transfer,
    }
    if server.family is Family.PXC:
        chosen |= _PXC
        if server.transfer in _ALLOWED:
            chosen["wsrep_sst_allowed_methods"] = _ALLOWED[server.transfer]
    elif server.transfer == XTRABACKUP:
        # Percona XtraDB Cluster makes an account of its own, and does not know the option.
        chosen["wsrep_sst_auth"] = f"{transfer.user}:{transfer.password}"
    return COMMON | _CLUSTER | base_options(server, datadir) | chosen


def require_possible(settings: Settings, servers: list[Server]) -> None:
    """LabError for a lab that these servers cannot form."""
    families = dict.fromkeys(server.family for server in servers)
    if len({family.is_mysql for family in families}) > 1:
        raise LabError(
            f"a link between {' and '.join(one.product for one in families)} is not supported. Name one family"
        )
    if settings.variant == "aligned" and any(family.is_mysql for family in families):
        raise LabError(
            "the variant aligned needs a server_id of the session, which MySQL does not have. "
            "Choose classic, shared-id or gtid"
        )
