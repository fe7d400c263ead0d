"""The bandwidth of a cluster as the API returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from backend.adviser.advice.configurations import cluster_configuration
from backend.adviser.bandwidth.line import loaded
from backend.adviser.bandwidth.outputs import (
    Bandwidth,
    BandwidthAdvice,
    ByCount,
    ComputedTraffic,
    Outbound,
    OwnWrites,
    PairSpan,
    PlacedNode,
)
from backend.clusters.models import Cluster
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.registry import cluster_advice
from backend.core.adviser.advice.rules import multicast_prevents_join, segments_missing
from backend.core.adviser.bandwidth.by_count import by_count
from backend.core.adviser.bandwidth.measured import ROWS
from backend.core.adviser.bandwidth.placement import Placed, own_rate, placement, traffic_of
from backend.core.adviser.bandwidth.span import Span
from backend.core.adviser.bandwidth.traffic import Traffic
from backend.core.adviser.node_absence.counters import Totals
from backend.core.adviser.node_absence.rates import Rate, Window, longest_counted, rates_of
from backend.core.estimates import Unknown, parted
from backend.monitoring.stored_facts import node_facts
from backend.monitoring.write_sets.readings import week_of

_WINDOWS = (Window.HOUR, Window.WEEK)
_CODES = (segments_missing.ENTRY.code, multicast_prevents_join.ENTRY.code)


@dataclass(frozen=True, slots=True)
class Written:
    """What is written: the readings of the best counted node, its rates, and the rates of each node by id."""

    readings: Sequence[Totals]
    rates: Mapping[Window, Rate | Unknown]
    by_node: Mapping[str, Mapping[Window, Rate | Unknown]]


def bandwidth(cluster: Cluster) -> Bandwidth:
    """Segments, bytes of each pair, growth and capacity, from what is stored: no server is queried."""
    now = timezone.now()
    facts = node_facts(cluster.nodes.all())
    placed, written = placement(list(facts.values())), _written(list(facts), now)
    found = {
        window: traffic_of(placed, {node_id: rates[window] for node_id, rates in written.by_node.items()})
        for window in _WINDOWS
    }
    segments, segments_reason = parted(placed.segments)
    capacity, line, loads, growth, until_full = loaded(cluster, found, written.rates, written.readings, now)
    return Bandwidth(
        cluster.id,
        cluster.name,
        now,
        nodes=tuple(_node(node, written.by_node[node.id]) for node in placed.nodes),
        segments=segments,
        segments_reason=segments_reason,
        other_members=placed.unregistered,
        advice=_advice(cluster_configuration(cluster, now)),
        computed=tuple(_traffic(window, one) for window, one in found.items()),
        by_count=_by_count(written.rates[Window.HOUR]),
        measured=ROWS,
        capacity=capacity,
        line=line,
        loads=loads,
        growth=growth,
        until_full=until_full,
    )


def _written(node_ids: Sequence[str], now: datetime) -> Written:
    readings, now_s = week_of(node_ids, now), now.timestamp()
    longest = longest_counted(list(readings.values()), now_s)
    by_node = {node_id: rates_of(readings.get(node_id, []), now_s) for node_id in node_ids}
    return Written(longest, rates_of(longest, now_s), by_node)


def _node(node: Placed, rates: Mapping[Window, Rate | Unknown]) -> PlacedNode:
    written = tuple(OwnWrites(window, *parted(own_rate(rates[window]))) for window in _WINDOWS)
    return PlacedNode(node.id, node.name, node.segment, node.is_member, written)


def _advice(configuration: ClusterConfiguration) -> tuple[BandwidthAdvice, ...]:
    found = [(one, one.entry) for one in cluster_advice(configuration) if one.code in _CODES]
    return tuple(
        BandwidthAdvice(one.code, entry.risk, entry.title, one.fact, one.consequence, one.remedy, entry.evidence)
        for one, entry in found
    )


def _traffic(window: Window, found: Traffic | Unknown) -> ComputedTraffic:
    if isinstance(found, Unknown):
        return ComputedTraffic(window, found.reason)
    pairs = [(pair, span.on_the_wire()) for pair, span in found.pairs.items()]
    across = [(pair, span.on_the_line()) for pair, span in found.across.items()]
    outbound = [(name, span.on_the_wire()) for name, span in found.outbound.items()]
    return ComputedTraffic(
        window,
        pairs=tuple(PairSpan(span.low, span.high, *pair) for pair, span in pairs),
        across=tuple(PairSpan(span.low, span.high, *pair) for pair, span in across),
        outbound=tuple(Outbound(span.low, span.high, name) for name, span in outbound),
        to_other_members=Span(found.to_unregistered, found.to_unregistered).on_the_wire(),
    )


def _by_count(rate: Rate | Unknown) -> ByCount:
    if isinstance(rate, Unknown):
        return ByCount(None, rate.reason, ())
    return ByCount(rate.bytes_per_s, "", by_count(rate.bytes_per_s))
