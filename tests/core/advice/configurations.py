"""Configurations as a server of the lab shows them (MariaDB 10.11.19, Galera 26.4.23), with single values changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.core.adviser.advice.facts import (
    ClusterConfiguration,
    LinkConfiguration,
    NodeConfiguration,
    node_configuration,
)

SHOWN = (
    "base_dir = /var/lib/mysql/; base_host = 10.0.0.1; base_port = 4567; cert.log_conflicts = no; "
    "evs.inactive_check_period = PT0.5S; evs.inactive_timeout = PT15S; evs.install_timeout = PT7.5S; "
    "evs.keepalive_period = PT1S; evs.send_window = 4; evs.suspect_timeout = PT5S; evs.use_aggregate = true; "
    "evs.user_send_window = 2; evs.view_forget_timeout = P1D; gcache.dir = /var/lib/mysql/; gcache.size = 128M; "
    "gcomm.thread_prio = ; gcs.fc_factor = 1.0; gcs.fc_limit = 16; gcs.fc_master_slave = no; "
    "gcs.max_packet_size = 64500; gmcast.listen_addr = tcp://0.0.0.0:4567; gmcast.mcast_addr = ; gmcast.segment = 0; "
    "pc.recovery = true; repl.commit_order = 3; repl.max_ws_size = 2147483647; "
)
VARIABLES = {
    "version": "10.11.19-MariaDB-log",
    "binlog_format": "ROW",
    "innodb_flush_log_at_trx_commit": "1",
    "lower_case_table_names": "0",
    "sync_binlog": "1",
    "system_time_zone": "UTC",
    "time_zone": "SYSTEM",
    "wsrep_cluster_name": "milan",
    "wsrep_max_ws_rows": "0",
    "wsrep_max_ws_size": "2147483647",
    "wsrep_slave_threads": "4",
    "wsrep_provider_options": SHOWN,
}
STATUS = {
    "ssl_server_not_after": "Nov 24 10:00:00 2036 GMT",
    "uptime": "86400",
    "wsrep_cert_deps_distance": "12.5",
    "wsrep_cluster_size": "3",
    "wsrep_evs_repl_latency": "0.0003/0.0005/0.002/0.0001/52",
    "wsrep_provider_version": "4.23(rXXXX)",
    "wsrep_received": "1000",
    "wsrep_received_bytes": "1200000",
    "wsrep_replicated": "500",
    "wsrep_replicated_bytes": "600000",
}


def node(name: str = "a1", flavor: str = "mariadb") -> NodeConfiguration:
    """A node without any advice."""
    return node_configuration(f"n_{name}", name, read_at_s=1_000.0, flavor=flavor, variables=VARIABLES, status=STATUS)


def cluster(*names: str, id: str = "c_a", title: str = "milan") -> ClusterConfiguration:  # noqa: A002
    """Three equal nodes, of which the first carries a channel."""
    nodes = tuple(node(name) for name in names or ("a1", "a2", "a3"))
    return ClusterConfiguration(id, title, nodes, frozenset({nodes[0].node_id}))


def with_options(
    found: ClusterConfiguration, options: Mapping[str, str | None], *, on: str | None = None
) -> ClusterConfiguration:
    """Options changed, or (None) not shown, on all nodes or on one."""
    return _changed(found, "options", options, on)


def with_variables(
    found: ClusterConfiguration, variables: Mapping[str, str | None], *, on: str | None = None
) -> ClusterConfiguration:
    """Variables changed or not shown."""
    return _changed(found, "variables", variables, on)


def with_status(
    found: ClusterConfiguration, status: Mapping[str, str | None], *, on: str | None = None
) -> ClusterConfiguration:
    """Status changed or not shown."""
    return _changed(found, "status", status, on)


def _changed(
    found: ClusterConfiguration, kind: str, values: Mapping[str, str | None], on: str | None
) -> ClusterConfiguration:
    def one(node: NodeConfiguration) -> NodeConfiguration:
        merged = {**getattr(node, kind), **values}
        return replace(node, **{kind: {name: value for name, value in merged.items() if value is not None}})  # type: ignore[arg-type]

    return replace(found, nodes=tuple(one(n) if on in (None, n.name) else n for n in found.nodes))


def distant(found: ClusterConfiguration) -> ClusterConfiguration:
    """The same with 50 ms between its sites."""
    return with_status(found, {"wsrep_evs_repl_latency": "0.0502/0.0517/0.0629/0.001/50"})


def link(active: ClusterConfiguration | None = None, standby: ClusterConfiguration | None = None) -> LinkConfiguration:
    """A link of two clusters without any advice."""
    other = cluster("b1", "b2", "b3", id="c_b", title="frankfurt")
    return LinkConfiguration("l_1", "milan-frankfurt", active or cluster(), standby or other)
