"""Maintenances as the API shows them."""

from __future__ import annotations

from django.utils import timezone

from backend.adviser.maintenance import outputs
from backend.adviser.maintenance.absence import time_shown
from backend.clusters.models import Cluster
from backend.common.rest.outputs import filled
from backend.core.adviser.node_absence.forecast import Time
from backend.core.adviser.node_absence.maintenance import Stage
from backend.monitoring.models import NodeMaintenance
from backend.monitoring.write_sets.absence import cluster_absences, known_rate

NEWEST = 20


def maintenances_of(cluster: Cluster) -> outputs.NodeMaintenanceList:
    """The newest ones of a cluster, with the time that is left of an open one."""
    rows = list(
        NodeMaintenance.objects.filter(cluster=cluster)
        .select_related("node", "donor", "link")
        .order_by("-opened_at")[:NEWEST]
    )
    times = _times(cluster) if any(row.stage in _WATCHED for row in rows) else {}
    return outputs.NodeMaintenanceList(tuple(maintenance_view(row, times.get(row.node_id)) for row in rows))


_WATCHED = (Stage.WAITING_STOP.value, Stage.AWAY.value)


def _times(cluster: Cluster) -> dict[str, Time]:
    found = cluster_absences(cluster, timezone.now())
    window, _ = known_rate(found.rates)
    return {one.node.node.id: one.times[window] for one in found.nodes}


def maintenance_view(row: NodeMaintenance, time: Time | None = None) -> outputs.NodeMaintenance:
    """One maintenance."""
    return filled(
        outputs.NodeMaintenance,
        row,
        link_name=row.link.name,
        node_name=row.node.name,
        donor_name=row.donor.name,
        result=row.result or None,
        ended_by=row.ended_by or None,
        time_left=_time_left(row, time),
    )


def _time_left(row: NodeMaintenance, time: Time | None) -> outputs.TimeLeft | None:
    """Until the node needs an SST; None where nothing waits for it, or its donor keeps what it is missing."""
    if row.stage not in _WATCHED or time is None or row.freeze_seqno is not None:
        return None
    return outputs.TimeLeft(*time_shown(time))
