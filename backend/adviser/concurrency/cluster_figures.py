"""What a running cluster says of its distance, with the model's answers, as the API returns it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.utils import timezone

from backend.adviser.concurrency.figures import rate_shown
from backend.clusters.models import Cluster
from backend.clusters.selectors import cluster_access
from backend.core.adviser.concurrency.model import MEASURED_WRITERS, Range
from backend.core.adviser.concurrency.running import (
    LEAST_RATE,
    Answers,
    NodeFigures,
    Written,
    distance,
    farthest,
    figures,
)
from backend.core.adviser.concurrency.write_sets import WriteSetCost
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.adviser.node_absence.rates import Rate, Window, longest_counted, rates_of
from backend.core.estimates import Unknown
from backend.gateway.configuration import read_configurations
from backend.monitoring.write_sets.readings import hour_of_all

Shown = dict[str, Any]


def cluster_concurrency(cluster: Cluster) -> Shown:
    """All nodes are asked at once; the write rate is that of the monitor's readings."""
    nodes = cluster_access(cluster).nodes
    read = read_configurations(nodes)
    at = timezone.now()
    rate = _rate([node.ref.id for node in nodes], at)
    written = rate if isinstance(rate, Unknown) else Written(rate.write_sets_per_s, rate.average_bytes)
    found = [figures(node, written) for node in read]
    return {
        "cluster_id": cluster.id,
        "cluster_name": cluster.name,
        "read_at": at,
        "registered": len(found),
        "written": _written(rate),
        "measured_writers": MEASURED_WRITERS,
        "nodes": [_node(one) for one in found],
        "given": _given(farthest(found), written),
    }


def _rate(node_ids: list[str], now: datetime) -> Rate | Unknown:
    """Each synced member counts all write-sets of its cluster: the one that was counted for longest is taken."""
    readings = hour_of_all(now)
    longest = longest_counted([readings[one] for one in node_ids if one in readings], now.timestamp())
    return rates_of(longest, now.timestamp())[Window.HOUR]


def _written(rate: Rate | Unknown) -> Shown:
    if isinstance(rate, Unknown):
        reason = f"{rate.reason} Read again when the monitor has counted for ten minutes."
        return {"commits_per_s": None, "average_bytes": None, "counted_s": None, "reason": reason}
    return {
        "commits_per_s": round(rate.write_sets_per_s, 3),
        "average_bytes": None if rate.average_bytes is None else round(rate.average_bytes),
        "counted_s": round(rate.covered_s),
        "reason": "",
    }


def _node(found: NodeFigures) -> Shown:
    latency, window = found.latency, found.send_window
    return {
        "node_id": found.node.node_id,
        "node": found.node.name,
        "members": found.members,
        "latency": asdict(latency) if isinstance(latency, GroupLatency) else None,
        "latency_reason": _reason(latency),
        "send_window": None if isinstance(window, Unknown) else window,
        "send_window_reason": _reason(window),
        "answers": None if isinstance(found.answers, Unknown) else _answers(found.answers),
        "answers_reason": _reason(found.answers),
    }


def _answers(found: Answers) -> Shown:
    needed = found.needed
    return {
        "rates": [rate_shown(writers, rate) for writers, rate in found.rates],
        "writers_needed": None if isinstance(needed, Unknown) else {"low": int(needed.low), "high": int(needed.high)},
        "writers_reason": _reason(needed) or _beyond(needed),
        "average": _cost(found.average),
        "largest": _cost(found.largest),
    }


def _beyond(needed: Range | Unknown) -> str:
    is_beyond = isinstance(needed, Range) and needed.high > MEASURED_WRITERS
    return f"More than {MEASURED_WRITERS} writers were not measured." if is_beyond else ""


def _cost(found: WriteSetCost | Unknown) -> Shown:
    if isinstance(found, Unknown):
        unknown = dict.fromkeys(("size_bytes", "fragments", "round_trips", "low_ms", "high_ms"))
        return {**unknown, "reason": found.reason}
    return {
        "size_bytes": found.size_bytes,
        "fragments": found.fragments,
        "round_trips": round(found.round_trips, 2),
        "low_ms": round(found.ms.low, 1),
        "high_ms": round(found.ms.high, 1),
        "reason": "",
    }


def _given(source: NodeFigures | None, written: Written | Unknown) -> Shown:
    """Two sites, each half of the fastest delivery away: it does not distinguish more sites."""
    latency = None if source is None else source.latency
    window = None if source is None else source.send_window
    rate = 0.0 if isinstance(written, Unknown) else written.commits_per_s
    return {
        "from_node": None if source is None else source.node.name,
        "one_way_ms": round(distance(latency).low / 2, 3) if isinstance(latency, GroupLatency) else None,
        "send_window": window if isinstance(window, int) else None,
        "wanted_per_s": round(rate, 3) if rate >= LEAST_RATE else None,
    }


def _reason(found: object) -> str:
    return found.reason if isinstance(found, Unknown) else ""
