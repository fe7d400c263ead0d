"""Ends the access of users: sessions, tokens and, within two seconds, open event streams."""

from __future__ import annotations

from django.utils import timezone

from backend.accounts import sign_ins
from backend.accounts.models import ApiToken, SignIn, User


def end_access(user: User, *, but_session_key: str | None = None) -> dict[str, int]:
    """End all sessions and tokens of the user, except one session; returns the number of each."""
    rows = SignIn.objects.filter(user=user, ended_at=None).exclude(session_key=but_session_key or "")
    tokens = ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())
    return {"sessions_ended": sign_ins.end(rows), "tokens_revoked": tokens}


def end_all_access() -> dict[str, int]:
    """End all sessions and tokens of all users, for example after a restore of the console's database."""
    tokens = ApiToken.objects.filter(revoked_at=None).update(revoked_at=timezone.now())
    return {"sessions_ended": sign_ins.end(SignIn.objects.filter(ended_at=None)), "tokens_revoked": tokens}
