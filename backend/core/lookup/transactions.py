"""Brings together what the logs of several nodes hold of the same transaction.

Equal content is not enough: two equal statements of one second are equal in origin, time and content. Places belong
together where a number says so (the Xid within a cluster, a GTID anywhere), or where the transaction is the only one of
its kind in a log that was read around its time; otherwise which one stands there is ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from backend.core.lookup.identity import is_same_transaction
from backend.core.lookup.model import LoggedGroup, Match, NodeAnswer
from backend.core.positions import FilePosition


@dataclass(frozen=True, slots=True)
class Location:
    """Where one node's log holds a transaction.

    `is_ambiguous`: it is equal, but no number says that it is this one, and there may be others.
    """

    node_id: str
    cluster_id: str
    match: Match
    is_ambiguous: bool = False

    @property
    def key(self) -> tuple[str, FilePosition]:
        """Distinguishes two locations."""
        return self.node_id, self.match.found.group.begin_position


@dataclass(slots=True)
class FoundTransaction:
    """One transaction with its locations, at most one on each node."""

    locations: list[Location] = field(default_factory=list)

    @property
    def seen(self) -> LoggedGroup:
        """The transaction as the first of its logs holds it."""
        return self.locations[0].match.found

    def on_node(self, node_id: str) -> Location | None:
        """Its location on a node."""
        return next((location for location in self.locations if location.node_id == node_id), None)

    def on_cluster(self, cluster_id: str) -> list[Location]:
        """Its locations on the nodes of a cluster."""
        return [location for location in self.locations if location.cluster_id == cluster_id]

    def fits(self, other: FoundTransaction) -> bool:
        """Whether both can be one: equal, on different nodes, and under one Xid in each cluster."""
        return is_same_transaction(self.seen, other.seen) and not any(
            mine.node_id == theirs.node_id or (mine.cluster_id == theirs.cluster_id and _differ_in_xid(mine, theirs))
            for mine in self.locations
            for theirs in other.locations
        )


def _differ_in_xid(one: Location, other: Location) -> bool:
    return one.match.found.group.xid != other.match.found.group.xid


def pair(
    asked: Sequence[NodeAnswer], more: Sequence[NodeAnswer] = (), witnesses: Sequence[NodeAnswer] = (), slack_s: int = 0
) -> list[FoundTransaction]:
    """The transactions that were asked for, by time; `more` are answers that only add locations to them.

    `witnesses` are those answers that would hold every equal transaction of the log, where they read around its time.
    """
    known = {location.key for location in _locations(asked)}
    added = [location for location in _locations(more) if location.key not in known]
    parts = _numbered([*_locations(asked), *added])
    wanted = [part for part in parts if any(location.key in known for location in part.locations)]
    spare = [part for part in parts if part not in wanted]
    found: list[FoundTransaction] = []
    for part in wanted:
        home = next((one for one in found if one.fits(part)), None)
        if home is None:
            found.append(part)
        else:
            _join(home, part, is_certain=_is_only(home, parts, witnesses, slack_s))
    for one in found:
        for part in spare:
            if one.fits(part):
                _join(one, part, is_certain=_is_only(one, parts, witnesses, slack_s))
    return sorted(found, key=lambda one: one.seen.at_s)


def _locations(answers: Sequence[NodeAnswer]) -> Iterator[Location]:
    for answer in answers:
        for match in answer.matches:
            yield Location(answer.node_id, answer.cluster_id, match)


def _numbered(locations: Sequence[Location]) -> list[FoundTransaction]:
    """Places with a number in common, and equal, as one transaction, in the order of the first of them."""
    parts: list[FoundTransaction] = []
    by_number: dict[object, FoundTransaction] = {}
    for location in locations:
        numbers = list(_numbers(location))
        homes = [by_number[number] for number in numbers if number in by_number]
        part = FoundTransaction([location])
        for home in homes:
            if home is not part and home.fits(part):
                home.locations += part.locations
                parts = [one for one in parts if one is not part]
                part = home
        if len(part.locations) == 1:
            parts.append(part)
        for member in part.locations:
            by_number |= dict.fromkeys(_numbers(member), part)
    return parts


def _numbers(location: Location) -> Iterator[object]:
    group = location.match.found.group
    second = (group.server_id, location.match.found.at_s)
    if group.gtid is not None:
        yield (*second, str(group.gtid))
    if group.xid is not None:
        yield (*second, location.cluster_id, group.xid)


def _join(home: FoundTransaction, part: FoundTransaction, *, is_certain: bool) -> None:
    home.locations += [replace(location, is_ambiguous=not is_certain) for location in part.locations]


def _is_only(
    one: FoundTransaction, parts: Sequence[FoundTransaction], witnesses: Sequence[NodeAnswer], slack_s: int
) -> bool:
    """Whether a log that holds it was read around its time, and no node has a second one that is equal."""
    nodes = {location.node_id for location in one.locations if not location.is_ambiguous}
    has_witness = any(
        answer.node_id in nodes and answer.has_read_around(one.seen.at_s, slack_s) for answer in witnesses
    )
    equal = [
        location.node_id for part in parts if is_same_transaction(part.seen, one.seen) for location in part.locations
    ]
    return has_witness and len(equal) == len(set(equal))


def not_on_node(found: Sequence[FoundTransaction], node_id: str) -> tuple[LoggedGroup, ...]:
    """The transactions that a node was not found to hold."""
    return tuple(one.seen for one in found if one.on_node(node_id) is None)


def rival_nodes(one: FoundTransaction, found: Sequence[FoundTransaction]) -> frozenset[str]:
    """The nodes that hold a transaction equal to this one, which was given to another one without a proof."""
    return frozenset(
        location.node_id
        for other in found
        if other is not one and is_same_transaction(other.seen, one.seen)
        for location in other.locations
        if location.is_ambiguous
    )
