"""Slows down guessing: counted in the database, before the password is looked at."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from backend.accounts.models import LoginCounter
from backend.common.errors import ProblemError


def count_attempt(*, username: str, source_ip: str) -> None:
    """Count one attempt for the name and for the address; raises 429 past the limit.

    Parallel attempts wait for each other at the counter's row, so none slips past the limit.
    An address may try ten times as often as a name: many people sit behind one.
    """
    allowed = _keys(username, source_ip, settings.HAWSER_LOGIN_LIMIT)
    for key in allowed:
        # Outside the transaction: an insert that meets its twin there, and then locks, deadlocks.
        LoginCounter.objects.get_or_create(key=key, defaults={"window_started_at": timezone.now()})
    with transaction.atomic():
        blocked = [_count(key, allowed[key]) for key in sorted(allowed)]
    if any(blocked):
        wait = settings.HAWSER_LOGIN_WINDOW_S
        raise ProblemError(
            429,
            "too_many_attempts",
            f"Too many failed sign-ins; wait up to {wait // 60} minutes or ask an administrator.",
            headers={"Retry-After": str(wait)},
        )


def forget(*, username: str, source_ip: str) -> None:
    """A successful sign-in clears its counters."""
    LoginCounter.objects.filter(key__in=_keys(username, source_ip, 0)).delete()


def _keys(username: str, source_ip: str, limit: int) -> dict[str, int]:
    return {f"name:{username.lower()}": limit, f"address:{source_ip}": limit * 10}


def _count(key: str, allowed: int) -> bool:
    now = timezone.now()
    counter = LoginCounter.objects.select_for_update().filter(key=key).first()
    if counter is None:  # a sign-in that succeeded meanwhile cleared it
        return False
    if now - counter.window_started_at > timedelta(seconds=settings.HAWSER_LOGIN_WINDOW_S):
        counter.failures, counter.window_started_at = 0, now
    if counter.failures >= allowed:
        return True
    counter.failures += 1
    counter.save(update_fields=["failures", "window_started_at"])
    return False
