"""Notifications of a link's events for its webhooks: stored as rows first, sent by a worker, repeated until accepted.

A failing receiver delays only itself: all its notifications wait until it is tried again.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from backend.common.events.models import Event, EventType
from backend.core.findings import Severity
from backend.core.hooks import HookPhase
from backend.hooks.delivery import attempt, event_payload, raise_failed
from backend.hooks.models import Delivery, DeliveryState, Hook
from backend.monitoring.models import LinkStatus

COMMIT_GRACE = timedelta(seconds=60)
"""Event ids may become visible out of order, but not later than this."""
CONSOLE = ""
"""Used instead of a link for events of the console as a whole: every webhook receives them."""
TOO_OLD = timedelta(hours=24)
"""Events older than a day are not sent."""
BACKOFF = tuple(timedelta(seconds=s) for s in (5, 15, 60, 300, 900, 3600, 3600, 3600))
"""Delays after failed attempts; after the last one the notification is given up."""
CLAIM = timedelta(seconds=120)
"""If a worker crashes while it sends a notification, another one takes it after this time."""
WORK_S = 10.0
BATCH_SIZE = 200
_RANK = {Severity.OK: 0, Severity.INFO: 0, Severity.WARNING: 1, Severity.UNKNOWN: 2, Severity.BLOCKER: 3}
"""Rank of an event's severity; good news ranks like any other."""


@transaction.atomic
def enqueue_events(hook: Hook, now: datetime) -> int:
    """Create a row for every event that the webhook receives and that has none yet; returns their number."""
    rows = Event.objects.filter(type=EventType.RAISED, link_id__in=(hook.link_id, CONSOLE), id__gt=hook.event_cursor)
    fresh = list(rows.order_by("id")[:BATCH_SIZE])
    due = [event for event in fresh if not (hook.link.is_paused(now) and is_observed(event))]
    wanted = {_key(event): event for event in due if event.at > now - TOO_OLD and matches(hook, event)}
    known = set(Delivery.objects.filter(hook=hook, key__in=wanted).values_list("key", flat=True))
    status = LinkStatus.objects.filter(pk=hook.link_id).values_list("state", flat=True).first() or "unknown"
    missing = [event for key, event in wanted.items() if key not in known]
    Delivery.objects.bulk_create([_notice(hook, event, status, now) for event in missing], ignore_conflicts=True)
    settled = [event.pk for event in fresh if event.at < now - COMMIT_GRACE]
    if settled:
        Hook.objects.filter(pk=hook.pk, event_cursor__lt=settled[-1]).update(event_cursor=settled[-1])
    return len(missing)


def matches(hook: Hook, event: Event) -> bool:
    """Whether an event has the severity and a kind that the webhook receives."""
    kind, severity = event.data["kind"], event.data["severity"]
    if kind.startswith("hook.") or severity not in set(Severity):
        return False
    asked = not hook.kinds or any(kind.startswith(beginning) for beginning in hook.kinds)
    return asked and _RANK[Severity(severity)] >= _RANK[Severity(hook.min_severity)]


def is_observed(event: Event) -> bool:
    """Whether the event reports what the monitor saw: no webhook is told of it during a maintenance of the link."""
    seen = ("node.", "link.", "channel.", "site.", "advice.")
    return event.link_id != CONSOLE and event.data["kind"].startswith(seen)


def _key(event: Event) -> str:
    return f"event:{event.pk}"


def _notice(hook: Hook, event: Event, link_state: str, now: datetime) -> Delivery:
    at = event.at.isoformat().replace("+00:00", "Z")
    return Delivery(
        hook=hook,
        key=_key(event),
        phase=HookPhase.EVENT.value,
        kind=event.data["kind"][:60],
        run_id=event.run_id,
        payload=event_payload(hook, event_id=event.pk, at=at, data=event.data, link_state=link_state),
        due_at=now,
    )


def deliver_due() -> int:
    """Send what is due, for some seconds, one at a time; returns the number of attempts."""
    until, tried = time.monotonic() + WORK_S, 0
    while time.monotonic() < until:
        delivery = _claim()
        if delivery is None:
            break
        _deliver(delivery)
        tried += 1
    return tried


def _claim() -> Delivery | None:
    """The oldest due notification; of two workers one gets it."""
    now = timezone.now()
    due = Delivery.objects.filter(state=DeliveryState.PENDING, due_at__lte=now, hook__enabled=True)
    for pk in due.order_by("created_at", "id").values_list("pk", flat=True)[:20]:
        if Delivery.objects.filter(pk=pk, state=DeliveryState.PENDING, due_at__lte=now).update(due_at=now + CLAIM):
            return Delivery.objects.select_related("hook__link").get(pk=pk)
    return None


def _deliver(delivery: Delivery) -> None:
    hook = delivery.hook
    if attempt(hook, delivery, timeout_s=hook.timeout_s).is_taken:
        return
    if delivery.attempts > len(BACKOFF):
        Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.FAILED, due_at=None)
        raise_failed(hook, delivery)
        return
    retry_at = timezone.now() + BACKOFF[delivery.attempts - 1]
    waiting = Delivery.objects.filter(hook=hook, state=DeliveryState.PENDING)
    waiting.filter(Q(pk=delivery.pk) | Q(due_at__lt=retry_at)).update(due_at=retry_at)


def reset_cursor(hook: Hook) -> None:
    """Skip all events until now: the webhook is new, or was disabled."""
    newest = Event.objects.aggregate(last=Max("id"))["last"] or 0
    Hook.objects.filter(pk=hook.pk).update(event_cursor=newest)
    Delivery.objects.filter(hook=hook, state=DeliveryState.PENDING, phase=HookPhase.EVENT.value).update(
        state=DeliveryState.FAILED, due_at=None, error="given up: the webhook was disabled"
    )
