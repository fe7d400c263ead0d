"""The hash under HAWSER_SECRET_KEY that binds a session to its user's password, while that key is being replaced.

Django gives a session whose hash was made with a fallback key a new key at its next call. Calls of the same browser
that are under way still carry the old one, and would be answered as signed out; a process in which the other key is
the first one would do the same again. So a session keeps its key and its hash until it ends.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user, load_backend
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from backend.identity.accounts.models import User


def session_hashes(user: User) -> list[str]:
    """The user's hash under the key in force, then under each fallback key."""
    return [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]


def session_user(request: HttpRequest) -> User | AnonymousUser:
    """The user of the session, whichever listed key its hash was made with."""
    held = request.session.get(HASH_SESSION_KEY, "")
    user = _stored_user(request) if held and settings.SECRET_KEY_FALLBACKS else None
    if user is not None and any(constant_time_compare(held, one) for one in user.get_session_auth_fallback_hash()):
        return user
    found = get_user(request)
    return found if isinstance(found, User) else AnonymousUser()


class SessionUserMiddleware(AuthenticationMiddleware):
    """Django's, except for `session_user`."""

    def process_request(self, request: HttpRequest) -> None:
        """Sets `request.user`, which is read at its first use."""
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: session_user(request))  # type: ignore[assignment]


def _stored_user(request: HttpRequest) -> User | None:
    backend = request.session.get(BACKEND_SESSION_KEY, "")
    if backend not in settings.AUTHENTICATION_BACKENDS:
        return None
    found: Any = load_backend(backend).get_user(request.session.get(SESSION_KEY))
    return found if isinstance(found, User) else None
