"""Tells the links of a cluster that a certificate ends, 30, 7 and 1 days before, and that it was renewed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from backend.adviser.advice.configurations import configurations
from backend.adviser.advice.models import CertificateNotice
from backend.clusters.selectors import clusters
from backend.clusters.versions import links_joining
from backend.common import heartbeats
from backend.common.events import services as events
from backend.core.adviser.advice.facts import CertificateTime, ClusterConfiguration

EVERY: Final = timedelta(minutes=5)
DAYS: Final = (30, 7, 1, 0)
"""How long before its end it is told; 0: it has ended."""


def tick() -> None:
    """Called by the monitor, after it has read what was due."""
    if heartbeats.is_due("certificates judged", EVERY):
        for found in configurations(list(clusters()), timezone.now()).values():
            report(found, timezone.now())


@transaction.atomic
def report(cluster: ClusterConfiguration, now: datetime) -> None:
    """Tell what is to be told of one cluster. Of a node that was not read nothing is known, and nothing is told."""
    reported = {(row.kind, row.name): row for row in CertificateNotice.objects.filter(cluster=cluster.id)}
    for one in cluster.certificates:
        row = reported.pop((one.kind, one.name), None)
        if row is not None and row.ends_at < one.ends_at:
            _end(cluster, row, f"{one.shown} of {cluster.name} has a new certificate, until {one.ends_at:%Y-%m-%d}.")
            row = None
        _notify(cluster, one, row, now)
    for (kind, name), row in reported.items():
        if kind != "server":
            _end(cluster, row, f"{_shown(row)} of {cluster.name} is not used any more.")
        elif name not in {node.name for node in cluster.nodes}:
            row.delete()


def days_before(ends_at: datetime, now: datetime) -> int | None:
    """The shortest of the times before which the end is told; None while it is far."""
    left = ends_at - now
    return min((days for days in DAYS if left <= timedelta(days=days)), default=None)


def _notify(cluster: ClusterConfiguration, one: CertificateTime, row: CertificateNotice | None, now: datetime) -> None:
    days = days_before(one.ends_at, now)
    if days is None or (row is not None and row.days <= days):
        return
    CertificateNotice.objects.update_or_create(
        cluster_id=cluster.id, kind=one.kind, name=one.name, defaults={"ends_at": one.ends_at, "days": days}
    )
    when = "has ended" if days == 0 else "ends"
    for link_id in _links(cluster):
        events.raised(
            link_id=link_id,
            kind="certificate.expires",
            severity="blocker" if days <= 1 else "warning",
            message=f"The certificate of {one.shown} of {cluster.name} {when} on {one.ends_at:%Y-%m-%d %H:%M} UTC.",
            subject=f"{one.kind} {one.name} {cluster.name}",
        )


def _end(cluster: ClusterConfiguration, row: CertificateNotice, message: str) -> None:
    for link_id in _links(cluster):
        events.raised(
            link_id=link_id,
            kind="certificate.renewed",
            severity="ok",
            message=message[:1].upper() + message[1:],
            subject=f"{row.kind} {row.name} {cluster.name}",
        )
    row.delete()


def _links(cluster: ClusterConfiguration) -> Sequence[str]:
    """The links of the cluster; the console itself where it has none."""
    return [link.pk for link in links_joining([cluster.id])] or [""]


def _shown(row: CertificateNotice) -> str:
    return CertificateTime(row.kind, row.name, row.ends_at).shown
