"""Tracks stray channels besides the recorded one: created by a run, left on a failed node, or a second one.

A server starts such a channel automatically when it starts. If it were the only one observed, because the recorded
holder has just failed, it would be taken for a channel moved by hand, and the one that a run set up for a stray one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from backend.clusters.models import Link
from backend.common.transaction_retry import retry_on_rollback
from backend.core.link_facts import LinkFacts
from backend.core.topology import Direction, NodeFacts
from backend.monitoring.models import CleanupDue, StrayChannel
from backend.monitoring.times import from_unix

_UNDERWAY = timedelta(seconds=60)
"""The maximum time from a statement's intent until its channel is observed."""


@retry_on_rollback
def mark_stray(*, link_id: str, node_id: str, channel_name: str, run_id: str = "") -> None:
    """Mark a channel that a run is creating, or whose node left the record without a confirmed removal."""
    StrayChannel.objects.update_or_create(
        link_id=link_id,
        node_id=node_id,
        defaults={"channel_name": channel_name, "run_id": run_id, "seen_at": timezone.now()},
    )


@retry_on_rollback
def clear_stray(*, link_id: str, node_id: str) -> None:
    """Clear the mark of a channel that a run removed."""
    StrayChannel.objects.filter(link_id=link_id, node_id=node_id).delete()


def update_due(link: Link, seen: LinkFacts, marked: Sequence[StrayChannel]) -> bool:
    """Record a cleanup for each stray channel that runs since its server started; True where one is new."""
    found = [(one, direction) for one in marked for direction in _of_itself(one, seen)]
    for one, direction in found:
        CleanupDue.objects.update_or_create(
            link=link,
            node_id=one.node_id,
            direction=direction.value,
            defaults={"channel_name": one.channel_name, "run_id": one.run_id},
        )
        one.delete()
    return bool(found)


def update_strays(link: Link, seen: LinkFacts, rows: Sequence[StrayChannel]) -> None:
    """Update the marks to the current stray channels; removed ones and running recorded ones lose theirs."""
    standing, on_record = _standing(seen), _on_record(seen)
    marked = {one.node_id: one for one in rows}
    for node_id, (name, seen_at_s) in standing.items():
        if node_id not in marked:
            StrayChannel.objects.create(link=link, node_id=node_id, channel_name=name, seen_at=from_unix(seen_at_s))
    for node_id, one in marked.items():
        if node_id in on_record or (node_id not in standing and _is_gone(one, seen.node(node_id))):
            one.delete()


def _standing(seen: LinkFacts) -> dict[str, tuple[str, float]]:
    """By node: name of the stray channel and when it was observed, without those with a recorded cleanup."""
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
    """Whether its node can be read and has no channel, nor will have one by a running statement."""
    is_empty = node.is_up and node.channels is not None and not node.channels
    return is_empty and from_unix(node.observed_at_s) - one.seen_at > _UNDERWAY


def _of_itself(one: StrayChannel, seen: LinkFacts) -> list[Direction]:
    """The directions that it replicates after an automatic start while another channel is recorded."""
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
