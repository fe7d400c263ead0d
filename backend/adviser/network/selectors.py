"""Measurements as the API returns them, the verdict on the recent ones, and what the nodes say by SQL."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import timezone

from backend.adviser.network.models import NetworkMeasurement
from backend.adviser.network.script import hawser_network_probe
from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import link_access
from backend.core.adviser.network import evidence
from backend.core.adviser.network.measurement import PROBE, Measurement
from backend.core.adviser.network.verdict import Demand, judge
from backend.gateway.path_facts import read_paths

RECENT = timedelta(days=30)
"""An older measurement is shown, and the verdict does not rest on it."""
SHOWN = 50


@cache
def script() -> bytes:
    """The script as hosts download it."""
    return Path(hawser_network_probe.__file__).read_bytes()


def network_view(link: Link, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The newest measurements of a link, and the verdict on the recent ones."""
    rows = list(
        NetworkMeasurement.objects.filter(link=link, tool=PROBE)
        .select_related("from_node", "to_node")
        .order_by("-measured_at", "-pk")[:SHOWN]
    )
    recent = [row for row in rows if row.measured_at > timezone.now() - RECENT]
    demand = Demand(asked["max_commit_ms"], asked.get("peak_write_mbit_s"), _remote_nodes(link))
    verdict = judge(evidence.evidence_of(_path(row, link) for row in recent), demand)
    return {
        "verdict": {
            "kind": verdict.kind.value,
            "sentence": verdict.sentence,
            "reasons": [
                {"code": reason.code, "effect": reason.effect.value, "sentence": reason.sentence}
                for reason in verdict.reasons
            ],
            "rests_on": len(recent),
            "unsigned": sum(not row.is_signed for row in recent),
            "max_commit_ms": demand.max_commit_ms,
            "peak_write_mbit_s": demand.peak_write_mbit_s,
            "remote_nodes": demand.remote_nodes,
        },
        "measurements": [measurement_view(row) for row in rows],
        "script": {"sha256": hashlib.sha256(script()).hexdigest(), "bytes": len(script())},
    }


def measurement_view(row: NetworkMeasurement) -> dict[str, Any]:
    """One measurement."""
    return {
        **row.figures,
        "id": row.id,
        "from_node_id": row.from_node_id,
        "from_node": row.from_node.name,
        "to_node_id": row.to_node_id,
        "to_node": row.to_node.name,
        "is_signed": row.is_signed,
        "is_recent": row.measured_at > timezone.now() - RECENT,
        "actor": row.actor,
        "measured_at": row.measured_at,
        "stored_at": row.stored_at,
    }


def sql_view(link: Link) -> dict[str, Any]:
    """What each node says now; the console asks all of them."""
    access = link_access(link)
    clusters = (access.active, access.standby)
    found = read_paths([node for cluster in clusters for node in cluster.nodes])
    nodes = []
    for cluster in clusters:
        for node in cluster.nodes:
            path = found[node.ref.id]
            network = asdict(path.network) if path.network else dict.fromkeys(_UNKNOWN)
            nodes.append(
                {
                    "node_id": node.ref.id,
                    "node": node.ref.name,
                    "cluster": cluster.name,
                    "console_round_trip_ms": path.round_trip_ms,
                    "error": path.error,
                    **network,
                }
            )
    return {"read_at": timezone.now(), "nodes": nodes}


_UNKNOWN = ("group_latency", "delayed", "cluster_size")


def _path(row: NetworkMeasurement, link: Link) -> evidence.Path:
    first = min(link.active_cluster_id, link.standby_cluster_id)
    return evidence.Path(Measurement.of_data(row.figures), forward=row.from_node.cluster_id == first)


def _remote_nodes(link: Link) -> int:
    def count(cluster: Cluster) -> int:
        return len(cluster.nodes.all())

    return max(1, count(link.active_cluster), count(link.standby_cluster))
