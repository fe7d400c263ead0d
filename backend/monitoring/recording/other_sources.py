"""Detects channels that read from another server than before without having been pointed there, and those pointed anew.

Behind a proxy or a virtual address only the server_id of the source changes; file and offset stay.
"""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.facts.log_continuity import is_pointed_anew, is_same_log, server_changed
from backend.core.facts.serialization import channel_from_json
from backend.core.link_facts import LinkFacts
from backend.core.topology import ChannelFacts, Direction
from backend.monitoring.models import ChannelRecord
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
