"""Tells once of each token that ends soon; called by the monitor."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from backend.common import heartbeats
from backend.common.events import services as events
from backend.identity.accounts.models import ApiToken
from backend.identity.accounts.own_notifications import ending_tokens, sentence_of

EVERY = timedelta(hours=1)


def tick() -> None:
    """Once an hour, whichever process calls."""
    if heartbeats.is_due("token ends", EVERY):
        notify()


def notify() -> int:
    """Raise an event for each token of which none was raised yet; returns their number."""
    # A token that was made for a shorter time ends as its user meant it.
    rows = [one for one in ending_tokens().filter(end_told_at=None).select_related("user")[:100] if _is_long(one)]
    for token in rows:
        with transaction.atomic():
            ApiToken.objects.filter(pk=token.pk).update(end_told_at=timezone.now())
            events.raised(
                link_id="",
                kind="token.ends_soon",
                severity="warning",
                message=sentence_of(token),
                actor=token.user.username,
                subject=token.id,
            )
    return len(rows)


def _is_long(token: ApiToken) -> bool:
    return token.expires_at - token.created_at > timedelta(days=15)
