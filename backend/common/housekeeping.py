"""Drops what is over: old events, kept answers, dead sessions. The audit record is never touched."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from backend.common import heartbeats
from backend.common.events import services as events
from backend.common.rest import idempotency

EVERY = timedelta(hours=1)


def sweep() -> None:
    """Once an hour, whoever calls."""
    if not heartbeats.is_due("sweep", EVERY):
        return
    events.forget_old()
    idempotency.forget_old()
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
