"""Open advice on each cluster, and on each link alone: a sum counts nothing twice."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric

from backend.adviser.advice.open_advice import open_advice
from backend.clusters.selectors import clusters, links_without_nodes


def families() -> Iterator[Metric]:
    """One family after the other."""
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
