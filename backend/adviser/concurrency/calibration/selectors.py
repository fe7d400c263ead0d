"""Calibrations as the API returns them."""

from __future__ import annotations

from typing import TypeVar

from backend.adviser.concurrency.calibration import outputs
from backend.adviser.concurrency.calibration.models import Calibration, Kind
from backend.clusters.models import Cluster, Link
from backend.common.rest.outputs import filled

T = TypeVar("T", outputs.Calibration, outputs.Heartbeat)
SHOWN = 10
_NEVER = "A heartbeat over this link was never measured. Nothing is written for it until an operator asks."


def cluster_view(cluster: Cluster) -> outputs.Calibrations:
    """The newest calibrations of a cluster's commits."""
    rows = Calibration.objects.filter(cluster=cluster, kind=Kind.COMMITS).select_related("node")
    newest = rows.order_by("-started_at", "-pk")[:SHOWN]
    return outputs.Calibrations(tuple(shown(outputs.Calibration, row) for row in newest))


def link_view(link: Link) -> outputs.LinkHeartbeat:
    """The newest heartbeat that was measured over a link, from the side that is active now."""
    rows = Calibration.objects.filter(link=link, cluster=link.active_cluster_id, kind=Kind.HEARTBEAT)
    row = rows.select_related("node").order_by("-started_at", "-pk").first()
    return (
        outputs.LinkHeartbeat(None, _NEVER) if row is None else outputs.LinkHeartbeat(shown(outputs.Heartbeat, row), "")
    )


def shown(output: type[T], row: Calibration) -> T:
    """One measurement, with its settings and its result as they are stored."""
    return filled(output, row, node=row.node.name)
