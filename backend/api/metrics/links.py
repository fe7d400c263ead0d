"""State, lag and rehearsals of each link, and reach of each node."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric

from backend.clusters.models import Link
from backend.core.topology import Direction
from backend.monitoring.models import LagSample, LinkStatus, NodeState
from backend.monitoring.proof import proof_totals, receiving_id
from backend.operations.rehearsals.models import Rehearsal, RehearsalState

ALERTED_FINDINGS = ("site_is_split", "standby_accepts_writes")
"""Findings that an alert rule asks for by name."""
LINK_STATES = ("protected", "unproven", "degraded", "broken", "failed_over", "unprotected", "unknown")


def families() -> Iterator[Metric]:
    """One family after the other."""
    yield _states()
    yield _findings()
    yield from _lag()
    yield from _proofs()
    yield _rehearsals()
    yield _nodes()


def _states() -> Metric:
    family = GaugeMetricFamily("hawser_link_state", "1 for the current state of the link", labels=["link", "state"])
    for status in LinkStatus.objects.select_related("link"):
        for state in LINK_STATES:
            family.add_metric([status.link.name, state], float(status.state == state))
    return family


def _findings() -> Metric:
    family = GaugeMetricFamily(
        "hawser_link_finding", "1 while the finding is on the link's page", labels=["link", "code"]
    )
    for status in LinkStatus.objects.select_related("link"):
        shown = {finding["code"] for finding in status.findings}
        for code in ALERTED_FINDINGS:
            family.add_metric([status.link.name, code], float(code in shown))
    return family


def _lag() -> Iterator[Metric]:
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


def _last_samples() -> QuerySet[LagSample]:
    """The newest sample of each observed link, in one query: a scrape must not grow with the number of links."""
    of_link = LagSample.objects.filter(link_id=OuterRef("pk")).order_by("-at", "-id").values("pk")[:1]
    newest = LinkStatus.objects.annotate(newest=Subquery(of_link)).values("newest")
    return LagSample.objects.filter(pk__in=newest).select_related("link")


def _proofs() -> Iterator[Metric]:
    names = {
        "proven_s": ("hawser_link_proven_seconds", "Of the last 24 hours, in which the direction was proven"),
        "not_proven_s": (
            "hawser_link_not_proven_seconds",
            "Of the last 24 hours, in which it was not proven",
        ),
    }
    now = timezone.now()
    links = list(Link.objects.filter(retired_at=None).order_by("name"))
    totals = proof_totals(links, now - timedelta(hours=24), now, now)
    for field, (name, text) in names.items():
        family = GaugeMetricFamily(name, text, labels=["link", "direction"])
        for link in links:
            for direction in Direction:
                found = totals[link.pk, receiving_id(link, direction)]
                if found.recorded_since is not None:
                    family.add_metric([link.name, direction.value], getattr(found, field))
        yield family


def _rehearsals() -> Metric:
    family = GaugeMetricFamily(
        "hawser_rehearsal_passed_age_seconds",
        "Time since this operation's rehearsal last passed; absent if it never did",
        labels=["link", "kind"],
    )
    passed = Rehearsal.objects.filter(state=RehearsalState.PASSED, link__retired_at=None)
    for row in passed.values("link__name", "kind").annotate(last=Max("at")).order_by("link__name", "kind"):
        family.add_metric([row["link__name"], row["kind"]], (timezone.now() - row["last"]).total_seconds())
    return family


def _nodes() -> Metric:
    family = GaugeMetricFamily("hawser_node_up", "1 if the node answered the last poll", labels=["cluster", "node"])
    for state in NodeState.objects.select_related("node__cluster"):
        family.add_metric([state.node.cluster.name, state.node.name], float(state.reach == "up"))
    return family
