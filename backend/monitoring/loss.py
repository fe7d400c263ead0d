"""What the monitor last observed on the active side that the standby lacks, and when."""

from __future__ import annotations

from datetime import timedelta
from operator import itemgetter

from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.core.known_groups import AppliedPlace, KnownGroups
from backend.core.link_facts import LinkFacts
from backend.core.plans.failover import ObservedLoss
from backend.core.positions import FilePosition
from backend.core.topology import Direction, Reach
from backend.monitoring.models import LinkStatus, NodeState
from backend.monitoring.recording.link_json import KNOWN_GROUPS

COUNT_LIMIT = timedelta(seconds=15)
"""An older count says nothing of now: no monitor polls."""


def last_seen_of_active(link: Link) -> ObservedLoss:
    """Transactions observed on the active side that the standby lacks, and when it was last read, missed, stopped.

    Its last read is the latest read of any of its nodes; an older count makes the statement as old as the count.
    """
    status = LinkStatus.objects.filter(pk=link.pk).first()
    forward = [c for c in (status.channels if status else ()) if c["direction"] == "forward" and not c["stray"]]
    shown = forward[0] if len(forward) == 1 else {}
    gap, at_least = shown.get("gap_transactions"), shown.get("gap_at_least")
    rows = list(NodeState.objects.filter(node__cluster=link.active_cluster_id))
    readings = [(row.read_at, row.missed_at) for row in rows if row.read_at is not None]
    if not readings:
        return ObservedLoss(gap, None, at_least=at_least)
    read_at, missed_at = max(readings, key=itemgetter(0))
    if status is not None:
        read_at = min(read_at, status.observed_at)
    return ObservedLoss(
        transactions=gap,
        at_least=at_least,
        last_seen_at_s=read_at.timestamp(),
        missed_at_s=None if missed_at is None else missed_at.timestamp(),
        stopped_at_s=_stopped_at_s(rows, link.active_cluster),
    )


def unapplied_behind(link_id: str, executed: FilePosition, place: AppliedPlace | None) -> int | None:
    """Transactions of the lost side that were read and follow what its replica applied; None where none is known.

    Counted at once from the place, in what the monitor stored as read of the lost side's logs. Without a place its own
    last count is taken, if that was for this position.
    """
    status = LinkStatus.objects.filter(pk=link_id).first()
    forward = [c for c in (status.channels if status else ()) if c["direction"] == "forward" and not c["stray"]]
    if len(forward) != 1:
        return None
    if place is not None and (known := forward[0].get(KNOWN_GROUPS)):
        return KnownGroups.from_json(known).after(place)
    if forward[0].get("executed") != str(executed):
        return None
    gap, at_least = forward[0].get("gap_transactions"), forward[0].get("gap_at_least")
    counted = at_least if gap is None else gap
    return None if counted is None else int(counted)


def counted_unapplied(link: Link, seen: LinkFacts) -> dict[Direction, int | None]:
    """Transactions of each direction that its replica had not applied at the monitor's last poll; None where unknown.

    A count of another channel than the one that is seen now says nothing of it.
    """
    status = LinkStatus.objects.filter(pk=link.pk).first()
    if status is None or timezone.now() - status.observed_at > COUNT_LIMIT:
        return {}
    counts: dict[Direction, int | None] = {}
    for direction in Direction:
        shown = [c for c in status.channels if c["direction"] == direction.value and not c["stray"]]
        held = {(holder.source.id, holder.replica.node.id) for holder in seen.holders(direction)}
        is_same = len(shown) == 1 and (shown[0]["source_node"], shown[0]["replica_node"]) in held
        counts[direction] = shown[0]["gap_transactions"] if is_same else None
    return counts


def _stopped_at_s(rows: list[NodeState], cluster: Cluster) -> float | None:
    """Since when every node's port is closed; None while one may still write: a timeout is no proof."""
    if len(rows) < cluster.nodes.count() or any(row.reach != Reach.DOWN.value for row in rows):
        return None
    return max(row.since for row in rows).timestamp()
