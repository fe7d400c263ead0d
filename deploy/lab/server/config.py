"""Renders one node's server configuration. Pure: text out.

Durability is full (`innodb_flush_log_at_trx_commit=1`, `sync_binlog=1`) because the lab judges loss.
"""

from __future__ import annotations

from deploy.lab.layout import SITES, Node, Paths, Settings
from deploy.lab.mysql.options import cluster_options
from deploy.lab.server.accounts import Account
from deploy.servers.family import Family
from deploy.servers.server import Server

# A killed node is expelled after the suspect timeout. Much shorter values expel healthy nodes on a busy machine.
PROVIDER_OPTIONS = {
    "evs.keepalive_period": "PT0.5S",
    "evs.suspect_timeout": "PT3S",
    "evs.inactive_timeout": "PT6S",
    "evs.inactive_check_period": "PT0.5S",
    "evs.install_timeout": "PT4S",
    "gcache.size": "64M",
    # A lab is restarted by name, never by a remembered view.
    "pc.recovery": "no",
}
# A cluster over two sites waits longer before it expels a node: see docs/reference/advice.md.
SPANNING_OPTIONS = {
    "evs.suspect_timeout": "PT15S",
    "evs.inactive_timeout": "PT30S",
    "evs.install_timeout": "PT15S",
}
COMMON = {
    "skip_name_resolve": "ON",
    "character_set_server": "utf8mb4",
    "collation_server": "utf8mb4_general_ci",
    "performance_schema": "OFF",
    "max_connections": "120",
    "table_open_cache": "400",
    "open_files_limit": "4096",
    "key_buffer_size": "1M",
    "aria_pagecache_buffer_size": "8M",
    "innodb_buffer_pool_size": "64M",
    "innodb_log_file_size": "32M",
    "innodb_log_buffer_size": "4M",
    "innodb_autoinc_lock_mode": "2",
    "innodb_flush_log_at_trx_commit": "1",
    "innodb_lock_wait_timeout": "10",
    "log_bin": "binlog",
    "sync_binlog": "1",
    "binlog_format": "ROW",
    "binlog_row_image": "FULL",
    "binlog_checksum": "CRC32",
    "binlog_annotate_row_events": "ON",
    "max_binlog_size": "64M",
    "log_slave_updates": "ON",
    "relay_log": "relay",
    "slave_net_timeout": "10",
    "wsrep_on": "ON",
    # The rsync method drops its daemon to `nobody` when root runs it; this one also leaves the donor open for writes.
    "wsrep_sst_method": "mariabackup",
    "wsrep_slave_threads": "2",
    "wsrep_auto_increment_control": "OFF",
    "wsrep_gtid_mode": "OFF",
    "gtid_domain_id": "0",
}


def variant_options(settings: Settings, node: Node) -> dict[str, str]:
    """What the variant changes on MariaDB: in *gtid* a site has one wsrep domain, each node one of its own."""
    if settings.variant != "gtid":
        return {}
    site_number = 1 if node.site == "a" else 2
    return {
        "wsrep_gtid_mode": "ON",
        "wsrep_gtid_domain_id": str(site_number * 100),
        "gtid_domain_id": str(site_number * 100 + node.index),
    }


def provider_options(settings: Settings, node: Node) -> dict[str, str]:
    """The provider's options of one node; `segments` gives each site a segment of its own."""
    spanning = SPANNING_OPTIONS if settings.one_cluster else {}
    segment = {"gmcast.segment": str(SITES.index(node.site))} if settings.segments else {}
    addresses = {"gmcast.listen_addr": f"tcp://{node.host}:4567", "ist.recv_addr": f"{node.host}:4568"}
    chosen = {name: value for name, value in settings.overrides.items() if "." in name}
    return PROVIDER_OPTIONS | spanning | segment | addresses | chosen


def node_options(
    settings: Settings, paths: Paths, node: Node, members: list[Node], user: str, transfer: Account, server: Server
) -> dict[str, str]:
    """Every option of one node.

    `members` are the nodes of its cluster, `user` is the account that runs the server, `transfer` the database
    account that a donor uses to copy itself, `server` the release it runs.
    """
    provider = provider_options(settings, node)
    own = {
        "user": user,
        "wsrep_provider": str(server.provider),
        "datadir": str(paths.datadir(node.name)),
        "tmpdir": str(paths.tmpdir(node.name)),
        "socket": str(paths.socket(node.name)),
        "pid_file": str(paths.home / "run" / f"{node.name}.server-pid"),
        "log_error": str(paths.log(node.name)),
        "bind_address": node.host,
        "port": str(node.port),
        "report_host": node.host,
        "report_port": str(node.port),
        "server_id": str(node.server_id),
        "auto_increment_increment": str(sum(settings.sizes)),
        "auto_increment_offset": str(node.auto_increment_offset),
        "ssl_ca": str(paths.ca),
        "ssl_cert": str(paths.tls / f"{node.name}.pem"),
        "ssl_key": str(paths.tls / f"{node.name}.key"),
        "wsrep_cluster_name": settings.cluster_name(node),
        "wsrep_cluster_address": "gcomm://" + ",".join(member.host for member in members),
        "wsrep_node_name": node.name,
        "wsrep_node_address": node.host,
        "wsrep_sst_receive_address": f"{node.host}:4444",
        "wsrep_provider_options": '"' + ";".join(f"{key}={value}" for key, value in provider.items()) + '"',
    }
    if server.family.is_mysql:
        common = cluster_options(settings, server, paths.datadir(node.name), transfer)
    else:
        common = COMMON | server.options | {"wsrep_sst_auth": f"{transfer.user}:{transfer.password}"}
        common |= {"skip_slave_start": "ON"} if settings.skip_slave_start else {}
        common |= variant_options(settings, node)
    return common | own | _variables(settings)


def _variables(settings: Settings) -> dict[str, str]:
    """Chosen variables of the server; a name with a dot is an option of the provider."""
    return {name: value for name, value in settings.overrides.items() if "." not in name}


def render(node: Node, options: dict[str, str], family: Family = Family.MARIADB) -> str:
    """Options as the text of a server configuration file.

    The state-transfer section binds the transfer to the node's address (it would listen on every address otherwise and
    meet its neighbours) and keeps it plain: TLS is offered to clients, not needed between nodes of one machine.
    """
    plain = {"encrypt": "0"} if family.is_mysql else {"ssl-mode": "DISABLED"}
    return _section("sst", {**plain, "sockopt": f"bind={node.host}"}) + _section("mysqld", options)


def _section(name: str, options: dict[str, str]) -> str:
    return f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in options.items())
