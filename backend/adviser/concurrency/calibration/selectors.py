"""Calibrations as the API returns them."""

from __future__ import annotations

from typing import Any

from backend.adviser.concurrency.calibration.models import Calibration, Kind
from backend.clusters.models import Cluster, Link

SHOWN = 10
_NEVER = "A heartbeat over this link was never measured. Nothing is written for it until an operator asks."


def cluster_view(cluster: Cluster) -> dict[str, Any]:
    """The newest calibrations of a cluster's commits."""
    rows = Calibration.objects.filter(cluster=cluster, kind=Kind.COMMITS).select_related("node")
    return {"results": [calibration_view(row) for row in rows.order_by("-started_at", "-pk")[:SHOWN]]}


def link_view(link: Link) -> dict[str, Any]:
    """The newest heartbeat that was measured over a link, from the side that is active now."""
    rows = Calibration.objects.filter(link=link, cluster=link.active_cluster_id, kind=Kind.HEARTBEAT)
    row = rows.select_related("node").order_by("-started_at", "-pk").first()
    return {"newest": None if row is None else calibration_view(row), "reason": _NEVER if row is None else ""}


def calibration_view(row: Calibration) -> dict[str, Any]:
    """One calibration."""
    names = ("id", "cluster_id", "link_id", "node_id", "actor", "reason", "state", "stop_code", "sentence")
    times = ("settings", "result", "started_at", "ended_at")
    return {**{name: getattr(row, name) for name in (*names, *times)}, "node": row.node.name}
