"""Events, and webhooks that are told of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.notifications.hooks.models import Hook
from tests.support.webhook_receiver import Receiver
from tests.support.webhooks import make_hook


def raised(link: Link, kind: str, severity: str = "warning", *, age: timedelta = timedelta()) -> Event:
    """An event of the link."""
    event = events.raised(link_id=link.id, kind=kind, severity=severity, message=f"{kind} happened")
    Event.objects.filter(pk=event.pk).update(at=timezone.now() - age)
    return event


def notice_hook(link: Link, receiver: Receiver, **changes: Any) -> Hook:
    """A webhook that is told of events."""
    return make_hook(link, receiver, **({"phase": "event", "blocking": False} | changes))
