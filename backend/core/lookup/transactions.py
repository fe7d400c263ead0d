"""Brings together what the logs of several nodes hold of the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from backend.core.lookup.identity import is_same_transaction
from backend.core.lookup.model import LoggedGroup, Match, NodeAnswer


@dataclass(frozen=True, slots=True)
class Place:
    """Where one node's log holds a transaction.

    `is_ambiguous`: several transactions of that second are equal to it, and no number says which one this is.
    """

    node_id: str
    cluster_id: str
    match: Match
    is_ambiguous: bool = False


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


def pair(answers: Iterable[NodeAnswer]) -> list[FoundTransaction]:
    """The transactions among all matches, by time, then in the order of the first log that holds them."""
    found: list[FoundTransaction] = []
    by_key: dict[tuple[int, int], list[FoundTransaction]] = {}
    for answer in answers:
        for match in answer.matches:
            same_second = by_key.setdefault((match.found.group.server_id, match.found.at_s), [])
            if _add(same_second, answer, match):
                found.append(same_second[-1])
    return sorted(found, key=lambda one: one.seen.at_s)


def _add(same_second: list[FoundTransaction], answer: NodeAnswer, match: Match) -> bool:
    """Add a match to the transaction that it is, or as a new one (True)."""
    candidates = [
        one
        for one in same_second
        if is_same_transaction(one.seen, match.found)
        and _may_be(one, answer, match)
        and not one.on_node(answer.node_id)
    ]
    numbered = [one for one in candidates if _has_number(one, answer, match)]
    chosen = (numbered or candidates)[:1]
    is_ambiguous = len(candidates) > 1 and len(numbered) != 1
    place = Place(answer.node_id, answer.cluster_id, match, is_ambiguous=is_ambiguous)
    if not chosen:
        same_second.append(FoundTransaction([place]))
        return True
    chosen[0].places.append(place)
    return False


def _may_be(one: FoundTransaction, answer: NodeAnswer, match: Match) -> bool:
    """Not, where another node of the same cluster has it under another Xid."""
    xids = {place.match.found.group.xid for place in one.on_cluster(answer.cluster_id)}
    return match.found.group.xid is None or xids <= {None, match.found.group.xid}


def _has_number(one: FoundTransaction, answer: NodeAnswer, match: Match) -> bool:
    """Whether the Xid of the same cluster, or a GTID, says that it is the same."""
    group = match.found.group
    for place in one.places:
        there = place.match.found.group
        if group.gtid is not None and group.gtid == there.gtid:
            return True
        if place.cluster_id == answer.cluster_id and group.xid is not None and group.xid == there.xid:
            return True
    return False


def without_place(found: Sequence[FoundTransaction], node_id: str) -> tuple[LoggedGroup, ...]:
    """The transactions that a node was not found to hold."""
    return tuple(one.seen for one in found if one.on_node(node_id) is None)
