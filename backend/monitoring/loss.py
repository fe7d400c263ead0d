"""What the monitor last observed on the active side that the standby lacks, and when."""

from __future__ import annotations

from operator import itemgetter

from backend.clusters.models import Cluster, Link
from backend.core.plans.failover import ObservedLoss
from backend.core.positions import FilePosition
from backend.core.topology import Reach
from backend.monitoring.models import LinkStatus, NodeState


def last_seen_of_active(link: Link) -> ObservedLoss:
    """Transactions observed on the active side that the standby lacks, and when it was last read, missed, stopped.

    Its last read is the latest read of any of its nodes; an older count makes the statement as old as the count.
    """
    status = LinkStatus.objects.filter(pk=link.pk).first()
    forward = [c for c in (status.channels if status else ()) if c["direction"] == "forward" and not c["stray"]]
    shown = forward[0] if len(forward) == 1 else {}
    gap, at_least = shown.get("gap_transactions"), shown.get("gap_at_least", 0)
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


def unapplied_behind(link_id: str, executed: FilePosition) -> int | None:
    """Transactions after the forward channel's position; None where the last count was for another position.

    The tails of a lost side's logs remain in the monitor's memory, so it still counts while the relay log is applied.
    """
    status = LinkStatus.objects.filter(pk=link_id).first()
    forward = [c for c in (status.channels if status else ()) if c["direction"] == "forward" and not c["stray"]]
    if len(forward) != 1 or forward[0].get("executed") != str(executed):
        return None
    gap = forward[0].get("gap_transactions")
    return None if gap is None else int(gap)


def _stopped_at_s(rows: list[NodeState], cluster: Cluster) -> float | None:
    """Since when every node's port is closed; None while one may still write: a timeout is no proof."""
    if len(rows) < cluster.nodes.count() or any(row.reach != Reach.DOWN.value for row in rows):
        return None
    return max(row.since for row in rows).timestamp()
