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
class Place:
    """Where one node's log holds a transaction.

    `is_ambiguous`: it is equal, but no number says that it is this one, and there may be others.
    """

    node_id: str
    cluster_id: str
    match: Match
    is_ambiguous: bool = False

    @property
    def key(self) -> tuple[str, FilePosition]:
        """Tells two places apart."""
        return self.node_id, self.match.found.group.begin_position


@dataclass(slots=True)
class FoundTransaction:
    """One transaction with its places, at most one on each node."""

    places: list[Place] = field(default_factory=list)

    @property
    def seen(self) -> LoggedGroup:
        """The transaction as the first of its logs holds it."""
        return self.places[0].match.found

    def on_node(self, node_id: str) -> Place | None:
        """Its place on a node."""
        return next((place for place in self.places if place.node_id == node_id), None)

    def on_cluster(self, cluster_id: str) -> list[Place]:
        """Its places on the nodes of a cluster."""
        return [place for place in self.places if place.cluster_id == cluster_id]

    def fits(self, other: FoundTransaction) -> bool:
        """Whether both can be one: equal, on different nodes, and under one Xid in each cluster."""
        return is_same_transaction(self.seen, other.seen) and not any(
            mine.node_id == theirs.node_id or (mine.cluster_id == theirs.cluster_id and _differ_in_xid(mine, theirs))
            for mine in self.places
            for theirs in other.places
        )


def _differ_in_xid(one: Place, other: Place) -> bool:
    return one.match.found.group.xid != other.match.found.group.xid


def pair(
    asked: Sequence[NodeAnswer], more: Sequence[NodeAnswer] = (), witnesses: Sequence[NodeAnswer] = (), slack_s: int = 0
) -> list[FoundTransaction]:
    """The transactions that were asked for, by time; `more` are answers that only add places to them.

    `witnesses` are those answers that would hold every equal transaction of the log, where they read around its time.
    """
    known = {place.key for place in _places(asked)}
    added = [place for place in _places(more) if place.key not in known]
    parts = _numbered([*_places(asked), *added])
    wanted = [part for part in parts if any(place.key in known for place in part.places)]
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


def _places(answers: Sequence[NodeAnswer]) -> Iterator[Place]:
    for answer in answers:
        for match in answer.matches:
            yield Place(answer.node_id, answer.cluster_id, match)


def _numbered(places: Sequence[Place]) -> list[FoundTransaction]:
    """Places with a number in common, and equal, as one transaction, in the order of the first of them."""
    parts: list[FoundTransaction] = []
    by_number: dict[object, FoundTransaction] = {}
    for place in places:
        numbers = list(_numbers(place))
        homes = [by_number[number] for number in numbers if number in by_number]
        part = FoundTransaction([place])
        for home in homes:
            if home is not part and home.fits(part):
                home.places += part.places
                parts = [one for one in parts if one is not part]
                part = home
        if len(part.places) == 1:
            parts.append(part)
        for member in part.places:
            by_number |= dict.fromkeys(_numbers(member), part)
    return parts


def _numbers(place: Place) -> Iterator[object]:
    group = place.match.found.group
    second = (group.server_id, place.match.found.at_s)
    if group.gtid is not None:
        yield (*second, str(group.gtid))
    if group.xid is not None:
        yield (*second, place.cluster_id, group.xid)


def _join(home: FoundTransaction, part: FoundTransaction, *, is_certain: bool) -> None:
    home.places += [replace(place, is_ambiguous=not is_certain) for place in part.places]


def _is_only(
    one: FoundTransaction, parts: Sequence[FoundTransaction], witnesses: Sequence[NodeAnswer], slack_s: int
) -> bool:
    """Whether a log that holds it was read around its time, and no node has a second one that is equal."""
    nodes = {place.node_id for place in one.places if not place.is_ambiguous}
    has_witness = any(
        answer.node_id in nodes and answer.has_read_around(one.seen.at_s, slack_s) for answer in witnesses
    )
    equal = [place.node_id for part in parts if is_same_transaction(part.seen, one.seen) for place in part.places]
    return has_witness and len(equal) == len(set(equal))


def without_place(found: Sequence[FoundTransaction], node_id: str) -> tuple[LoggedGroup, ...]:
    """The transactions that a node was not found to hold."""
    return tuple(one.seen for one in found if one.on_node(node_id) is None)


def rival_nodes(one: FoundTransaction, found: Sequence[FoundTransaction]) -> frozenset[str]:
    """The nodes that hold a transaction equal to this one, which was given to another one without a proof."""
    return frozenset(
        place.node_id
        for other in found
        if other is not one and is_same_transaction(other.seen, one.seen)
        for place in other.places
        if place.is_ambiguous
    )
