"""Counts what each replica still lacks, in the logs of the active side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.core.facts.halves import away_halves, is_split
from backend.core.facts.origins import outside_stream
from backend.core.link_facts import LinkFacts
from backend.core.link_state import DirectionView
from backend.core.link_state.clusters import is_serving
from backend.core.positions import FilePosition
from backend.core.topology import Direction
from backend.gateway.polling.pollers import Polled


@dataclass(frozen=True, slots=True)
class Gap:
    """Transactions that a replica lacks; None where unknown: then `at_least` is the number observed."""

    transactions: int | None
    at_least: int = 0


UNKNOWN_GAP = Gap(None)


def gaps_of(seen: LinkFacts, directions: Iterable[DirectionView], polled: Mapping[str, Polled]) -> dict[Direction, Gap]:
    """The gap of each direction whose channel and source were observed."""
    gaps: dict[Direction, Gap] = {}
    for direction in directions:
        channel = direction.channel
        source = polled.get(channel.source_node_id) if channel is not None else None
        executed = channel.channel.exec_position if channel is not None and not channel.recorded else None
        if channel is None or executed is None or source is None or channel.waits_for_position is not None:
            continue
        side = seen.source_cluster(direction.direction)
        if is_split(side) or away_halves(side):
            gaps[direction.direction] = _of_a_part(seen, direction.direction, source, executed)
        elif is_serving(source.facts):
            own = outside_stream(seen, direction.direction)
            gaps[direction.direction] = (
                Gap(source.tail.gap_after(executed, own)) if source.tells_its_end else UNKNOWN_GAP
            )
        else:
            gaps[direction.direction] = _of_lost_source(seen, direction.direction, source, executed, polled)
    return gaps


def _of_a_part(seen: LinkFacts, direction: Direction, source: Polled, executed: FilePosition) -> Gap:
    """What the source's half wrote: what the others wrote is in no position of the channel."""
    own = outside_stream(seen, direction)
    return Gap(None, source.tail.gap_after(executed, own) or 0)


def _of_lost_source(
    seen: LinkFacts,
    direction: Direction,
    source: Polled,
    executed: FilePosition,
    polled: Mapping[str, Polled],
) -> Gap:
    """The backlog of a link whose source is down or not Synced, counted in the log of a Synced node.

    The last read of the source still shows which seqno the replica had reached. Where no other node is
    Synced, the writes of any of them beyond the source count: the source may have failed before them.
    A node that failed while its log was read counts as of the poll before.
    The gap is unknown where a node was followed and cannot be counted from there: it may have written more.
    """
    seqno = source.tail.seqno_at(executed)
    own = outside_stream(seen, direction)
    unread = source.tail.gap_after(executed, own)
    nodes = [polled.get(node.node.id) for node in seen.source_cluster(direction).nodes]
    other_nodes = [other for other in nodes if other is not None and other is not source]
    gaps = [(other, None if seqno is None else other.tail.gap_after_seqno(seqno, own)) for other in other_nodes]
    most = max([unread or 0, *(gap for _, gap in gaps if gap is not None)])
    serving_gaps = [gap for other, gap in gaps if gap is not None and is_serving(other.facts) and other.tells_its_end]
    if serving_gaps:
        return Gap(max(*serving_gaps, unread or 0))
    known = None if seqno is None else source.tail.gap_after_seqno(seqno, own)
    beyond = [_beyond(other, gap, known, seqno) for other, gap in gaps]
    if unread is None or not source.tells_its_end or None in beyond:
        return Gap(None, most)
    return Gap(unread + max((more for more in beyond if more is not None), default=0))


def _beyond(other: Polled, gap: int | None, known: int | None, seqno: int | None) -> int | None:
    """What a neighbour wrote beyond what was read of the source, both counted from one group: DDL has no Xid."""
    if not other.tells_its_end:
        return None
    if gap is not None and known is not None:
        return max(0, gap - known)
    was_read = other.tail.is_followed or other.facts.is_up
    return None if was_read and not other.tail.ends_by(seqno) else 0
