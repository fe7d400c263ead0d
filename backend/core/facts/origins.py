"""Whose transactions stand in the logs, by the server_ids that they bear there.

A transaction bears the server_id under which it was logged first, and keeps it in every log that it comes to. That need
not be the `server_id` of a node: a third server may feed a side, a session may set its own, and with wsrep_gtid_mode=ON
a cluster goes on under the id with which it was bootstrapped (10.11.19). `gtid_binlog_state` names every one, also of
purged files.

A channel must ignore each id that comes into its receiving side's logs by another way than by the other side: those
transactions come home in the other side's log, and would be applied again. It must not ignore one that comes by the
other side only: those would be lost. Where the facts do not tell which, a person has to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from backend.core.facts.channel_ends import End, foreign_channels_of
from backend.core.link_facts import LinkFacts
from backend.core.topology import ClusterFacts, Direction, NodeFacts

BINLOG_STATE = "gtid_binlog_state"
Origin = tuple[int, int]
"""A GTID domain and a server_id."""


class Way(StrEnum):
    """How transactions of an origin that is of neither side come into the logs of the side that a channel feeds."""

    IGNORED = "ignored"
    """The channel ignores them on purpose."""
    FED = "fed"
    """By a channel of that side from the very server."""
    ONLY_HERE = "only_here"
    """They stand in no log of the other side."""
    BY_THE_OTHER_SIDE = "by_the_other_side"
    """The other side's own channel ignores them, or has them from the very server."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ForeignOrigin:
    """A server_id of neither side; `nodes` of the receiving side have it in their logs."""

    server_id: int
    way: Way
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoopGuard:
    """What one direction's channel must ignore (`ids`), and why.

    `of_source`: ids that it ignores now although the source side writes under them. `unread`: nodes that respond and do
    not tell what stands in their logs; `untold`: those of a release that cannot.
    """

    direction: Direction
    receiving: ClusterFacts
    ids: tuple[int, ...]
    ignored: frozenset[int]
    foreign: tuple[ForeignOrigin, ...]
    of_source: tuple[int, ...]
    unread: tuple[str, ...]
    untold: tuple[str, ...]

    def missing(self, replica: NodeFacts) -> tuple[int, ...]:
        """What the present channel on that node lets through; a server never applies its own id."""
        return tuple(i for i in self.ids if i not in self.ignored and i != replica.server_id)

    def of(self, *ways: Way) -> tuple[ForeignOrigin, ...]:
        """The foreign origins that come by these ways."""
        return tuple(one for one in self.foreign if one.way in ways)


def origins_in(node: NodeFacts) -> frozenset[Origin] | None:
    """Every origin whose groups are, or ever were, in the node's binary log; None where this is unknown."""
    text = node.variable(BINLOG_STATE)
    if text is None:
        return None
    parts = [part.strip().split("-") for part in text.split(",") if part.strip()]
    if any(len(part) != 3 or not (part[0].isdigit() and part[1].isdigit()) for part in parts):
        return None
    return frozenset((int(domain), int(server_id)) for domain, server_id, _ in parts)


def logged_origins(cluster: ClusterFacts) -> frozenset[Origin]:
    """Every origin in the logs of the cluster's nodes, as far as they tell, and those that were seen before."""
    return cluster.logged_origins.union(*(origins_in(node) or () for node in cluster.nodes))


def told_apart(active: ClusterFacts, standby: ClusterFacts) -> tuple[ClusterFacts, ClusterFacts]:
    """Both clusters of a link with the ids under which they logged writes of their own and that no node has."""
    return _with_former_ids(active, standby), _with_former_ids(standby, active)


def _with_former_ids(cluster: ClusterFacts, other: ClusterFacts) -> ClusterFacts:
    """With wsrep_gtid_mode=ON what the cluster writes itself is in its own GTID domain.

    Only where nothing else can be in that domain: the other side has another one, and no third server feeds it.
    """
    domain, others = _own_domain(cluster), _domains(other)
    if domain is None or others is None or domain in others or any(foreign_channels_of(other, cluster)):
        return cluster
    fed = {one.channel.source_server_id for one in foreign_channels_of(cluster, other)}
    own = {server_id for in_domain, server_id in logged_origins(cluster) if in_domain == domain}
    former = own - fed - set(cluster.server_ids) - set(other.server_ids)
    return replace(cluster, former_server_ids=tuple(sorted(former))) if former else cluster


def _own_domain(cluster: ClusterFacts) -> int | None:
    live = [node for node in cluster.nodes if node.is_up]
    modes = {(node.variable("wsrep_gtid_mode") or "").upper() in ("ON", "1") for node in live}
    domains = {node.variable("wsrep_gtid_domain_id") for node in live}
    (domain,) = domains if len(domains) == 1 else (None,)
    return int(domain) if modes == {True} and domain is not None and domain.isdigit() else None


def _domains(cluster: ClusterFacts) -> set[int] | None:
    """Every domain in which its nodes may write; None where one is unknown."""
    names = ("wsrep_gtid_domain_id", "gtid_domain_id")
    values = [node.variable(name) for node in cluster.nodes if node.is_up for name in names]
    known = {int(value) for value in values if value is not None and value.isdigit()}
    return known if values and all(value is not None for value in values) else None


def ignored_now(link: LinkFacts, direction: Direction) -> frozenset[int]:
    """The server_ids that the direction's channel ignores, as its holder shows it, else as it was recorded."""
    recorded, held = link.recorded_channel(direction), link.countable_holders(direction)
    of_record = [h for h in held if recorded is not None and h.replica.node.id == recorded.replica_node_id]
    found = [holder.channel for holder in of_record or held]
    found = found or ([recorded.channel] if recorded is not None else [])
    return frozenset(server_id for channel in found for server_id in channel.ignore_server_ids)


def loop_guard(link: LinkFacts, direction: Direction) -> LoopGuard:
    """The ids that the direction's channel must ignore, from what stands in the logs of both sides."""
    receiving, source = link.receiving_cluster(direction), link.source_cluster(direction)
    ignored = ignored_now(link, direction)
    known = {*receiving.server_ids, *source.server_ids}
    foreign = tuple(
        ForeignOrigin(server_id, _way(link, direction, server_id, ignored), _nodes_with(receiving, server_id))
        for server_id in sorted((ignored | _ids(logged_origins(receiving))) - known)
    )
    kept = {one.server_id for one in foreign if one.way in (Way.IGNORED, Way.FED, Way.ONLY_HERE)}
    silent = [node for node in link.nodes if node.is_up and origins_in(node) is None]
    return LoopGuard(
        direction=direction,
        receiving=receiving,
        ids=tuple(sorted({*receiving.server_ids, *kept})),
        ignored=ignored,
        foreign=foreign,
        of_source=tuple(sorted(ignored & set(source.server_ids) - set(receiving.server_ids))),
        unread=tuple(node.node.name for node in silent if not _cannot_tell(node)),
        untold=tuple(node.node.name for node in silent if _cannot_tell(node)),
    )


def outside_stream(link: LinkFacts, direction: Direction) -> tuple[int, ...]:
    """The server_ids whose groups are no part of a direction's stream, in the logs of either side."""
    return loop_guard(link, direction).ids


def _way(link: LinkFacts, direction: Direction, server_id: int, ignored: frozenset[int]) -> Way:
    receiving, source = link.receiving_cluster(direction), link.source_cluster(direction)
    if server_id in ignored:
        return Way.IGNORED
    is_fed, feeds_source = (_is_fed(link, *sides, server_id) for sides in ((receiving, source), (source, receiving)))
    if is_fed and feeds_source:
        return Way.UNKNOWN
    if is_fed:
        return Way.FED
    if feeds_source or server_id in ignored_now(link, direction.other):
        return Way.BY_THE_OTHER_SIDE
    return Way.UNKNOWN if server_id in _ids(logged_origins(source)) else Way.ONLY_HERE


def nodes_under_different_ids(cluster: ClusterFacts) -> Mapping[str, int]:
    """By node, the server_id of the last transaction that the cluster wrote, where nodes have different ones.

    With wsrep_gtid_mode=ON each node takes that id from its own start, and they may differ after a full stop (observed
    on 10.11.19). Only numbers that two nodes have both reached are compared.
    """
    domain = _own_domain(cluster)
    last = {node.node.name: found for node in cluster.nodes if (found := _last_in(node, domain)) is not None}
    by_number: dict[int, set[int]] = {}
    for server_id, number in last.values():
        by_number.setdefault(number, set()).add(server_id)
    differs = any(len(ids) > 1 for ids in by_number.values())
    return {name: server_id for name, (server_id, _) in last.items()} if differs else {}


def _last_in(node: NodeFacts, domain: int | None) -> tuple[int, int] | None:
    """Server_id and number of the node's last GTID in the domain."""
    for text in (node.variable("gtid_binlog_pos") or "").split(","):
        parts = text.strip().split("-")
        if len(parts) == 3 and all(part.isdigit() for part in parts) and int(parts[0]) == domain:
            return int(parts[1]), int(parts[2])
    return None


def _is_fed(link: LinkFacts, side: ClusterFacts, other: ClusterFacts, server_id: int) -> bool:
    """Whether a channel brings that server's transactions to the side from the server itself."""
    ends = (End.OUTSIDE, End.REGISTERED)
    channels = foreign_channels_of(side, other, link.elsewhere)
    return any(one.channel.source_server_id == server_id and one.end in ends for one in channels)


def _ids(origins: Iterable[Origin]) -> set[int]:
    return {server_id for _, server_id in origins}


def _nodes_with(cluster: ClusterFacts, server_id: int) -> tuple[str, ...]:
    return tuple(node.node.name for node in cluster.nodes if server_id in _ids(origins_in(node) or ()))


def _cannot_tell(node: NodeFacts) -> bool:
    """MySQL has no such variable: it knows the GTIDs in its log, and not the server_ids."""
    return node.variable("gtid_mode") is not None
