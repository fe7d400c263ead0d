"""Decides which of several monitors writes. The others poll, too, so that a takeover has current facts."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now

from backend.monitoring.models import MonitorLease

LEASE = timedelta(seconds=5)
_ROW = 1


def acquire(holder: str) -> bool:
    """Acquire or renew the lease by the database's clock; True while this monitor has it."""
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
    """Whether this monitor has the lease now; within a transaction no other monitor acquires it before its end.

    A monitor that was frozen since `acquire` finds its successor's name or an expired lease.
    """
    rows = MonitorLease.objects.select_for_update().filter(pk=_ROW, holder=holder, until__gt=Now())
    return bool(rows)


def release(holder: str) -> None:
    """Release the lease, so that another monitor does not wait for it to expire."""
    MonitorLease.objects.filter(holder=holder).delete()
