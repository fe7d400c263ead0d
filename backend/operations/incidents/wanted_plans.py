"""Which plans are wanted, and which of them are being made."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from backend.core.incidents.planning import WantedPlan
from backend.operations.incidents.models import IncidentItem

MOST_OF_A_CLUSTER = 2
"""Plans at a time that search the logs of one cluster."""


def due(now: datetime) -> Q:
    """Items that no worker plans at the moment."""
    return Q(planning=True) & (Q(planning_until=None) | Q(planning_until__lt=now))


def in_progress(now: datetime) -> Q:
    """Items whose plan is being made, or for which a worker was woken."""
    return Q(planning=True) & (Q(planning_until__gte=now) | Q(dispatched_until__gte=now))


def waiting(now: datetime) -> list[WantedPlan]:
    """The plans that are wanted and that no worker makes, in their order."""
    rows = IncidentItem.objects.filter(due(now)).exclude(in_progress(now))
    return _wanted(rows.order_by("incident_id", "position"))


def under_way(now: datetime) -> list[WantedPlan]:
    """The plans that are being made."""
    return _wanted(IncidentItem.objects.filter(in_progress(now)))


def _wanted(rows: QuerySet[IncidentItem]) -> list[WantedPlan]:
    found = rows.values_list("pk", "link__active_cluster_id", "link__standby_cluster_id")
    return [WantedPlan(str(pk), (active, standby)) for pk, active, standby in found]
