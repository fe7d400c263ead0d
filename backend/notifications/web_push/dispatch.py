"""Called by the monitor: stores new events as messages and wakes workers through Redis to send them."""

from __future__ import annotations

from datetime import timedelta

import structlog
from kombu.exceptions import OperationalError

from backend.common import database_clock, heartbeats
from backend.common.retention import delete_in_portions
from backend.notifications.web_push.models import MessageState, PushMessage
from backend.notifications.web_push.queue import enqueue_events
from backend.notifications.web_push.tasks import deliver_due

log = structlog.get_logger(__name__)
DISPATCH_EVERY = timedelta(seconds=10)
KEEP = timedelta(days=1)


def sweep() -> None:
    """Store new events as messages, wake a worker for those that are due, delete old ones."""
    now = database_clock.now()
    enqueue_events(now)
    due = PushMessage.objects.filter(state=MessageState.PENDING, due_at__lte=now)
    if due.exists() and heartbeats.is_due("push dispatch", DISPATCH_EVERY):
        dispatch()
    if heartbeats.is_due("push forget", timedelta(hours=1)):
        delete_in_portions(PushMessage.objects.filter(created_at__lt=now - KEEP))


def dispatch() -> bool:
    """Wake a worker to send; False if Redis is not responding (the next sweep dispatches again)."""
    try:
        deliver_due.apply_async(retry=False)
    except OperationalError as error:
        log.warning("push.dispatch_failed", error=str(error))
        return False
    return True
