"""What can be accepted of a cluster's servers, what is accepted now, and what was."""

from __future__ import annotations

from typing import Any

from backend.clusters.models import Cluster, ServerAcceptance
from backend.core.dialects import accepted_series
from backend.monitoring.stored_facts import cluster_facts, node_facts
from backend.registration.acceptance import name_of


def acceptance_view(cluster: Cluster) -> dict[str, Any]:
    """What can be accepted by the last poll, what is accepted now, and what was until it ended."""
    rows = list(ServerAcceptance.objects.filter(cluster=cluster).order_by("-accepted_at", "-pk"))
    return {
        "version": cluster.version,
        "acceptable": _acceptable(cluster),
        "current": next((_shown(row) for row in rows if row.open_cluster is not None), None),
        "earlier": [_shown(row) for row in rows if row.open_cluster is None],
    }


def _acceptable(cluster: Cluster) -> dict[str, str] | None:
    """The one family and series of all nodes that responded; None where they differ, or none can be accepted."""
    facts = cluster_facts(cluster, node_facts(cluster.nodes.all()))
    found = {(str(one.flavor), accepted_series(one.flavor, one.version)) for one in facts.nodes if one.is_up}
    if len(found) != 1:
        return None
    ((flavor, series),) = found
    return None if series is None else {"flavor": flavor, "series": series, "name": name_of(flavor, series)}


def _shown(row: ServerAcceptance) -> dict[str, Any]:
    return {
        "flavor": row.flavor,
        "series": row.series,
        "name": name_of(row.flavor, row.series),
        "text": row.text,
        "accepted_by": row.accepted_by,
        "accepted_at": row.accepted_at,
        "ended_by": row.ended_by,
        "ended_at": row.ended_at,
        "end_reason": row.end_reason,
    }
