"""Detects channels whose source's binary log was reset while they were connected (RESET MASTER).

A connected channel shows no error then, and its position remains that in the old log: it resumes once the new log has
grown past that position, and what was written before it never arrives (docs/evidence/measured-facts.md). A channel
that was repointed since is before that position, has another source, or has a new relay log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backend.core.facts.serialization import channel_from_json
from backend.core.link_facts import LinkFacts
from backend.core.positions import FilePosition
from backend.core.topology import ChannelFacts, Direction
from backend.gateway.polling.pollers import Polled
from backend.monitoring.models import ChannelRecord
from backend.monitoring.times import from_unix


def channels_waiting(
    records: Iterable[ChannelRecord], seen: LinkFacts, polled: Mapping[str, Polled]
) -> dict[Direction, FilePosition]:
    """The position for which each such channel waits, by direction; stored with the channel's record."""
    found = {}
    for row in records:
        before = row.waits_for_position
        recorded = channel_from_json(row.channel)
        if not before and recorded.exec_position is not None and _began_anew(row, polled):
            row.waits_for_position = str(recorded.exec_position)
        if row.waits_for_position and _has_gone_elsewhere(row, recorded, seen):
            row.waits_for_position = ""
        if row.waits_for_position != before:
            _keep(row)
        if row.waits_for_position:
            found[Direction(row.direction)] = FilePosition.parse(row.waits_for_position)
    return found


def _keep(row: ChannelRecord) -> None:
    """Store the position unless a run has repointed the channel during this tick."""
    same = ChannelRecord.objects.filter(pk=row.pk, source_node=row.source_node_id, observed_at=row.observed_at)
    same.update(waits_for_position=row.waits_for_position)


def _began_anew(row: ChannelRecord, polled: Mapping[str, Polled]) -> bool:
    """Whether the source's first poll after the record found its log shorter than before."""
    source = polled.get(row.source_node_id)
    if source is None or not source.facts.is_up:
        return False
    return source.tail.began_anew and from_unix(source.facts.observed_at_s) > row.observed_at


def _has_gone_elsewhere(row: ChannelRecord, recorded: ChannelFacts, seen: LinkFacts) -> bool:
    replica = seen.node(row.replica_node_id)
    if not replica.is_up or replica.channels is None:
        return False
    holders = [h for h in seen.holders(Direction(row.direction)) if h.replica.node.id == row.replica_node_id]
    same = [h.channel for h in holders if h.source.id == row.source_node_id]
    return not any(_still_waits(channel, recorded, row.waits_for_position) for channel in same)


def _still_waits(channel: ChannelFacts, recorded: ChannelFacts, position: str) -> bool:
    """Whether a channel still waits. By GTID a new connection gets what is missing; CHANGE MASTER resets relay logs."""
    if channel.using_gtid != "No" and channel.io_running != "Yes":
        return False
    if _number(channel.relay_file) < _number(recorded.relay_file):
        return False
    executed, before = channel.exec_position, FilePosition.parse(position)
    return executed is not None and executed.base == before.base and executed >= before


def _number(relay_file: str) -> int:
    number = relay_file.rpartition(".")[2]
    return int(number) if number.isdigit() else 0
