"""Reads and stores how the page shows things to a user."""

from __future__ import annotations

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from backend.common.errors import invalid
from backend.identity.accounts.models import Preferences, User

LOCAL_ZONE = "local"


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) | {LOCAL_ZONE}


def preferences_of(user: User) -> Preferences:
    """The stored preferences; the defaults, unsaved, where the user has never changed one."""
    return Preferences.objects.filter(user=user).first() or Preferences(user=user)


def preferences_update(*, user: User, changes: dict[str, Any]) -> Preferences:
    """Store what was changed. Nothing is audited: a preference has an effect on nothing but the user's own pages."""
    zone = changes.get("time_zone", LOCAL_ZONE)
    if zone not in _zones():
        raise invalid("time_zone", f"The time zone {zone} is unknown. Enter an IANA name, UTC or {LOCAL_ZONE}.")
    stored, _ = Preferences.objects.update_or_create(user=user, defaults=changes)
    return stored
