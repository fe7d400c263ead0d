"""What a running cluster says of its distance, with the model's answers, as the API returns it."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from backend.adviser.concurrency.figures import beyond, rate_shown
from backend.adviser.concurrency.outputs import (
    ClusterConcurrency,
    ConcurrencyGiven,
    RunningAnswers,
    RunningLatency,
    RunningNode,
    WritersRange,
    WriteSetCost,
    Written,
)
from backend.clusters.models import Cluster
from backend.clusters.selectors import cluster_access
from backend.common.rest.outputs import filled
from backend.core.adviser.concurrency import running, write_sets
from backend.core.adviser.concurrency.model import MEASURED_WRITERS
from backend.core.adviser.concurrency.running import LEAST_RATE, Answers, NodeFigures, distance, farthest, figures
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.adviser.node_absence.rates import Rate, Window, longest_counted, rates_of
from backend.core.estimates import Unknown, parted
from backend.gateway.configuration import read_configurations
from backend.monitoring.write_sets.readings import hour_of_all


def cluster_concurrency(cluster: Cluster) -> ClusterConcurrency:
    """All nodes are asked at once; the write rate is that of the monitor's readings."""
    nodes = cluster_access(cluster).nodes
    read = read_configurations(nodes)
    at = timezone.now()
    rate = _rate([node.ref.id for node in nodes], at)
    written = rate if isinstance(rate, Unknown) else running.Written(rate.write_sets_per_s, rate.average_bytes)
    found = [figures(node, written) for node in read]
    return ClusterConcurrency(
        cluster.id,
        cluster.name,
        at,
        registered=len(found),
        written=_written(rate),
        measured_writers=MEASURED_WRITERS,
        nodes=tuple(map(_node, found)),
        given=_given(farthest(found), 0.0 if isinstance(written, Unknown) else written.commits_per_s),
    )


def _rate(node_ids: list[str], now: datetime) -> Rate | Unknown:
    """Each synced member counts all write-sets of its cluster: the one that was counted for longest is taken."""
    readings = hour_of_all(now)
    longest = longest_counted([readings[one] for one in node_ids if one in readings], now.timestamp())
    return rates_of(longest, now.timestamp())[Window.HOUR]


def _written(rate: Rate | Unknown) -> Written:
    if isinstance(rate, Unknown):
        return Written(reason=f"{rate.reason} Read again when the monitor has counted for ten minutes.")
    average = None if rate.average_bytes is None else round(rate.average_bytes)
    return Written(rate.write_sets_per_s, average, round(rate.covered_s))


def _node(found: NodeFigures) -> RunningNode:
    latency, reason = parted(found.latency)
    answers, answers_reason = parted(found.answers)
    return RunningNode(
        found.node.node_id,
        found.node.name,
        found.members,
        None if latency is None else filled(RunningLatency, latency),
        reason,
        *parted(found.send_window),
        None if answers is None else _answers(answers),
        answers_reason,
    )


def _answers(found: Answers) -> RunningAnswers:
    needed, reason = parted(found.needed)
    return RunningAnswers(
        tuple(rate_shown(writers, rate) for writers, rate in found.rates),
        None if needed is None else WritersRange(int(needed.low), int(needed.high)),
        reason if needed is None else beyond(needed.high),
        _cost(found.average),
        _cost(found.largest),
    )


def _cost(found: write_sets.WriteSetCost | Unknown) -> WriteSetCost:
    if isinstance(found, Unknown):
        return WriteSetCost(reason=found.reason)
    return WriteSetCost(found.size_bytes, found.fragments, found.round_trips, found.ms.low, found.ms.high)


def _given(source: NodeFigures | None, rate: float) -> ConcurrencyGiven:
    """Two sites, each half of the fastest delivery away: it does not distinguish more sites."""
    latency = None if source is None else source.latency
    window = None if source is None else source.send_window
    return ConcurrencyGiven(
        None if source is None else source.node.name,
        distance(latency).low / 2 if isinstance(latency, GroupLatency) else None,
        window if isinstance(window, int) else None,
        rate if rate >= LEAST_RATE else None,
    )
