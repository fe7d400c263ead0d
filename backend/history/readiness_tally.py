"""Counts for how long each link was ready. The monitor calls it; while no monitor runs nothing is counted."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import F
from django.utils import timezone

from backend.common.retention import delete_in_portions
from backend.history.models import ReadinessDay
from backend.monitoring.models import LinkStatus
from backend.monitoring.selectors import STALE_AFTER_S

MOST: Final = timedelta(seconds=60)
"""A longer time since the last count was not observed as a whole, and is unknown."""
KEEP: Final = timedelta(days=800)
SCENARIO: Final = "failover"
_IMPOSSIBLE: Final = frozenset({"blocked", "not_needed"})
_REPLICATING: Final = frozenset({"protected", "unproven", "degraded"})
_WITHOUT_DATA: Final = frozenset({"broken", "unprotected", "failed_over"})


def count_readiness() -> None:
    """Add the time since the last count to the state of each link, where that is known."""
    now = timezone.now()
    for status in LinkStatus.objects.filter(link__retired_at=None).only("link", "state", "observed_at", "readiness"):
        _count(status, now)
    delete_in_portions(ReadinessDay.objects.filter(day__lt=(now - KEEP).date()))


def _count(status: LinkStatus, now: datetime) -> None:
    last = ReadinessDay.objects.filter(link_id=status.pk).order_by("-day").first()
    today, _ = ReadinessDay.objects.get_or_create(link_id=status.pk, day=now.date(), defaults={"counted_at": now})
    passed = now - last.counted_at if last is not None else timedelta()
    seconds = passed.total_seconds() if timedelta() < passed <= MOST else 0.0
    column = _column(status, now)
    added = {column: F(column) + seconds} if column else {}
    ReadinessDay.objects.filter(pk=today.pk).update(counted_at=now, **added)


def _column(status: LinkStatus, now: datetime) -> str | None:
    """The column that the link's state counts in; None where it is unknown.

    A link whose standby side receives no data is not ready, although a failover would be possible.
    """
    if (now - status.observed_at).total_seconds() > STALE_AFTER_S:
        return None
    failover = status.readiness.get(SCENARIO, {}).get("state")
    if status.state in _WITHOUT_DATA or failover in _IMPOSSIBLE:
        return "not_ready_s"
    return "ready_s" if status.state in _REPLICATING and failover == "ready" else None
