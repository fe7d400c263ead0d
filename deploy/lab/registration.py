"""The lab in the words of the console's registration calls."""

from __future__ import annotations

from typing import Any

from deploy.lab.cluster import LabContext
from deploy.lab.layout import CLUSTER_NAMES, SITES, Node
from deploy.lab.server import process
from deploy.lab.server.accounts import Account


def _node(ground: LabContext, node: Node) -> dict[str, Any]:
    return {
        "name": node.name,
        "host": node.host,
        "port": node.port,
        "server_id": node.server_id,
        "datadir": str(ground.paths.datadir(node.name)),
        "socket": str(ground.paths.socket(node.name)),
        "pid": process.recorded(ground.paths.pid(node.name)),
    }


def _cluster(ground: LabContext, site: str, accounts: dict[str, Account], ca_pem: str) -> dict[str, Any]:
    roles = ("monitor", "operator", "replication")
    credentials = {role: {"user": accounts[role].user, "password": accounts[role].password} for role in roles}
    nodes = [_node(ground, node) for node in ground.members(site)]
    body = {
        "name": CLUSTER_NAMES[site],
        "site": site,
        "nodes": [{key: node[key] for key in ("name", "host", "port")} for node in nodes],
        "credentials": credentials,
        "tls": {"mode": "verify_ca", "ca": ca_pem},
    }
    return {**body, "nodes": nodes, "ca_pem": ca_pem, "registration": body}


def describe(ground: LabContext, accounts: dict[str, Account]) -> dict[str, Any]:
    """Everything a console needs; `clusters[].registration` holds the contract's fields and no others."""
    ca_pem = ground.paths.ca.read_text()
    return {
        "variant": ground.settings.variant,
        "clusters": [_cluster(ground, site, accounts, ca_pem) for site in SITES],
        "app": {"user": accounts["app"].user, "password": accounts["app"].password},
        "link": {
            "name": "payments",
            "active": CLUSTER_NAMES["a"],
            "standby": CLUSTER_NAMES["b"],
            "channel_name": "",
        },
    }
