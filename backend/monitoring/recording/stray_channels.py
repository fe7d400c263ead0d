"""Channels that stand beside the one on record: pointed by a run, left on a dead node, or a second one.

A server starts such a channel by itself when it comes up again. Seen alone, because the holder on record has just
died, it would pass for the channel moved by hand, and the one that a run set up for its left-over.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from backend.clusters.models import Link
from backend.common.transaction_retry import retry_on_rollback
from backend.core.link_facts import LinkFacts
from backend.core.topology import Direction, NodeFacts
from backend.monitoring.models import CleanupDue, StrayChannel
from backend.monitoring.times import from_unix

_UNDERWAY = timedelta(seconds=60)
"""So long a statement may take from its intent until its channel is seen."""


@retry_on_rollback
def mark_stray(*, link_id: str, node_id: str, channel_name: str, run_id: str = "") -> None:
    """A run points it now, or its node left the record without having been seen to forget it."""
    StrayChannel.objects.update_or_create(
        link_id=link_id,
        node_id=node_id,
        defaults={"channel_name": channel_name, "run_id": run_id, "seen_at": timezone.now()},
    )


@retry_on_rollback
def clear_stray(*, link_id: str, node_id: str) -> None:
    """A run has cleaned it."""
    StrayChannel.objects.filter(link_id=link_id, node_id=node_id).delete()


def update_due(link: Link, seen: LinkFacts) -> bool:
    """Such a channel that runs since its server came up is to be cleaned; whether there is one that was not yet."""
    found = [(one, direction) for one in StrayChannel.objects.filter(link=link) for direction in _of_itself(one, seen)]
    for one, direction in found:
        CleanupDue.objects.update_or_create(
            link=link,
            node_id=one.node_id,
            direction=direction.value,
            defaults={"channel_name": one.channel_name, "run_id": one.run_id},
        )
        one.delete()
    return bool(found)


def update_strays(link: Link, seen: LinkFacts) -> None:
    """Marks of what stands beside the record as it is now; none of what is gone, or is on record and runs."""
    standing, on_record = _standing(seen), _on_record(seen)
    marked = {one.node_id: one for one in StrayChannel.objects.filter(link=link)}
    for node_id, (name, seen_at_s) in standing.items():
        if node_id not in marked:
            StrayChannel.objects.create(link=link, node_id=node_id, channel_name=name, seen_at=from_unix(seen_at_s))
    for node_id, one in marked.items():
        if node_id in on_record or (node_id not in standing and _is_gone(one, seen.node(node_id))):
            one.delete()


def _standing(seen: LinkFacts) -> dict[str, tuple[str, float]]:
    """By node: name of the channel beside the record, and when it was seen; those to be cleaned anyhow left out."""
    return {
        holder.replica.node.id: (holder.channel.name, holder.replica.observed_at_s)
        for record in seen.recorded
        for holder in seen.holders(record.direction)
        if holder.replica.node.id not in {record.replica_node_id, *record.left_on}
    }


def _on_record(seen: LinkFacts) -> set[str]:
    return {
        holder.replica.node.id
        for record in seen.recorded
        for holder in seen.holders(record.direction)
        if holder.replica.node.id == record.replica_node_id and holder.channel.is_running
    }


def _is_gone(one: StrayChannel, node: NodeFacts) -> bool:
    """Whether its node can be read and holds no channel, nor will by a statement that is under way."""
    is_empty = node.is_up and node.channels is not None and not node.channels
    return is_empty and from_unix(node.observed_at_s) - one.seen_at > _UNDERWAY


def _of_itself(one: StrayChannel, seen: LinkFacts) -> list[Direction]:
    """The direction it carries, where it began to by itself and is not the one on record."""
    return [
        direction
        for direction in Direction
        for holder in seen.holders(direction)
        if holder.replica.node.id == one.node_id
        and holder.channel.is_running
        and (recorded := seen.recorded_channel(direction)) is not None
        and recorded.replica_node_id != one.node_id
        and _was_started_since(one, holder.replica)
    ]


def _was_started_since(one: StrayChannel, node: NodeFacts) -> bool:
    return node.uptime_s is None or from_unix(node.observed_at_s - node.uptime_s) >= one.seen_at
