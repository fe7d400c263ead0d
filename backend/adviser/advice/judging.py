"""Judges the configurations of all clusters and links once a minute: for lists, metrics and notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from backend.adviser.advice.configurations import configurations, joined_configuration
from backend.adviser.advice.models import AdviceNotice, GivenAdvice
from backend.adviser.advice.notifications import report, reported_by_subject
from backend.clusters.selectors import clusters, links_without_nodes
from backend.common import heartbeats
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.model import Advice
from backend.core.adviser.advice.registry import cluster_advice, own_link_advice

EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Judged:
    """A cluster, or a link alone, with the advice on it and the number of its nodes and of those not read."""

    subject_id: str
    name: str
    advice: Sequence[Advice]
    nodes: int
    unread: int

    @property
    def stored(self) -> dict[str, Any]:
        """What is kept of it."""
        items = [{"code": a.code, "risk": a.entry.risk.value, "fingerprint": a.fingerprint} for a in self.advice]
        return {"items": items, "nodes": self.nodes, "unread": self.unread}


def tick() -> None:
    """Called by the monitor, after it has read what was due."""
    if heartbeats.is_due("advice judged", EVERY):
        judge_all(timezone.now())


@transaction.atomic
def judge_all(now: datetime) -> None:
    """Store what is advised on every cluster and link now, and tell what is to be told."""
    judged = _judged(now)
    _store(judged, now)
    reported = reported_by_subject()
    for one in judged:
        report(one.subject_id, one.name, one.advice, reported.get(one.subject_id, {}), is_whole=not one.unread, now=now)


def _judged(now: datetime) -> list[Judged]:
    found = configurations(list(clusters()), now)
    of_clusters = [_of(one.id, one.name, cluster_advice(one), one) for one in found.values()]
    links = [joined_configuration(link, found) for link in links_without_nodes()]
    return of_clusters + [_of(one.id, one.name, own_link_advice(one), one.active, one.standby) for one in links]


def _of(subject_id: str, name: str, advice: Sequence[Advice], *sides: ClusterConfiguration) -> Judged:
    nodes, read = (sum(len(getattr(side, part)) for side in sides) for part in ("nodes", "read"))
    return Judged(subject_id, name, advice, nodes, nodes - read)


def _store(judged: Sequence[Judged], now: datetime) -> None:
    """What did not change is written in one statement; what was retired is forgotten."""
    known = GivenAdvice.objects.in_bulk()
    present = [one.subject_id for one in judged]
    GivenAdvice.objects.exclude(pk__in=present).delete()
    AdviceNotice.objects.exclude(subject_id__in=present).delete()
    new = [one for one in judged if one.subject_id not in known]
    GivenAdvice.objects.bulk_create(GivenAdvice(subject_id=one.subject_id, at=now, **one.stored) for one in new)
    for one in judged:
        row = known.get(one.subject_id)
        if row is not None and {name: getattr(row, name) for name in one.stored} != one.stored:
            GivenAdvice.objects.filter(pk=row.pk).update(**one.stored)
    GivenAdvice.objects.update(at=now)
