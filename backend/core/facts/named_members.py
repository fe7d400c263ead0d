"""Which members a cluster names itself, compared with the nodes that are registered.

Each member reports the addresses of all members and its own place among them (`wsrep_incoming_addresses`,
`wsrep_local_index`), so a registered node that answers is recognised whatever name or address it is registered with.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from backend.core.topology import ClusterFacts, NodeFacts, WsrepFacts

Address = tuple[str, int]
_DEFAULT_PORT = 3306


@dataclass(frozen=True, slots=True)
class NamedMembers:
    """Members by what is known of them.

    `unregistered`: addresses of members that no registered node was recognised as. `unaddressed`: the same of members
    that state no address: an arbitrator, or a node with `wsrep_node_incoming_address=AUTO`. `absent`: ids of the
    registered nodes that are no members; None where that is not certain: an unrecognised member may be a registered
    node that does not respond and states another address than it is registered with.
    """

    size: int
    unregistered: tuple[Address, ...]
    unaddressed: int
    absent: tuple[str, ...] | None


def named_members(cluster: ClusterFacts, addresses: Mapping[str, Collection[Address]]) -> NamedMembers | None:
    """The members by the newest view of the Primary Component; None where no member reports it, or they disagree.

    `addresses`: every address that a registered node's host name stands for, by node id.
    """
    newest = newest_views(cluster)
    if not newest:
        return None
    entries = newest[0][1].incoming_addresses
    return _compared(cluster, addresses, entries, {view.local_index: node.node.id for node, view in newest})


def newest_views(cluster: ClusterFacts) -> tuple[tuple[NodeFacts, WsrepFacts], ...]:
    """The members that report the newest view of the Primary Component; () where none does, or they disagree."""
    views = [
        (node, node.wsrep) for node in cluster.nodes if node.wsrep is not None and _is_in_primary(node, node.wsrep)
    ]
    newest = tuple(one for one in views if one[1].conf_id == max(view.conf_id for _, view in views))
    reported = {(view.state_uuid, view.cluster_size, view.incoming_addresses) for _, view in newest}
    if len(reported) != 1 or len(newest[0][1].incoming_addresses) != newest[0][1].cluster_size:
        return ()
    return newest


def _is_in_primary(node: NodeFacts, wsrep: WsrepFacts) -> bool:
    return node.is_up and wsrep.cluster_status == "Primary" and wsrep.connected


def _compared(
    cluster: ClusterFacts,
    addresses: Mapping[str, Collection[Address]],
    entries: tuple[str, ...],
    known: Mapping[int | None, str],
) -> NamedMembers:
    present = {node_id for index, node_id in known.items() if index is not None}
    unregistered: list[Address] = []
    unaddressed = 0
    for index, entry in enumerate(entries):
        address = parse_address(entry)
        if index in known:
            continue
        if address is None:
            unaddressed += 1
            continue
        owner = next((node_id for node_id, own in addresses.items() if address in own), None)
        if owner is None:
            unregistered.append(address)
        else:
            present.add(owner)
    absent = tuple(node.node.id for node in cluster.nodes if node.node.id not in present)
    is_certain = not (unaddressed or unregistered) or not absent
    return NamedMembers(len(entries), tuple(unregistered), unaddressed, absent if is_certain else None)


def parse_address(text: str) -> Address | None:
    """Host and port of `10.0.0.1:3306`, `[fd00::1]:3306` or `db1`; None for an empty entry and for AUTO."""
    host, _, port = text.rpartition(":") if text.count(":") == 1 or "]:" in text else (text, "", "")
    host = host.strip("[]")
    if not host or host.upper() == "AUTO":
        return None
    return host.lower(), int(port) if port.isdigit() else _DEFAULT_PORT
