"""Decides which of several monitors calls the periodic jobs, so that each runs once. All of them poll and store."""

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


def release(holder: str) -> None:
    """Release the lease, so that another monitor does not wait for it to expire."""
    MonitorLease.objects.filter(holder=holder).delete()
