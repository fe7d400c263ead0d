"""The identity of a server: values that differ from its peers' and are the same after a restart.

A server_id alone is not enough: the nodes of a cluster may share one, and with GTID channels they must. Host name and
port are not enough either: servers of one machine may differ only in their addresses. Two servers cannot share a data
folder on one machine, and two containers of one image and one host name have no reason to share a node name. Galera's
member id (wsrep_gcomm_uuid) is unique, but new after each restart: a run could not continue after one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts, NodeFacts, RecordedServer

IDENTITY_VARIABLES = ("hostname", "port", "wsrep_node_name", "datadir")
FINGERPRINT_KEY = "server"


def server_identity(variables: Mapping[str, str]) -> str | None:
    """`db1:3306 node1 /var/lib/mysql/`; None where any part was not read."""
    if any(part not in variables for part in IDENTITY_VARIABLES):
        return None
    return f"{variables['hostname']}:{variables['port']} {variables['wsrep_node_name']} {variables['datadir']}"


def identity_mismatch(planned: Mapping[str, Any], node: str, variables: Mapping[str, str]) -> str | None:
    """Why the server with these variables is not the `node` of these planned facts; None where it is.

    A plan from before identities were facts is compared by its server_id only.
    """
    server_id = planned.get(f"{node}.server_id")
    if server_id is not None and str(server_id) != variables["server_id"]:
        return f"the session reached server_id {variables['server_id']}; the plan needs {node} with {server_id}"
    if f"{node}.{FINGERPRINT_KEY}" not in planned:
        return None
    meant, reached = planned[f"{node}.{FINGERPRINT_KEY}"], server_identity(variables)
    if meant is None or reached is None:
        return f"it is unknown whether the session reached {node}: {' or '.join(IDENTITY_VARIABLES)} could not be read"
    return None if meant == reached else f"the session reached {reached}; the plan needs {node}, {meant}"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A node at whose address another server responds than the recorded one."""

    node: NodeFacts
    recorded: RecordedServer
    observed: RecordedServer


def replacements(cluster: ClusterFacts) -> tuple[Replacement, ...]:
    """Nodes that responded as another server; a node of which an identity is unknown is none of them."""
    found = []
    for node in cluster.nodes:
        recorded, observed = cluster.recorded_servers.get(node.node.id), observed_server(node)
        if recorded is not None and observed is not None and recorded != observed:
            found.append(Replacement(node, recorded, observed))
    return tuple(found)


def remembered_server_ids(
    known: Mapping[str, int], observed: Mapping[str, int], recorded: Mapping[str, int | None]
) -> dict[str, int]:
    """The server_ids of a cluster with those `observed` at its nodes now, all by node id.

    The id of a server that another one replaced stays, under a key of its own: what that server wrote stands in the
    logs of both sides, and would return to its origin if no channel ignored it. An id that was never `recorded` for
    its node is forgotten once the node has another one: it was a foreign server at a wrong address.
    """
    former = {
        f"{node_id} before {server_id}": old
        for node_id, server_id in observed.items()
        if (old := known.get(node_id)) is not None and old != server_id and old == recorded.get(node_id)
    }
    return {**known, **former, **observed}


def observed_server(node: NodeFacts) -> RecordedServer | None:
    """The server that responded; None where it did not, or did not state who it is."""
    identity = server_identity(node.variables)
    if not node.is_up or identity is None or node.server_id is None:
        return None
    return RecordedServer(identity, node.server_id)


def replaced_finding(one: Replacement, *, is_used: bool) -> Finding:
    """Another server responds at a node's address; a plan uses it only after a person confirmed it."""
    name = one.node.node.name
    return Finding(
        "server_replaced",
        Severity.BLOCKER if is_used else Severity.WARNING,
        f"Another server responds as {name}: {one.observed.server} with server_id {one.observed.server_id}. "
        f"Recorded is {one.recorded.server} with server_id {one.recorded.server_id}.",
        "Confirm on the page of its cluster that the server was replaced, or correct the address of the node.",
        {
            "node": name,
            "recorded_server": one.recorded.server,
            "recorded_server_id": one.recorded.server_id,
            "observed_server": one.observed.server,
            "observed_server_id": one.observed.server_id,
        },
    )
