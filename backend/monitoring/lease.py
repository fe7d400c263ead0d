"""Who of several monitors writes. The others poll too, so that a takeover starts warm."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now

from backend.monitoring.models import MonitorLease

LEASE = timedelta(seconds=5)
_ROW = 1


def acquire(holder: str) -> bool:
    """Take or renew the lease by the database's clock; True while it is ours."""
    rows = MonitorLease.objects.filter(Q(holder=holder) | Q(until__lt=Now()), pk=_ROW)
    if rows.update(holder=holder, until=Now() + LEASE):
        return True
    if MonitorLease.objects.filter(pk=_ROW).exists():
        return False
    try:
        with transaction.atomic():
            MonitorLease.objects.create(pk=_ROW, holder=holder, until=Now() + LEASE)
    except IntegrityError:
        return False
    return True


def is_held(holder: str) -> bool:
    """Whether the lease is ours now; inside a transaction nobody else takes it before that one ends.

    A monitor that was frozen since `acquire` finds its successor's name, or that it comes too late.
    """
    rows = MonitorLease.objects.select_for_update().filter(pk=_ROW, holder=holder, until__gt=Now())
    return bool(rows)


def release(holder: str) -> None:
    """Give the lease up, so that another monitor need not wait for it to lapse."""
    MonitorLease.objects.filter(holder=holder).delete()
