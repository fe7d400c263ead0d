"""Which server is it? What tells a server from its neighbours and is the same after a restart.

A server_id alone does not: a cluster may share one, and where channels follow GTIDs it must. Nor do host name and
port: servers of one machine differ in their addresses alone. Two servers cannot share a data folder on one machine,
nor have two containers of one image and one host name a reason to share a node name. The member id that Galera
gives (wsrep_gcomm_uuid) tells all apart, but is a new one after each restart: a run could not go on behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

IDENTITY_VARIABLES = ("hostname", "port", "wsrep_node_name", "datadir")
FINGERPRINT_KEY = "server"


def server_identity(variables: Mapping[str, str]) -> str | None:
    """`db1:3306 node1 /var/lib/mysql/`; None where any part was not read."""
    if any(part not in variables for part in IDENTITY_VARIABLES):
        return None
    return f"{variables['hostname']}:{variables['port']} {variables['wsrep_node_name']} {variables['datadir']}"


def identity_mismatch(planned: Mapping[str, Any], node: str, variables: Mapping[str, str]) -> str | None:
    """Why the server that told this of itself is not the `node` of these planned facts; None where it is.

    A plan made before identities were facts is held to the server_id it names.
    """
    server_id = planned.get(f"{node}.server_id")
    if server_id is not None and str(server_id) != variables["server_id"]:
        return f"the session reached server_id {variables['server_id']}, the plan means {node} with {server_id}"
    if f"{node}.{FINGERPRINT_KEY}" not in planned:
        return None
    meant, reached = planned[f"{node}.{FINGERPRINT_KEY}"], server_identity(variables)
    if meant is None or reached is None:
        return f"whether the session reached {node} is not known: {' or '.join(IDENTITY_VARIABLES)} could not be read"
    return None if meant == reached else f"the session reached {reached}, the plan means {node}, {meant}"
