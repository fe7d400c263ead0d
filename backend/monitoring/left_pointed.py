"""Channels that a run pointed and nobody has started since.

A server starts such a channel by itself when it comes up again. Seen alone, because the holder on record has just
died, it would pass for the channel moved by hand, and the one that a run set up for its left-over.
"""

from __future__ import annotations

from django.utils import timezone

from backend.clusters.models import Link
from backend.common.restart import restarting
from backend.core.topology import Direction, LinkFacts, NodeFacts
from backend.monitoring.models import CleaningDue, LeftPointed
from backend.monitoring.times import at


@restarting
def mark(*, link_id: str, node_id: str, channel_name: str, run_id: str) -> None:
    """A run has pointed it just now."""
    LeftPointed.objects.update_or_create(
        link_id=link_id,
        node_id=node_id,
        defaults={"channel_name": channel_name, "run_id": run_id, "pointed_at": timezone.now()},
    )


@restarting
def forget(*, link_id: str, node_id: str) -> None:
    """A run has started or cleaned it."""
    LeftPointed.objects.filter(link_id=link_id, node_id=node_id).delete()


def keep_due(link: Link, seen: LinkFacts) -> bool:
    """Such a channel that runs since its server came up is to be cleaned; whether there is one that was not yet."""
    found = [(one, direction) for one in LeftPointed.objects.filter(link=link) for direction in _of_itself(one, seen)]
    for one, direction in found:
        CleaningDue.objects.update_or_create(
            link=link,
            node_id=one.node_id,
            direction=direction.value,
            defaults={"channel_name": one.channel_name, "run_id": one.run_id},
        )
        one.delete()
    return bool(found)


def _of_itself(one: LeftPointed, seen: LinkFacts) -> list[Direction]:
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


def _was_started_since(one: LeftPointed, node: NodeFacts) -> bool:
    return node.uptime_s is None or at(node.observed_at_s - node.uptime_s) >= one.pointed_at
