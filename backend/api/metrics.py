"""Metrics for Prometheus, read from the console's own tables at each scrape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from backend.accounts import protected_changes
from backend.advice.open_advice import open_advice
from backend.clusters.selectors import clusters, links_without_nodes
from backend.common.heartbeats import last_seen
from backend.monitoring.models import LagSample, LinkStatus, NodeState
from backend.runs.models import Run, RunState
from backend.runs.selectors import unreviewed_exceptions, waiting_runs

LINK_STATES = ("protected", "degraded", "broken", "failed_over", "unprotected", "unknown")


class ConsoleCollector(Collector):
    """Collects links, nodes, runs, processes and advice."""

    def collect(self) -> Iterable[Metric]:
        """All metric families."""
        yield self._links()
        yield from self._lag()
        yield self._nodes()
        yield self._runs()
        yield self._processes()
        yield from self._second_persons()
        yield from self._advice()

    def _links(self) -> Metric:
        family = GaugeMetricFamily("hawser_link_state", "1 for the current state of the link", labels=["link", "state"])
        for status in LinkStatus.objects.select_related("link"):
            for state in LINK_STATES:
                family.add_metric([status.link.name, state], float(status.state == state))
        return family

    def _lag(self) -> Iterator[Metric]:
        names = {"gap": "hawser_link_gap_transactions", "lag_s": "hawser_link_lag_seconds"}
        samples = list(_last_samples())
        for field, name in names.items():
            family = GaugeMetricFamily(name, "Last sample; absent while unknown", labels=["link", "direction"])
            for sample in samples:
                for direction in ("forward", "reverse"):
                    value = getattr(sample, f"{direction}_{field}")
                    if value is not None:
                        family.add_metric([sample.link.name, direction], float(value))
            yield family

    def _nodes(self) -> Metric:
        family = GaugeMetricFamily("hawser_node_up", "1 if the node answered the last poll", labels=["cluster", "node"])
        for state in NodeState.objects.select_related("node__cluster"):
            labels = [state.node.cluster.name, state.node.name]
            family.add_metric(labels, float(state.reach == "up"))
        return family

    def _runs(self) -> Metric:
        family = GaugeMetricFamily("hawser_runs", "Runs by state", labels=["state"])
        counted = Counter(dict(Run.objects.values_list("state").annotate(n=Count("id"))))
        for state in RunState:
            family.add_metric([state.value], float(counted[state.value]))
        return family

    def _processes(self) -> Metric:
        family = GaugeMetricFamily(
            "hawser_process_silence_seconds", "Seconds since the last heartbeat", labels=["kind"]
        )
        for kind in ("worker", "monitor"):
            seen = last_seen(kind)
            if seen is not None:
                family.add_metric([kind], (timezone.now() - seen).total_seconds())
        return family

    def _second_persons(self) -> Iterator[Metric]:
        """Number and age of everything that is waiting for a second person."""
        since = {
            "run": [row["requested_at"] for row in waiting_runs()],
            "protected_change": list(protected_changes.waiting().values_list("requested_at", flat=True)),
            "exception_review": [row["at"] for row in unreviewed_exceptions()],
        }
        count = GaugeMetricFamily("hawser_waiting", "Decisions waiting for a second person", labels=["kind"])
        age = GaugeMetricFamily("hawser_waiting_oldest_seconds", "Waiting time of the oldest decision", labels=["kind"])
        for kind, times in since.items():
            count.add_metric([kind], float(len(times)))
            age.add_metric([kind], (timezone.now() - min(times)).total_seconds() if times else 0.0)
        yield count
        yield age

    def _advice(self) -> Iterator[Metric]:
        """By cluster, and of each link what is advised on it alone: a sum counts nothing twice."""
        count = GaugeMetricFamily(
            "hawser_advice_open", "Open advice; absent while unknown", labels=["kind", "name", "risk"]
        )
        unread = GaugeMetricFamily(
            "hawser_advice_unread_nodes", "Nodes without which advice may be missing", labels=["kind", "name"]
        )
        found = open_advice(timezone.now())
        for kind, subjects in (("cluster", clusters()), ("link", links_without_nodes())):
            for pk, name in subjects.values_list("pk", "name"):
                if pk in found:
                    unread.add_metric([kind, name], float(found[pk].unread))
                    for risk, number in found[pk].by_risk.items():
                        count.add_metric([kind, name, risk.value], float(number))
        yield count
        yield unread


def _last_samples() -> QuerySet[LagSample]:
    """The newest sample of each observed link, in one query: a scrape must not grow with the number of links."""
    of_link = LagSample.objects.filter(link_id=OuterRef("pk")).order_by("-at", "-id").values("pk")[:1]
    newest = LinkStatus.objects.annotate(newest=Subquery(of_link)).values("newest")
    return LagSample.objects.filter(pk__in=newest).select_related("link")


def exposition() -> bytes:
    """The metrics in Prometheus text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(ConsoleCollector())
    return generate_latest(registry)
