"""Deletes samples, events, periods and leases of ended monitors whose time is over; the monitor calls it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from backend.common import heartbeats
from backend.common.events import services as events
from backend.common.retention import delete_in_portions
from backend.monitoring.journal import thin
from backend.monitoring.models import ProofPeriod
from backend.monitoring.ownership import leases

EVERY: Final = timedelta(seconds=10)
"""With `ROWS_A_CALL` of each kind it keeps up with the samples of 5,000 nodes."""

KEEP_PROOFS: Final = timedelta(days=400)


def tick() -> None:
    """Delete what is due, every ten seconds."""
    if heartbeats.is_due("retention", EVERY):
        now = timezone.now()
        thin(now)
        events.forget_old(now)
        delete_in_portions(ProofPeriod.objects.filter(ended_at__lt=now - KEEP_PROOFS))
        leases.forget_ended()
