"""Dispatches the sending of notifications to workers through Redis.

Redis only wakes workers. `sweep`, called by the monitor, turns events into rows and dispatches those that are due. A
lost message, or a loss of all data in Redis, delays a notification and loses none.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db.models import Q
from kombu.exceptions import OperationalError

from backend.common import database_clock, heartbeats
from backend.common.retention import delete_in_portions
from backend.core.hooks import HookPhase
from backend.notifications.hooks.models import Delivery, Hook
from backend.notifications.hooks.notifications import TOO_OLD, due_deliveries, enqueue_events
from backend.notifications.hooks.tasks import deliver_due

log = structlog.get_logger(__name__)
DISPATCH_EVERY = timedelta(seconds=10)
KEEP = timedelta(days=30)


def sweep() -> None:
    """Store new events as notifications, dispatch those that are due, delete old ones."""
    now = database_clock.now()
    told = Q(enabled=True, phase=HookPhase.EVENT.value) | Q(former_until__gt=now)
    for hook in Hook.every.filter(told).select_related("link"):
        enqueue_events(hook, now)
    if due_deliveries(now).exists() and heartbeats.is_due("hooks dispatch", DISPATCH_EVERY):
        dispatch()
    if heartbeats.is_due("hooks forget", timedelta(hours=1)):
        delete_in_portions(Delivery.objects.filter(created_at__lt=now - KEEP))
        _forget_formers(now - TOO_OLD)


def _forget_formers(before: datetime) -> None:
    """Forget where receivers were once their time is over, and what was to be sent there has been or was given up."""
    over = Hook.every.filter(former_until__lt=before)
    over.filter(is_deleted=True).delete()
    over.update(formers=None, former_until=None)


def dispatch() -> bool:
    """Wake a worker to send; False if Redis is not responding (the next sweep dispatches again)."""
    try:
        deliver_due.apply_async(retry=False)
    except OperationalError as error:
        log.warning("hooks.dispatch_failed", error=str(error))
        return False
    return True
