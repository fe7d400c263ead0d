"""Drops expired rows: old events, stored responses, ended sessions. The audit log is never touched."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from backend.common import heartbeats
from backend.common.events import services as events
from backend.common.rest import idempotency
from backend.common.retention import delete_in_portions

EVERY = timedelta(hours=1)


def sweep() -> None:
    """Drop expired rows once an hour, whichever process calls."""
    if not heartbeats.is_due("sweep", EVERY):
        return
    events.forget_old()
    idempotency.forget_old()
    delete_in_portions(Session.objects.filter(expire_date__lt=timezone.now()))
