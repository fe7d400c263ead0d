"""Warns, on every link of its cluster, of a node that may be away for too short a time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from backend.clusters.models import Cluster
from backend.clusters.selectors import clusters
from backend.clusters.versions import links_joining
from backend.common import heartbeats
from backend.common.events import services as events
from backend.core.adviser.node_absence.alarm import is_alarmed
from backend.core.adviser.node_absence.forecast import Time
from backend.core.adviser.node_absence.rates import Window
from backend.core.adviser.node_absence.summary import Absence
from backend.core.adviser.node_absence.wording import duration
from backend.monitoring.models import AbsenceAlarm
from backend.monitoring.stored_facts import node_facts
from backend.monitoring.write_sets.absence import assembled
from backend.monitoring.write_sets.readings import hour_of_all, last_positions

EVERY: Final = timedelta(minutes=1)


def tick() -> None:
    """Judge every node once a minute; called by one monitor."""
    if heartbeats.is_due("node absence", EVERY):
        raise_and_clear(timezone.now())


@transaction.atomic
def raise_and_clear(now: datetime) -> None:
    """At the write rate of the last hour, of members as of nodes that are away."""
    readings, alarmed = hour_of_all(now), AbsenceAlarm.objects.in_bulk()
    for cluster in clusters():
        facts = node_facts(cluster.nodes.all())
        of_cluster = {node_id: readings[node_id] for node_id in facts if node_id in readings}
        for one in assembled(facts, of_cluster, last_positions(facts), now).nodes:
            _judge(cluster, one, alarmed.get(one.node.node.id), now)


def _judge(cluster: Cluster, one: Absence, alarm: AbsenceAlarm | None, now: datetime) -> None:
    time, threshold_s = one.times[Window.HOUR], settings.HAWSER_ABSENCE_ALARM_MINUTES * 60
    is_short = is_alarmed(time, threshold_s=threshold_s, was_alarmed=alarm is not None)
    if is_short and alarm is None:
        AbsenceAlarm.objects.create(node_id=one.node.node.id, since=now)
        _raise(cluster, one, time, "short", f" The threshold is {duration(threshold_s)}.")
    elif alarm is not None and not is_short:
        alarm.delete()
        if threshold_s:
            _raise(cluster, one, time, "ample", "")


def _raise(cluster: Cluster, one: Absence, time: Time, kind: str, added: str) -> None:
    for link in links_joining([cluster.id]):
        events.raised(
            link_id=link.id,
            kind=f"node.absence_{kind}",
            severity="warning" if kind == "short" else "ok",
            message=f"{_sentence(one, time)}{added}",
            subject=one.node.node.name,
        )


def _sentence(one: Absence, time: Time) -> str:
    name = one.node.node.name
    if time == 0.0 and not one.is_member:
        return f"{name} has been away for too long: it needs an SST to return."
    verb = "may be away for" if one.is_member else "is away and has"
    left = duration(time) if isinstance(time, float) else "any time"
    return f"{name} {verb} {left} before it needs an SST."
