"""Runs by state, how long they wait for a worker, and how often a worker was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, Min, Sum
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from backend.operations.runs.models import Run, RunState


def families() -> Iterator[Metric]:
    """One family after the other."""
    yield _by_state()
    yield _oldest_queued()
    yield CounterMetricFamily(
        "hawser_run_takeovers",
        "Runs that a worker took over from one that was lost",
        value=float(Run.objects.aggregate(n=Sum("takeovers"))["n"] or 0),
    )


def _by_state() -> Metric:
    family = GaugeMetricFamily("hawser_runs", "Runs by state", labels=["state"])
    counted = Counter(dict(Run.objects.values_list("state").annotate(n=Count("id"))))
    for state in RunState:
        family.add_metric([state.value], float(counted[state.value]))
    return family


def _oldest_queued() -> Metric:
    since = Run.objects.filter(state=RunState.QUEUED).aggregate(at=Min("created_at"))["at"]
    return GaugeMetricFamily(
        "hawser_run_queued_oldest_seconds",
        "Time since the oldest run that no worker has started was requested; 0 if there is none",
        value=(timezone.now() - since).total_seconds() if since else 0.0,
    )
