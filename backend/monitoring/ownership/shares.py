"""How the links are shared among the monitors now, for the status page and the metrics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Sum
from django.db.models.functions import Now

from backend.clusters.models import Link
from backend.monitoring.models import ClusterOwner, MonitorProcess


@dataclass(frozen=True, slots=True)
class Shares:
    """Links by living monitor, and the names of the links that none owns."""

    by_monitor: dict[str, int]
    without_owner: list[str]


def shares() -> Shares:
    """A link is owned by the monitor whose lease covers both of its clusters."""
    alive = set(MonitorProcess.objects.filter(until__gt=Now()).values_list("name", flat=True))
    holders = dict(ClusterOwner.objects.filter(holder__in=alive).values_list("pk", "holder"))
    found = Shares(dict.fromkeys(sorted(alive), 0), [])
    rows = Link.objects.filter(retired_at=None).order_by("name")
    for name, active, standby in rows.values_list("name", "active_cluster_id", "standby_cluster_id"):
        holder = holders.get(active)
        if holder is None or holder != holders.get(standby):
            found.without_owner.append(name)
        else:
            found.by_monitor[holder] += 1
    return found


def takeovers() -> int:
    """How often a cluster was taken from a monitor that had not released it."""
    return ClusterOwner.objects.aggregate(n=Sum("takeovers"))["n"] or 0


def clusters_without_owner(*, for_at_least: timedelta) -> int:
    """Registered clusters that no living monitor has owned for so long."""
    alive = MonitorProcess.objects.filter(until__gt=Now() - for_at_least).values("name")
    rows = ClusterOwner.objects.filter(cluster__retired_at=None, since__lt=Now() - for_at_least)
    return rows.exclude(holder__in=alive).count()
