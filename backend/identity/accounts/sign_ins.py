"""Sign-ins of browsers. One that has ended or is idle is invalid for requests and streams alike."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from backend.common.errors import not_found
from backend.common.request_context import current
from backend.identity.accounts.models import SignIn, User
from backend.identity.accounts.session_store import stored_key

_TOUCH_EVERY = timedelta(seconds=30)
IDLE_HEADER = "X-Hawser-Idle"
"""Sent by the page with its automatic requests while the user is inactive."""


def begin(request: HttpRequest, user: User) -> SignIn:
    """Store that the user signed in with this session, whose key is new."""
    if request.session.session_key is None:
        request.session.save()
    return SignIn.objects.create(
        user=user,
        session_key=stored_key(request.session.session_key),
        source_ip=current.get().source_ip,
        user_agent=request.headers.get("User-Agent", "")[:200],
    )


def live(user: User) -> QuerySet[SignIn]:
    """Active sign-ins of the user, newest first."""
    oldest = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    idle = timezone.now() - timedelta(seconds=settings.HAWSER_SESSION_IDLE_S)
    rows = SignIn.objects.filter(user=user, ended_at=None, created_at__gt=oldest, last_active_at__gt=idle)
    return rows.order_by("-created_at")


def of_session(session_key: str | None, user: User) -> SignIn | None:
    """The sign-in of a session, if it is active."""
    return live(user).filter(session_key=stored_key(session_key)).first() if session_key else None


def touch(sign_in: SignIn) -> None:
    """Record activity of the user."""
    now = timezone.now()
    if now - sign_in.last_active_at > _TOUCH_EVERY:
        SignIn.objects.filter(pk=sign_in.pk).update(last_active_at=now)


def sign_in_get(user: User, sign_in_id: str) -> SignIn:
    """One active sign-in of that user; 404 if it does not exist."""
    found = live(user).filter(pk=sign_in_id).first()
    if found is None:
        raise not_found("session")
    return found


def end_of_request(request: HttpRequest) -> None:
    """End the sign-in of this request's session, if it has one."""
    end(SignIn.objects.filter(session_key=stored_key(request.session.session_key)))


def end(rows: QuerySet[SignIn]) -> int:
    """End these sign-ins at once; returns their number."""
    keys = list(rows.values_list("session_key", flat=True))
    ended = SignIn.objects.filter(session_key__in=keys, ended_at=None).update(ended_at=timezone.now())
    Session.objects.filter(session_key__in=keys).delete()
    return ended
