"""Metrics, as Prometheus's own parser reads them."""

from __future__ import annotations

from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from backend.api import metrics


def families() -> list[Metric]:
    """What a scrape returns."""
    return list(text_string_to_metric_families(metrics.exposition().decode()))


def value(name: str, **labels: str) -> float | None:
    """The value of one series; None if there is none."""
    found = [one for family in families() for one in family.samples if one.name == name and one.labels == labels]
    return found[0].value if found else None
