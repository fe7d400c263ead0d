"""Turns events into messages: stored as rows first, so that a loss of Redis or of a worker loses none."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction

from backend.clusters.models import Link
from backend.common.events.models import Event, EventType
from backend.common.roles import Permission
from backend.notifications.hooks.event_choice import is_observed
from backend.notifications.hooks.notifications import COMMIT_GRACE
from backend.notifications.web_push.messages import is_chosen, kind_of, message_of
from backend.notifications.web_push.models import PushMessage, PushSubscription

TOO_OLD = timedelta(hours=1)
"""An older event is no news: no browser is told of it."""
BATCH_SIZE = 200


@transaction.atomic
def enqueue_events(now: datetime) -> int:
    """Create a row for each new event and browser that is told of it; returns the number of new rows."""
    subscriptions = list(PushSubscription.objects.select_related("user").filter(user__is_active=True))
    if not subscriptions:
        return 0
    done = min(one.event_cursor for one in subscriptions)
    fresh = list(Event.objects.filter(type=EventType.RAISED, id__gt=done).order_by("id")[:BATCH_SIZE])
    missing = list(_missing(fresh, subscriptions, now))
    PushMessage.objects.bulk_create(missing, ignore_conflicts=True)
    settled = [event.pk for event in fresh if event.at < now - COMMIT_GRACE]
    if settled:
        PushSubscription.objects.filter(event_cursor__lt=settled[-1]).update(event_cursor=settled[-1])
    return len(missing)


def _missing(events: list[Event], subscriptions: list[PushSubscription], now: datetime) -> Iterator[PushMessage]:
    """The rows that do not exist yet."""
    links = {link.pk: link for link in Link.objects.filter(pk__in={event.link_id for event in events})}
    keys = {event.pk: f"event:{event.pk}" for event in events}
    known = set(PushMessage.objects.filter(key__in=keys.values()).values_list("subscription_id", "key"))
    privileges = {one.user_id: one.user.privileges() for one in subscriptions}
    for event in events:
        kind, link = kind_of(event), links.get(event.link_id)
        if kind is None or event.at < now - TOO_OLD:
            continue
        if link is not None and link.is_paused(now) and is_observed(event):
            continue
        payload = message_of(event, kind, link.name if link else "")
        for one in subscriptions:
            if Permission.READ not in privileges[one.user_id].on_link(event.link_id):
                continue
            is_new = event.pk > one.event_cursor and (one.pk, keys[event.pk]) not in known
            if is_new and is_chosen(one, kind):
                yield PushMessage(subscription=one, key=keys[event.pk], payload=payload, created_at=now, due_at=now)
