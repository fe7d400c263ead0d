"""Sends what is due, repeats what may succeed later, and removes browsers that their push service does not know."""

from __future__ import annotations

import time
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from backend.audit import services as audit
from backend.common import database_clock
from backend.common.outgoing.http_client import Reply
from backend.notifications.web_push.models import MessageState, PushMessage, PushSubscription
from backend.notifications.web_push.queue import TOO_OLD
from backend.notifications.web_push.sending import send

BACKOFF = tuple(timedelta(seconds=s) for s in (5, 15, 60, 300, 900))
"""Delays after failed attempts; after the last one the message is given up."""
CLAIM = timedelta(seconds=60)
"""If a worker crashes while it sends a message, another one takes it after this time."""
WORK_S = 10.0
GONE = (404, 410)
"""The push service does not know the browser any more: the user removed the permission, or it expired."""
TOO_MANY = 429


def deliver_due() -> int:
    """Send what is due, for some seconds, one at a time; returns the number of attempts."""
    until, tried = time.monotonic() + WORK_S, 0
    while time.monotonic() < until:
        message = _claim()
        if message is None:
            break
        _deliver(message)
        tried += 1
    return tried


def attempt(subscription: PushSubscription, reply: Reply) -> None:
    """Store the outcome of a call; a browser that its push service does not know is removed."""
    row = PushSubscription.objects.filter(pk=subscription.pk)
    if reply.is_taken:
        row.update(last_success_at=timezone.now(), failures=0, last_error="")
    elif reply.status in GONE:
        _remove(subscription)
    else:
        row.update(failures=F("failures") + 1, last_error=reply.error)


def _claim() -> PushMessage | None:
    """The oldest due message; of two workers one gets it."""
    now = database_clock.now()
    due = PushMessage.objects.filter(state=MessageState.PENDING, due_at__lte=now)
    for pk in due.order_by("created_at", "id").values_list("pk", flat=True)[:20]:
        claimed = PushMessage.objects.filter(pk=pk, state=MessageState.PENDING, due_at__lte=now)
        if claimed.update(due_at=now + CLAIM, attempts=F("attempts") + 1):
            return PushMessage.objects.select_related("subscription__user").filter(pk=pk).first()
    return None


def _deliver(message: PushMessage) -> None:
    subscription = message.subscription
    if not subscription.user.is_active or message.created_at < database_clock.now() - TOO_OLD:
        _conclude(message, MessageState.FAILED)
        return
    reply = send(subscription, message.payload)
    attempt(subscription, reply)
    if reply.is_taken:
        _conclude(message, MessageState.DELIVERED)
    elif _may_succeed_later(reply) and message.attempts <= len(BACKOFF):
        _postpone(message, reply)
    else:
        _conclude(message, MessageState.FAILED)


def _may_succeed_later(reply: Reply) -> bool:
    return reply.status is None or reply.status == TOO_MANY or reply.status >= 500


def _conclude(message: PushMessage, state: MessageState) -> None:
    PushMessage.objects.filter(pk=message.pk).update(state=state, due_at=None)


def _postpone(message: PushMessage, reply: Reply) -> None:
    """Try again later; what is waiting for the same push service waits with it."""
    delay = max(BACKOFF[message.attempts - 1], timedelta(seconds=min(reply.retry_after_s, TOO_OLD.total_seconds())))
    retry_at = database_clock.now() + delay
    PushMessage.objects.filter(pk=message.pk).update(due_at=retry_at)
    same_service = PushMessage.objects.filter(
        state=MessageState.PENDING, subscription__push_service=message.subscription.push_service
    )
    same_service.filter(due_at__lt=retry_at).update(due_at=retry_at)


@transaction.atomic
def _remove(subscription: PushSubscription) -> None:
    if PushSubscription.objects.filter(pk=subscription.pk).delete()[0]:
        audit.record(
            actor="console",
            action="console:push_subscription:gone",
            target=subscription.pk,
            facts={"user": subscription.user.username, "push_service": subscription.push_service},
        )
