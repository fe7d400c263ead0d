"""Notifications of events: stored as rows first, sent by a worker, repeated until a webhook or destination accepted.

A failing receiver delays only itself: all its notifications wait until it is tried again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from backend.clusters.models import Link
from backend.common import database_clock
from backend.common.events import services as events
from backend.common.events.models import Event, EventType
from backend.common.outgoing.http_client import Reply
from backend.core.hooks import HookPhase
from backend.monitoring.models import LinkStatus
from backend.notifications.hooks.delivery import attempt, event_payload, raise_failed
from backend.notifications.hooks.event_choice import CONSOLE, is_held_back, lessened, matches
from backend.notifications.hooks.former_receivers import TOLD, address_of, as_it_was, missed, remembered
from backend.notifications.hooks.models import Delivery, DeliveryState, Hook

COMMIT_GRACE = timedelta(seconds=60)
"""Event ids may become visible out of order, but not later than this."""
TOO_OLD = timedelta(hours=24)
"""Events older than a day are not sent."""
BACKOFF = tuple(timedelta(seconds=s) for s in (5, 15, 60, 300, 900, 3600, 3600, 3600))
"""Delays after failed attempts; after the last one the notification is given up."""
CLAIM = timedelta(seconds=120)
"""If a worker crashes while it sends a notification, another one takes it after this time."""
WORK_S = 10.0
BATCH_SIZE = 200


@transaction.atomic
def enqueue_events(hook: Hook, now: datetime) -> int:
    """Create a row for every event that the webhook receives and that has none yet; returns their number."""
    fresh = _fresh_events(hook)
    links = _links_of(hook, fresh)
    due = [event for event in fresh if not is_held_back(hook, event, links.get(event.link_id), now)]
    young = [event for event in due if event.at > now - TOO_OLD]
    wanted = {_key(event): event for event in young if hook.is_told and matches(hook, event)}
    known = set(Delivery.objects.filter(hook=hook, key__in=wanted).values_list("key", flat=True))
    states = dict(LinkStatus.objects.filter(pk__in=links).values_list("pk", "state"))
    missing = [event for key, event in wanted.items() if key not in known]
    rows = [_notice(hook, event, links.get(event.link_id), states, now) for event in missing]
    rows += _former_notices(hook, young, links, states, now)
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)
    settled = [event.pk for event in fresh if event.at < now - COMMIT_GRACE]
    if settled:
        Hook.objects.filter(pk=hook.pk, event_cursor__lt=settled[-1]).update(event_cursor=settled[-1])
    return len(missing)


def _former_notices(
    hook: Hook, young: list[Event], links: Mapping[str, Link], states: Mapping[str, str], now: datetime
) -> list[Delivery]:
    """What the receiver is told where it was before it was silenced, once for each place."""
    rows = {}
    for event, former in missed(hook, young, now):
        row = _notice(as_it_was(hook, former), event, links.get(event.link_id), states, now)
        row.hook, row.key = hook, f"{_key(event)} {former['since']}"
        row.former = _former_of(as_it_was(hook, former))
        rows[row.key] = (_key(event), row)
    stored = Delivery.objects.filter(hook=hook, former__isnull=False)
    known = set(stored.filter(key__in=[*rows, *(own for own, _ in rows.values())]).values_list("key", flat=True))
    return [row for key, (own, row) in rows.items() if not {key, own} & known]


@transaction.atomic
def delete_receiver(actor: str, hook: Hook) -> None:
    """Delete a receiver with its deliveries. The others are told, it is as well, and what it was not sent.

    Its row stays for as long as it is told of protected changes.
    """
    kinds = _unsent(hook)
    lost = f" Not sent to it: {kinds}." if kinds else ""
    event = events.raised(
        link_id=hook.link_id or CONSOLE,
        kind="receiver.deleted",
        severity="warning",
        message=f"{actor} deleted the {hook.label}.{lost}"[:500],
        actor=actor,
    )
    kept = remembered(hook, database_clock.now(), event)
    if not kept:
        Hook.objects.filter(pk=hook.pk).delete()
        return
    _keep_told(hook, event)
    hook.deliveries.filter(former=None).delete()
    Hook.objects.filter(pk=hook.pk).update(is_deleted=True, enabled=False, name=hook.pk, **kept)


def announce_change(actor: str, before: Hook, after: Hook) -> None:
    """Tell the others, and the receiver as it was, that it is told less from now on or is another one."""
    changed = lessened(before, after)
    if before.enabled and address_of(before) != address_of(after):
        changed.append("another address or secret")
    if not changed:
        return
    kinds = _unsent(before)
    late = f" Not sent to it before: {kinds}." if kinds else ""
    event = events.raised(
        link_id=before.link_id or CONSOLE,
        kind="receiver.changed",
        severity="warning",
        message=f"{actor} changed the {before.label}: {', '.join(changed)}.{late}"[:500],
        actor=actor,
    )
    if before.phase == HookPhase.EVENT:
        _keep_told(before, event)
        if kept := remembered(before, database_clock.now(), event):
            Hook.objects.filter(pk=before.pk).update(**kept)


def _keep_told(before: Hook, event: Event) -> None:
    """Tell a receiver that is silenced of that, where it was, and of what it was to be told of protected changes."""
    event.refresh_from_db()
    now, links = database_clock.now(), _links_of(before, [event])
    states = dict(LinkStatus.objects.filter(pk__in=links).values_list("pk", "state"))
    former = _former_of(before)
    notice = _notice(before, event, before.link, states, now)
    notice.former = former
    notice.save(force_insert=True)
    told = Q(*(("kind__startswith", beginning) for beginning in TOLD), _connector=Q.OR)
    _waiting(before).filter(told).update(former=former)


def _former_of(hook: Hook) -> dict[str, Any]:
    return {"sealed": hook.sealed, "sealed_url": hook.sealed_url, "timeout_s": hook.timeout_s}


def _unsent(hook: Hook) -> str:
    """The kinds of what a receiver is still to be sent."""
    if hook.is_told:
        enqueue_events(hook, database_clock.now())
    return ", ".join(sorted(set(_pending(hook).values_list("kind", flat=True))))


def _pending(hook: Hook) -> QuerySet[Delivery]:
    return Delivery.objects.filter(hook=hook, state=DeliveryState.PENDING, phase=HookPhase.EVENT.value)


def _waiting(hook: Hook) -> QuerySet[Delivery]:
    """The notifications of events that a receiver is still to be sent where it is now, one after the other."""
    return _pending(hook).filter(former__isnull=True)


def _fresh_events(hook: Hook) -> list[Event]:
    """The first events that are not processed: of its link, or of all links and the console.

    What concerns the console names users and their changes: of that, whoever may change one link knows nothing.
    """
    rows = Event.objects.filter(type=EventType.RAISED, id__gt=hook.event_cursor)
    if hook.link_id is not None:
        rows = rows.filter(link_id=hook.link_id)
    return list(rows.order_by("id")[:BATCH_SIZE])


def _links_of(hook: Hook, events: Iterable[Event]) -> Mapping[str, Link]:
    """The links of the events by id."""
    if hook.link is not None:
        return {hook.link.pk: hook.link}
    return Link.objects.in_bulk({event.link_id for event in events if event.link_id})


def _key(event: Event) -> str:
    return f"event:{event.pk}"


def _notice(hook: Hook, event: Event, link: Link | None, states: Mapping[str, str], now: datetime) -> Delivery:
    at, state = event.at.isoformat().replace("+00:00", "Z"), states.get(link.pk, "unknown") if link else "unknown"
    return Delivery(
        hook=hook,
        key=_key(event),
        phase=HookPhase.EVENT.value,
        kind=event.data["kind"][:60],
        run_id=event.run_id,
        payload=event_payload(hook, link, event_id=event.pk, at=at, data=event.data, link_state=state),
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


def due_deliveries(now: datetime) -> QuerySet[Delivery]:
    """What is to be sent now: to receivers that are on, a test, and what tells one that was on of its change."""
    is_on = Q(hook__enabled=True) | Q(phase=HookPhase.TEST.value) | Q(former__isnull=False)
    return Delivery.objects.filter(is_on, state=DeliveryState.PENDING, due_at__lte=now)


def _claim() -> Delivery | None:
    """The oldest due notification; of two workers one gets it."""
    now = database_clock.now()
    due = due_deliveries(now).order_by("created_at", "id")
    for row in due[:20]:
        if _waits_for_another(row):
            continue
        if Delivery.objects.filter(pk=row.pk, state=DeliveryState.PENDING, due_at__lte=now).update(due_at=now + CLAIM):
            return Delivery.objects.select_related("hook__link").get(pk=row.pk)
    return None


def _waits_for_another(delivery: Delivery) -> bool:
    """Whether an earlier event of the same receiver is not sent yet: an end must not arrive before its beginning."""
    if delivery.phase != HookPhase.EVENT or delivery.former is not None:
        return False
    return _waiting(delivery.hook).filter(created_at__lt=delivery.created_at).exists()


def _deliver(delivery: Delivery) -> None:
    hook = delivery.hook
    timeout_s = (delivery.former or {}).get("timeout_s", hook.timeout_s)
    reply = attempt(hook, delivery, timeout_s=timeout_s)
    if reply.is_taken:
        if reply.error:  # only a part of the recipients got it
            raise_failed(hook, delivery)
        return
    if delivery.phase == HookPhase.TEST:
        _give_up(delivery)
    elif delivery.attempts > len(BACKOFF):
        _give_up(delivery)
        raise_failed(hook, delivery)
    else:
        _postpone(delivery, reply)


def _give_up(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.FAILED, due_at=None)


def _postpone(delivery: Delivery, reply: Reply) -> None:
    """Try again later; what is waiting for the same receiver waits with it."""
    asked = min(timedelta(seconds=reply.retry_after_s), BACKOFF[-1])
    retry_at = database_clock.now() + max(BACKOFF[delivery.attempts - 1], asked)
    Delivery.objects.filter(pk=delivery.pk).update(due_at=retry_at)
    if delivery.former is None:
        _waiting(delivery.hook).filter(due_at__lt=retry_at).update(due_at=retry_at)


def reset_cursor(hook: Hook) -> None:
    """Skip all events until now: the webhook is new, or was disabled. Where it was before, it is told of them."""
    was_off = Hook.objects.get(pk=hook.pk)
    was_off.enabled = False
    if was_off.formers:
        enqueue_events(was_off, database_clock.now())
    newest = Event.objects.aggregate(last=Max("id"))["last"] or 0
    Hook.objects.filter(pk=hook.pk).update(event_cursor=newest)
    error = f"given up: the {hook.label.split()[0]} was disabled"
    _waiting(hook).update(state=DeliveryState.FAILED, due_at=None, error=error)
