"""Deletes samples, events and leases of ended monitors whose time is over; called by the monitor beside its polling."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from backend.common import heartbeats
from backend.common.events import services as events
from backend.monitoring.journal import thin
from backend.monitoring.ownership import leases

EVERY: Final = timedelta(seconds=10)
"""With `ROWS_A_CALL` of each kind it keeps up with the samples of 5,000 nodes."""


def tick() -> None:
    """Delete what is due, every ten seconds."""
    if heartbeats.is_due("retention", EVERY):
        now = timezone.now()
        thin(now)
        events.forget_old(now)
        leases.forget_ended()
