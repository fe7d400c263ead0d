"""What a real pair told an administrator (MariaDB 10.11.19, Galera 4), shortened to what is decided on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from backend.core.discovery.servers import DiscoveredChannel, DiscoveredServer, TlsTrial
from tests.fakes.settings import HEALTHY

VARIABLES = HEALTHY | {
    "binlog_expire_logs_seconds": "0",
    "auto_increment_increment": "6",
    "wsrep_gtid_mode": "OFF",
    "wsrep_gtid_domain_id": "0",
    "ssl_ca": "/etc/mysql/ca.pem",
}
UUIDS = {1: "448b28ae-e96b-11f1-9777-271127d75930", 2: "449c38e9-e96b-11f1-8a60-278d55b5b809"}
WORKS = tuple(TlsTrial(mode, works=True) for mode in ("verify_ca", "required", "disabled"))
TRIALS = (TlsTrial("verify_identity", works=False, reason="TLS refused: Hostname verification failed"), *WORKS)


def server(site: int, index: int, **changes: Any) -> DiscoveredServer:
    """Node `index` of a cluster of three, as it answers when all is well."""
    hosts = [f"10.{site}.0.{number}" for number in (1, 2, 3)]
    name = f"db-{'ab'[site - 1]}{index}"
    given = {
        "host": hosts[index - 1],
        "port": 3306,
        "reach": "up",
        "addresses": (hosts[index - 1],),
        "name": name,
        "version": "10.11.19-MariaDB",
        "server_id": site * 10 + index,
        "state_uuid": UUIDS[site],
        "cluster_status": "Primary",
        "cluster_size": 3,
        "conf_id": 3,
        "local_index": index - 1,
        "incoming": tuple(f"{host}:3306" for host in hosts),
        "variables": VARIABLES
        | {
            "auto_increment_offset": str((site - 1) * 3 + index),
            "wsrep_cluster_address": f"gcomm://{','.join(hosts)}",
        },
        "channels": (),
        "tls": TRIALS,
    }
    return DiscoveredServer(**{**given, **changes})  # type: ignore[arg-type]


def with_variables(one: DiscoveredServer, **values: str | None) -> DiscoveredServer:
    """The server with other values; None: it does not report the variable."""
    changed = {**one.variables, **values}
    return replace(one, variables={name: value for name, value in changed.items() if value is not None})


def channel(source: DiscoveredServer, **changes: Any) -> DiscoveredChannel:
    """A running channel by position that reads from this server."""
    given = {
        "name": "",
        "source_host": source.host,
        "source_port": source.port,
        "source_server_id": source.server_id,
        "using_gtid": "No",
        "io_running": "Yes",
        "sql_running": "Yes",
        "ignore_server_ids": (11, 12, 13),
        "read_file": "binlog.000002",
        "exec_file": "binlog.000002",
        "exec_offset": 673,
    }
    return DiscoveredChannel(**{**given, **changes})  # type: ignore[arg-type]


def cluster(site: int) -> list[DiscoveredServer]:
    """Three nodes, all well."""
    return [server(site, index) for index in (1, 2, 3)]


def linked() -> tuple[list[DiscoveredServer], list[DiscoveredServer]]:
    """Two clusters with a channel in each direction between their first nodes."""
    first, second = cluster(1), cluster(2)
    return (
        [replace(first[0], channels=(channel(second[0]),)), *first[1:]],
        [replace(second[0], channels=(channel(first[0]),)), *second[1:]],
    )
