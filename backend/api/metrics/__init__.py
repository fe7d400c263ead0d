"""Metrics for Prometheus.

What the console stores is read at each scrape, so that any web process gives the same answer. What happens to requests
is counted in the web process that answers them: scrape each process by its own address.
"""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from backend.api.metrics import advice, certificates, components, decisions, links, runs
from backend.common.rest import request_metrics


class ConsoleCollector(Collector):
    """Collects what the console's database and its components tell."""

    def collect(self) -> Iterable[Metric]:
        """All metric families."""
        for subject in (links, runs, decisions, advice, certificates, components):
            yield from subject.families()


def exposition() -> bytes:
    """The metrics in Prometheus text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(ConsoleCollector())
    return generate_latest(registry) + generate_latest(request_metrics.REGISTRY)
