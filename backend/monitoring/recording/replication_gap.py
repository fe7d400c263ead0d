"""Counts what each replica still lacks, in the logs of the active side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from backend.core.facts.halves import halves, is_split, was_split
from backend.core.facts.origins import outside_stream
from backend.core.known_groups import AppliedPlace, KnownGroups
from backend.core.link_facts import LinkFacts
from backend.core.link_state import DirectionView
from backend.core.link_state.clusters import is_serving
from backend.core.positions import FilePosition
from backend.core.topology import ChannelFacts, ClusterFacts, Direction, NodeFacts
from backend.gateway.polling.pollers import Polled


@dataclass(frozen=True, slots=True)
class Gap:
    """Transactions that a replica lacks; None where unknown, also of the lower bound `at_least`.

    `known` is what was read of a side of which no node serves any more, and `read_at_s` when that was.
    """

    transactions: int | None
    at_least: int | None = None
    known: KnownGroups = field(default_factory=KnownGroups)
    read_at_s: float | None = None


UNKNOWN_GAP = Gap(None)


@dataclass(frozen=True, slots=True)
class ReadBefore:
    """What was stored as read of a lost side: its logs are not in the memory of a monitor that began since."""

    known: KnownGroups
    read_at_s: float | None


class RelayPlaces(Protocol):
    """Where replicas have arrived by their relay logs."""

    def at(self, replica: NodeFacts, channel: ChannelFacts) -> AppliedPlace | None:
        """The place at the channel's executed position; None while it is not known."""
        ...


class NoRelayPlaces:
    """No relay log is read."""

    def at(self, replica: NodeFacts, channel: ChannelFacts) -> AppliedPlace | None:
        """Unknown."""
        return None


def gaps_of(
    seen: LinkFacts,
    directions: Iterable[DirectionView],
    polled: Mapping[str, Polled],
    places: RelayPlaces | None = None,
    before: Mapping[Direction, ReadBefore] | None = None,
) -> dict[Direction, Gap]:
    """The gap of each direction whose channel and source were observed."""
    gaps: dict[Direction, Gap] = {}
    for view in directions:
        channel = view.channel
        source = polled.get(channel.source_node_id) if channel is not None else None
        executed = channel.channel.exec_position if channel is not None and not channel.recorded else None
        if channel is None or executed is None or source is None or channel.waits_for_position is not None:
            continue
        left_out, cluster = frozenset(outside_stream(seen, view.direction)), seen.source_cluster(view.direction)
        is_parted = is_split(cluster) or was_split(cluster)
        if is_serving(source.facts) and is_parted:
            # what the source's half wrote: what the others wrote is in no position of the channel
            gaps[view.direction] = Gap(None, source.tail.gap_after(executed, left_out))
            continue
        if is_serving(source.facts):
            count = source.tail.gap_after(executed, left_out) if source.tells_its_end else None
            gaps[view.direction] = Gap(count, count)
            continue
        place = source.tail.place_at(executed, left_out)
        by_relay_log = None
        if place is None:
            by_relay_log = (places or NoRelayPlaces()).at(seen.node(channel.replica_node_id), channel.channel)
        members = _own_half(cluster, source.facts) if is_parted else cluster.nodes
        side = [one for node in members if (one := polled.get(node.node.id))]
        lost = _LostSource(source, side, executed, left_out, place, by_relay_log)
        found = lost.gap(None if is_parted else (before or {}).get(view.direction))
        gaps[view.direction] = Gap(None, found.at_least) if is_parted else found
    return gaps


def _own_half(cluster: ClusterFacts, source: NodeFacts) -> tuple[NodeFacts, ...]:
    """The nodes of the source's half, also as last seen; itself alone where its half is unknown."""
    parted = [half.nodes for half in cluster.seen_together.parted] if cluster.seen_together is not None else []
    now = [{node.node.id for node in half.nodes} for half in halves(cluster)]
    own = next((set(half) for half in (*now, *parted) if source.node.id in half), {source.node.id})
    return tuple(node for node in cluster.nodes if node.node.id in own)


@dataclass(frozen=True, slots=True)
class _LostSource:
    """A source that is down or not Synced. What its replica lacks is counted in the logs of its cluster.

    All that was read of any node counts: the source may have failed before its neighbours. Under load the replica has
    applied more than was read of the source; then its relay log tells which seqno that was. A node that failed while
    its log was read counts as of the poll before.
    """

    source: Polled
    side: list[Polled]
    executed: FilePosition
    left_out: Collection[int]
    by_log: AppliedPlace | None
    by_relay_log: AppliedPlace | None

    def gap(self, before: ReadBefore | None) -> Gap:
        """The count; the lower bound alone where more may have been written than was read."""
        place = self.by_log or self.by_relay_log
        known, read_at_s = self._known(before)
        at_least = self._at_least(place, known, was_read_before=before is not None)
        serving = [one for one in self.side if is_serving(one.facts)]
        if any(one.tells_its_end and _holds(one, place) for one in serving):
            return Gap(at_least, at_least)
        kept = KnownGroups() if serving else known
        if self._is_told(place, known):
            return Gap(at_least or 0, at_least or 0, kept, read_at_s)
        return Gap(None, at_least, kept, read_at_s)

    @property
    def _unread(self) -> int | None:
        return self.source.tail.gap_after(self.executed, self.left_out)

    def _at_least(self, place: AppliedPlace | None, known: KnownGroups, *, was_read_before: bool) -> int | None:
        if place is None:
            return (self._unread or 0) + self._beyond_source(known) or None
        if not was_read_before and not any(one.tail.is_followed for one in self.side):
            return None
        return max(self._unread or 0, known.after(place))

    def _beyond_source(self, known: KnownGroups) -> int:
        """What its neighbours were read to have written after the last group that was read of the source.

        A replica that is not beyond that one lacks all of them, whatever the seqno of its own place is.
        """
        tail = self.source.tail
        if tail.cursor is None or not tail.reaches(self.executed):
            return 0
        last = tail.place_at(tail.cursor, self.left_out)
        return 0 if last is None else known.after(last)

    def _known(self, before: ReadBefore | None) -> tuple[KnownGroups, float | None]:
        """What was read of any node, and when the last one was read."""
        known = before.known if before is not None else KnownGroups()
        read_at_s = before.read_at_s if before is not None else None
        for one in self.side:
            known = known.joined(one.tail.stream(self.left_out))
            if one.tail.read_at_s is not None:
                read_at_s = max(one.tail.read_at_s, read_at_s or 0.0)
        return known, read_at_s

    def _is_told(self, place: AppliedPlace | None, known: KnownGroups) -> bool:
        """Whether what was read is all that is known of: the replica is not beyond it, and no node's log is missing."""
        if self._unread is None or not self.source.tells_its_end:
            return False
        if not self.source.tail.reaches(self.executed) and (place is None or known.ends_before(place)):
            return False
        return all(_tells(one, place) for one in self.side if one is not self.source)


def _holds(one: Polled, place: AppliedPlace | None) -> bool:
    return place is not None and one.tail.holds(place.seqno)


def _tells(one: Polled, place: AppliedPlace | None) -> bool:
    """Whether all that a neighbour was observed to have written beyond the place is counted."""
    if not one.tells_its_end:
        return False
    was_read = one.tail.is_followed or one.facts.is_up
    return not was_read or _holds(one, place) or one.tail.ends_by(place.seqno if place else None)
