"""Ends the access of users: sessions, tokens, Web Push and, within two seconds, open event streams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.utils import timezone

from backend.identity.accounts import sign_ins
from backend.identity.accounts.models import ApiToken, SignIn, User

_MORE: Final[dict[str, Callable[[User | None], int]]] = {}


def register(fact: str, end: Callable[[User | None], int]) -> None:
    """Register what else ends with the access of a user, or of all (None); `end` returns the number, shown as `fact`.

    A package of a higher layer calls it once when the application is ready.
    """
    _MORE[fact] = end


def end_access(user: User, *, but_session_key: str | None = None) -> dict[str, int]:
    """End all sessions and tokens of the user, except one session; returns the number of each."""
    rows = SignIn.objects.filter(user=user, ended_at=None).exclude(session_key=but_session_key or "")
    tokens = ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())
    return {"sessions_ended": sign_ins.end(rows), "tokens_revoked": tokens, **_end_more(user)}


def end_all_access() -> dict[str, int]:
    """End all sessions and tokens of all users, for example after a restore of the console's database."""
    tokens = ApiToken.objects.filter(revoked_at=None).update(revoked_at=timezone.now())
    sessions = sign_ins.end(SignIn.objects.filter(ended_at=None))
    return {"sessions_ended": sessions, "tokens_revoked": tokens, **_end_more(None)}


def _end_more(user: User | None) -> dict[str, int]:
    return {fact: end(user) for fact, end in _MORE.items()}
