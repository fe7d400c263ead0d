"""Whether the members of a registered cluster are one Primary Component, or several that go by one name.

A node that is bootstrapped while its cluster runs on is a second Primary Component under the same state UUID: both are
writable, both use the same seqnos, and nothing that one of them commits reaches the other (measured on MariaDB 10.11).

Members of one component may report different views for a moment, or for as long as one of them waits for a lock. Such
views still name common members, so they are not taken for halves; a plan waits until they are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from backend.core.facts.named_members import parse_address
from backend.core.topology import ClusterFacts, NodeFacts, WsrepFacts

DURABLE = "innodb_flush_log_at_trx_commit"
"""With 1 or 3 a crash takes no commit back."""
Key = tuple[str, int, int, tuple[str, ...]]
"""State UUID, configuration id, number of members, and their addresses in their order."""


@dataclass(frozen=True, slots=True)
class View:
    """One view of a Primary Component, and the registered nodes that report it."""

    key: Key
    nodes: tuple[NodeFacts, ...]

    @property
    def state_uuid(self) -> str:
        """Of its component."""
        return self.key[0]

    @property
    def conf_id(self) -> int:
        """How many changes of its membership the component has seen."""
        return self.key[1]

    @property
    def size(self) -> int:
        """The number of its members, arbitrators included."""
        return self.key[2]

    @property
    def stated(self) -> frozenset[str]:
        """The addresses that its members state."""
        return frozenset(filter(parse_address, self.key[3]))

    @property
    def servers(self) -> int:
        """The number of its members without arbitrators, which state an empty address."""
        return self.size - sum(not text for text in self.key[3])

    @property
    def is_complete(self) -> bool:
        """Whether each of its members is a node that reports it."""
        return len(self.nodes) == self.size


@dataclass(frozen=True, slots=True)
class Half:
    """A Primary Component of a registered cluster. `unseen`: its members that are no responding registered node."""

    nodes: tuple[NodeFacts, ...]
    unseen: int
    state_uuid: str
    seqno: int

    @property
    def names(self) -> tuple[str, ...]:
        """Of its nodes."""
        return tuple(node.node.name for node in self.nodes)


def views(cluster: ClusterFacts) -> tuple[View, ...]:
    """The different views that the cluster's responding Primary members report."""
    found: dict[Key, list[list[tuple[NodeFacts, int | None]]]] = {}
    for node, wsrep in _members(cluster):
        key = (wsrep.state_uuid, wsrep.conf_id, wsrep.cluster_size, wsrep.incoming_addresses)
        equal, place = found.setdefault(key, []), wsrep.local_index
        free = (one for one in equal if place is None or all(place != other for _, other in one))
        view = next(free, None)
        if view is None:  # two members of one view never have the same place in it
            equal.append(view := [])
        view.append((node, place))
    return tuple(View(key, tuple(node for node, _ in view)) for key, equal in found.items() for view in equal)


def halves(cluster: ClusterFacts) -> tuple[Half, ...]:
    """The Primary Components of the cluster that are certainly apart, largest first; one, or none, of a whole one."""
    groups: list[list[View]] = []
    for view in views(cluster):
        near = [group for group in groups if any(not _are_apart(view, other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([view, *(other for group in near for other in group)])
    found = [_half(cluster, group) for group in groups]
    return tuple(sorted(found, key=lambda half: (-len(half.nodes), half.names)))


def is_split(cluster: ClusterFacts) -> bool:
    """Whether its responding members are certainly not one Primary Component."""
    return not _is_one_view(cluster) and len(halves(cluster)) > 1


def _is_one_view(cluster: ClusterFacts) -> bool:
    """Whether all members report one view, each with a place of its own in it: so it is, but for moments."""
    members = [wsrep for _, wsrep in _members(cluster)]
    places = {wsrep.local_index for wsrep in members}
    keys = {(wsrep.state_uuid, wsrep.conf_id, wsrep.cluster_size, wsrep.incoming_addresses) for wsrep in members}
    return len(keys) < 2 and len(places) == len(members)


def do_views_differ(cluster: ClusterFacts) -> bool:
    """Whether its responding members report more than one view, which may be a change of the view."""
    return len(views(cluster)) > 1


def lineages(cluster: ClusterFacts) -> dict[str, frozenset[int]]:
    """Of which halves of a former split each registered node may hold the writes; empty where of none.

    The numbers are the places of the halves in the record.
    """
    parted = cluster.seen_together.parted if cluster.seen_together is not None else ()
    ids = [node.node.id for node in cluster.nodes]
    return {i: frozenset(number for number, half in enumerate(parted) if i in half.nodes) for i in ids}


def away_halves(cluster: ClusterFacts) -> tuple[tuple[NodeFacts, ...], ...]:
    """Of a cluster that was split and is not now: the nodes, by half, that are not back in the one component.

    Such a node may hold transactions that its cluster lacks, and an IST would let it keep them.
    """
    held = lineages(cluster)
    now = halves(cluster) if any(held.values()) else ()
    if len(now) > 1:
        return ()
    back = {node.node.id for half in now for node in half.nodes}
    present = _union(held[i] for i in back)
    same = present if len(present) == 1 else frozenset()
    gone = [node for node in cluster.nodes if node.node.id not in back and held[node.node.id] != same]
    return _by_lineage(gone, held)


def mixed_halves(cluster: ClusterFacts) -> tuple[tuple[NodeFacts, ...], ...]:
    """Nodes of one component that came of several halves and are not proven to hold the same, by half; largest first.

    That they are members of one component again proves nothing: at the same seqno nothing was transferred.
    """
    held = lineages(cluster)
    now = halves(cluster) if any(held.values()) else ()
    if len(now) != 1:
        return ()
    members = now[0].nodes
    if len(_union(held[node.node.id] for node in members)) < 2:
        return ()
    return tuple(sorted(_by_lineage(members, held), key=lambda nodes: -len(nodes)))


def was_split(cluster: ClusterFacts) -> bool:
    """Whether it was split, is not now, and is not proven to hold the same on all nodes."""
    return bool(away_halves(cluster) or mixed_halves(cluster))


def _union(held: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset().union(*held)


def _by_lineage(nodes: Iterable[NodeFacts], held: Mapping[str, frozenset[int]]) -> tuple[tuple[NodeFacts, ...], ...]:
    groups: dict[frozenset[int], list[NodeFacts]] = {}
    for node in nodes:
        if held[node.node.id]:
            groups.setdefault(held[node.node.id], []).append(node)
    return tuple(map(tuple, groups.values()))


def common_seqno(cluster: ClusterFacts) -> int | None:
    """The seqno up to which all halves certainly held the same; None where that was not observed.

    Of two nodes it is the lower of their counters when they were last seen in one view.
    """
    parts = halves(cluster)
    seen = cluster.seen_together
    if seen is None or {half.state_uuid for half in parts} != {seen.state_uuid}:
        return None
    known = [_common(one, other, seen.seqnos) for one, other in combinations(parts, 2)]
    return min((seqno for seqno in known if seqno is not None), default=None) if None not in known else None


def _common(one: Half, other: Half, seqnos: Mapping[str, Mapping[str, int]]) -> int | None:
    pairs = [(x.node.id, y.node.id) for x in one.nodes for y in other.nodes]
    known = [min(seqnos[x][y], seqnos[y][x]) for x, y in pairs if y in seqnos.get(x, {}) and x in seqnos.get(y, {})]
    return max(known, default=None)


def _members(cluster: ClusterFacts) -> Iterator[tuple[NodeFacts, WsrepFacts]]:
    for node in cluster.nodes:
        if node.is_up and node.wsrep is not None and node.wsrep.cluster_status == "Primary":
            yield node, node.wsrep


def _are_apart(one: View, other: View) -> bool:
    """Whether no component can have had both views.

    A changed view names members of the former one. Where members state no addresses, views all of whose members are
    seen are apart, and so are equal views in which two nodes have the same place.
    """
    if one.state_uuid != other.state_uuid:
        return True
    if one.stated and other.stated and one.stated != other.stated:
        return not one.stated & other.stated
    if one.is_complete and other.is_complete:
        return True
    return one.key == other.key


def _half(cluster: ClusterFacts, group: Iterable[View]) -> Half:
    group = list(group)
    mine = {node.node.id for view in group for node in view.nodes}
    nodes = tuple(node for node in cluster.nodes if node.node.id in mine)
    newest = max(group, key=lambda view: view.conf_id)
    seqno = max(node.wsrep.last_committed for node in nodes if node.wsrep is not None)
    return Half(nodes, max(0, newest.servers - len(nodes)), newest.state_uuid, seqno)
