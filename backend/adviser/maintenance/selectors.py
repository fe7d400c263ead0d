"""Maintenances as the API shows them."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from backend.clusters.models import Cluster
from backend.core.adviser.node_absence.forecast import Time, Unlimited
from backend.core.adviser.node_absence.maintenance import Stage
from backend.core.estimates import Unknown
from backend.monitoring.models import NodeMaintenance
from backend.monitoring.write_sets.absence import cluster_absences, known_rate

NEWEST = 20


def maintenances_of(cluster: Cluster) -> list[dict[str, Any]]:
    """The newest ones of a cluster, with the time that is left of an open one."""
    rows = list(
        NodeMaintenance.objects.filter(cluster=cluster)
        .select_related("node", "donor", "link")
        .order_by("-opened_at")[:NEWEST]
    )
    times = _times(cluster) if any(row.stage in _WATCHED for row in rows) else {}
    return [maintenance_view(row, times.get(row.node_id)) for row in rows]


_WATCHED = (Stage.WAITING_STOP.value, Stage.AWAY.value)


def _times(cluster: Cluster) -> dict[str, Time]:
    found = cluster_absences(cluster, timezone.now())
    window, _ = known_rate(found.rates)
    return {one.node.node.id: one.times[window] for one in found.nodes}


def maintenance_view(row: NodeMaintenance, time: Time | None = None) -> dict[str, Any]:
    """One maintenance."""
    return {
        "id": row.id,
        "link_id": row.link_id,
        "link_name": row.link.name,
        "run_id": row.run_id,
        "node_id": row.node_id,
        "node_name": row.node.name,
        "donor_id": row.donor_id,
        "donor_name": row.donor.name,
        "stage": row.stage,
        "result": row.result or None,
        "sentence": row.sentence,
        "opened_by": row.opened_by,
        "opened_at": row.opened_at,
        "allowed_at": row.allowed_at,
        "until": row.until,
        "left_at": row.left_at,
        "returned_at": row.returned_at,
        "ended_at": row.ended_at,
        "ended_by": row.ended_by or None,
        "freeze_seqno": row.freeze_seqno,
        "unfrozen_at": row.unfrozen_at,
        "unfreeze_error": row.unfreeze_error,
        "time_left": _time_left(row, time),
    }


def _time_left(row: NodeMaintenance, time: Time | None) -> dict[str, Any] | None:
    """Until the node needs an SST; None where nothing waits for it, or its donor keeps what it is missing."""
    if row.stage not in _WATCHED or time is None or row.freeze_seqno is not None:
        return None
    if isinstance(time, Unknown | Unlimited):
        state = "unknown" if isinstance(time, Unknown) else "unlimited"
        return {"state": state, "seconds": None, "reason": time.reason}
    return {"state": "known", "seconds": round(time, 1), "reason": ""}
