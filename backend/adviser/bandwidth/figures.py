"""The bandwidth of a cluster as the API returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from backend.adviser.advice.configurations import cluster_configuration
from backend.adviser.bandwidth.line import line_shown
from backend.clusters.models import Cluster
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.registry import cluster_advice
from backend.core.adviser.advice.rules import multicast_prevents_join, segments_missing
from backend.core.adviser.bandwidth.by_count import CountRow, by_count
from backend.core.adviser.bandwidth.measured import ROWS, MeasuredRow
from backend.core.adviser.bandwidth.placement import Placement, own_rate, placement, traffic_of
from backend.core.adviser.bandwidth.span import Span
from backend.core.adviser.bandwidth.traffic import Pair, Traffic
from backend.core.adviser.node_absence.counters import Totals
from backend.core.adviser.node_absence.rates import Rate, Window, longest_counted, rates_of
from backend.core.estimates import Unknown
from backend.monitoring.stored_facts import node_facts
from backend.monitoring.write_sets.readings import week_of

Shown = dict[str, Any]
_WINDOWS = (Window.HOUR, Window.WEEK)
_CODES = (segments_missing.ENTRY.code, multicast_prevents_join.ENTRY.code)


@dataclass(frozen=True, slots=True)
class Written:
    """What is written: the readings of the best counted node, its rates, and the rates of each node by id."""

    readings: Sequence[Totals]
    rates: Mapping[Window, Rate | Unknown]
    by_node: Mapping[str, Mapping[Window, Rate | Unknown]]


def bandwidth(cluster: Cluster) -> Shown:
    """Segments, bytes of each pair, growth and capacity, from what is stored: no server is queried."""
    now = timezone.now()
    facts = node_facts(cluster.nodes.all())
    placed, written = placement(list(facts.values())), _written(list(facts), now)
    found = {
        window: traffic_of(placed, {node_id: rates[window] for node_id, rates in written.by_node.items()})
        for window in _WINDOWS
    }
    return {
        "cluster_id": cluster.id,
        "cluster_name": cluster.name,
        "at": now,
        **_placed(placed, written),
        "advice": _advice(cluster_configuration(cluster, now)),
        "computed": [_traffic(window, one) for window, one in found.items()],
        "by_count": _by_count(written.rates[Window.HOUR]),
        "measured": [_measured(row) for row in ROWS],
        **line_shown(cluster, found, written.rates, written.readings, now),
    }


def _written(node_ids: Sequence[str], now: datetime) -> Written:
    readings, now_s = week_of(node_ids, now), now.timestamp()
    longest = longest_counted(list(readings.values()), now_s)
    by_node = {node_id: rates_of(readings.get(node_id, []), now_s) for node_id in node_ids}
    return Written(longest, rates_of(longest, now_s), by_node)


def _placed(placed: Placement, written: Written) -> Shown:
    segments = placed.segments
    return {
        "nodes": [
            {
                "id": node.id,
                "name": node.name,
                "segment": node.segment,
                "is_member": node.is_member,
                "written": [_own(window, written.by_node[node.id][window]) for window in _WINDOWS],
            }
            for node in placed.nodes
        ],
        "segments": None if isinstance(segments, Unknown) else list(segments),
        "segments_reason": segments.reason if isinstance(segments, Unknown) else "",
        "other_members": placed.unregistered,
    }


def _own(window: Window, rate: Rate | Unknown) -> Shown:
    own = own_rate(rate)
    if isinstance(own, Unknown):
        return {"window": window.value, "bytes_per_s": None, "reason": own.reason}
    return {"window": window.value, "bytes_per_s": round(own, 1), "reason": ""}


def _advice(configuration: ClusterConfiguration) -> list[Shown]:
    return [
        {
            "code": one.code,
            "risk": one.entry.risk.value,
            "title": one.entry.title,
            "fact": one.fact,
            "consequence": one.consequence,
            "remedy": one.remedy,
            "evidence": one.entry.evidence,
        }
        for one in cluster_advice(configuration)
        if one.code in _CODES
    ]


def _traffic(window: Window, found: Traffic | Unknown) -> Shown:
    if isinstance(found, Unknown):
        return {
            "window": window.value, "reason": found.reason, "pairs": [], "across": [], "outbound": [],
            "to_other_members": None,
        }  # fmt: skip
    return {
        "window": window.value,
        "reason": "",
        "pairs": [_pair(pair, span.on_the_wire()) for pair, span in found.pairs.items()],
        "across": [_pair(pair, span.on_the_line()) for pair, span in found.across.items()],
        "outbound": [{"node": name, **span_shown(span.on_the_wire())} for name, span in found.outbound.items()],
        "to_other_members": span_shown(Span(found.to_unregistered, found.to_unregistered).on_the_wire()),
    }


def _pair(pair: Pair, span: Span) -> Shown:
    return {"sender": pair[0], "receiver": pair[1], **span_shown(span)}


def span_shown(span: Span) -> Shown:
    """Bytes a second on the wire."""
    return {"low": round(span.low, 1), "high": round(span.high, 1)}


def _by_count(rate: Rate | Unknown) -> Shown:
    if isinstance(rate, Unknown):
        return {"bytes_per_s": None, "reason": rate.reason, "rows": []}
    return {
        "bytes_per_s": round(rate.bytes_per_s, 1),
        "reason": "",
        "rows": [_count_row(row) for row in by_count(rate.bytes_per_s)],
    }


def _count_row(row: CountRow) -> Shown:
    spans = ("outbound_one", "outbound_two", "across_one", "across_two")
    return {
        "nodes": row.nodes,
        "near": row.near,
        "far": row.far,
        **{name: span_shown(getattr(row, name)) for name in spans},
    }


def _measured(row: MeasuredRow) -> Shown:
    low, high = row.article_kb or (None, None)
    return {**asdict(row), "article_low_kb": low, "article_high_kb": high}
