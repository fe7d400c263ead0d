"""Detects channels that read from another server than before without having been pointed there, and those pointed anew.

Behind a proxy or a virtual address only the server_id of the source changes; file and offset stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace

from backend.common.events import services as events
from backend.core.facts.channel_ends import ForeignChannel, foreign_channels
from backend.core.facts.log_continuity import is_pointed_anew, is_same_log, server_changed, with_known_source
from backend.core.facts.serialization import channel_from_json, channel_to_json
from backend.core.link_facts import LinkFacts, LogBreak
from backend.core.topology import ChannelFacts, Direction
from backend.monitoring.models import ChannelRecord, OtherSource
from backend.monitoring.recording.log_watch import keep_break


def update_breaks(seen: LinkFacts, records: Iterable[ChannelRecord]) -> bool:
    """Store what changed of the links' channels, also in their rows; whether anything did."""
    changed = [row for row in records if _update(seen, row)]
    return bool(changed)


def _update(seen: LinkFacts, row: ChannelRecord) -> bool:
    before, now = channel_from_json(row.channel), _held(seen, row)
    if now is None:
        return False
    if row.log_break is not None:
        if not is_pointed_anew(before, now):
            return False
        row.log_break = None
        ChannelRecord.objects.filter(pk=row.pk).update(log_break=None)
        return True
    recorded, source = seen.recorded_channel(Direction(row.direction)), seen.node(row.source_node_id)
    same_id = source.server_id if recorded is not None and is_same_log(recorded, source) else None
    other = server_changed(before, now, seen.node(row.replica_node_id).node.name, same_id)
    if other is None:
        return False
    uuid = recorded.log.state_uuid if recorded is not None and recorded.log is not None else ""
    keep_break(row, other, uuid, seen.node(row.replica_node_id).observed_at_s, source.clock_offset_s or 0.0)
    return True


def _held(seen: LinkFacts, row: ChannelRecord) -> ChannelFacts | None:
    """The recorded channel as its node shows it now, wherever it reads from."""
    replica = seen.node(row.replica_node_id)
    return replica.channel(row.channel["name"]) if replica.is_up else None


def watch_others(seen: LinkFacts, link_id: str) -> LinkFacts:
    """The link with what is stored of its channels from addresses of no node of the other side, stored on first.

    They are no channel of a direction and have no record of one. Behind a virtual address the server may change while
    the console is down, so that what answered last is kept.
    """
    found = foreign_channels(seen)
    if not found:
        return seen
    stored = OtherSource.objects.filter(node__in={one.replica.node.id for one in found})
    rows = {(row.node_id, row.channel_name): row for row in stored}
    for one in found:
        key = one.replica.node.id, one.channel.name
        rows[key] = _watched(one, rows.get(key), link_id)
    return replace(seen, other_breaks={k: LogBreak(**row.log_break) for k, row in rows.items() if row.log_break})


def _watched(one: ForeignChannel, row: OtherSource | None, link_id: str) -> OtherSource:
    now, node = one.channel, one.replica.node
    if row is None:  # another link's monitor may store it at the same moment
        named = {"node_id": node.id, "channel_name": now.name}
        return OtherSource.objects.get_or_create(**named, defaults={"channel": channel_to_json(now)})[0]
    before = channel_from_json(row.channel)
    if is_pointed_anew(before, now):
        row.log_break = None
    elif row.log_break is None and (other := server_changed(before, now, node.name, None)) is not None:
        row.log_break = asdict(LogBreak(other.code, other.sentence, one.replica.observed_at_s, facts=other.facts))
        events.raised(
            link_id=link_id,
            kind="channel.not_continuous",
            severity="blocker",
            message=f"{other.sentence}. It is not proven that this channel continues without a gap.",
        )
    kept = with_known_source(before, now)
    if _place(kept) != _place(before):
        row.channel = channel_to_json(kept)
        row.save()
    return row


def _place(channel: ChannelFacts) -> tuple[object, ...]:
    """What tells whether it was pointed anew, and who answered; within a file its position is of no matter."""
    return channel.source_address, channel.source_server_id, channel.relay_file, channel.exec_file
