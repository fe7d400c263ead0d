"""Measurements as the API returns them, the verdict on the recent ones, and what the nodes say by SQL."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import timezone

from backend.adviser.network import outputs
from backend.adviser.network.models import NetworkMeasurement
from backend.adviser.network.outputs import (
    Network,
    NetworkGroupLatency,
    NetworkNode,
    NetworkScript,
    NetworkSql,
    NetworkVerdict,
)
from backend.adviser.network.script import hawser_network_probe
from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import link_access
from backend.common.rest.outputs import filled
from backend.core.adviser.network import evidence
from backend.core.adviser.network.measurement import PROBE, Measurement
from backend.core.adviser.network.sql_facts import NodeNetwork
from backend.core.adviser.network.verdict import Demand, judge
from backend.core.topology import NodeRef
from backend.gateway.path_facts import NodePath, read_paths

RECENT = timedelta(days=30)
"""An older measurement is shown, and the verdict does not rest on it."""
SHOWN = 50


@cache
def script() -> bytes:
    """The script as hosts download it."""
    return Path(hawser_network_probe.__file__).read_bytes()


def network_view(link: Link, asked: Mapping[str, Any]) -> Network:
    """The newest measurements of a link, and the verdict on the recent ones."""
    rows = list(
        NetworkMeasurement.objects.filter(link=link, tool=PROBE)
        .select_related("from_node", "to_node")
        .order_by("-measured_at", "-pk")[:SHOWN]
    )
    recent = [row for row in rows if _is_recent(row)]
    demand = Demand(asked["max_commit_ms"], asked.get("peak_write_mbit_s"), _remote_nodes(link))
    verdict = judge(evidence.evidence_of(_path(row, link) for row in recent), demand)
    unsigned = sum(not row.is_signed for row in recent)
    return Network(
        filled(NetworkVerdict, verdict, demand, rests_on=len(recent), unsigned=unsigned),
        tuple(map(measurement_view, rows)),
        NetworkScript(hashlib.sha256(script()).hexdigest(), len(script())),
    )


def measurement_view(row: NetworkMeasurement) -> outputs.NetworkMeasurement:
    """One measurement."""
    return filled(
        outputs.NetworkMeasurement,
        Measurement.of_data(row.figures),
        row,
        from_node=row.from_node.name,
        to_node=row.to_node.name,
        is_recent=_is_recent(row),
    )


def _is_recent(row: NetworkMeasurement) -> bool:
    return row.measured_at > timezone.now() - RECENT


def sql_view(link: Link) -> NetworkSql:
    """What each node says now; the console asks all of them."""
    access = link_access(link)
    nodes = [(cluster.name, node) for cluster in (access.active, access.standby) for node in cluster.nodes]
    found = read_paths([node for _, node in nodes])
    return NetworkSql(timezone.now(), tuple(_node(cluster, node.ref, found[node.ref.id]) for cluster, node in nodes))


def _node(cluster: str, ref: NodeRef, path: NodePath) -> NetworkNode:
    network = path.network or NodeNetwork()
    latency = None if network.group_latency is None else filled(NetworkGroupLatency, network.group_latency)
    return NetworkNode(
        ref.id, ref.name, cluster, path.round_trip_ms, latency, network.delayed, network.cluster_size, path.error
    )


def _path(row: NetworkMeasurement, link: Link) -> evidence.Path:
    first = min(link.active_cluster_id, link.standby_cluster_id)
    return evidence.Path(Measurement.of_data(row.figures), forward=row.from_node.cluster_id == first)


def _remote_nodes(link: Link) -> int:
    def count(cluster: Cluster) -> int:
        return len(cluster.nodes.all())

    return max(1, count(link.active_cluster), count(link.standby_cluster))
