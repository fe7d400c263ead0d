"""A signed cookie with which a browser proves that a user signed in there before. It grants no access.

Such a browser has a counter of its own, so that strangers behind the same address cannot use up its attempts.
A new password invalidates the cookie.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare

from backend.identity.accounts.models import User
from backend.identity.accounts.session_hash import session_hashes

USERS_KEPT: Final = 5
"""Several users may share the browser of a control room."""
_SALT: Final = "hawser.known-browser"


def browser_id(request: HttpRequest, username: str) -> str | None:
    """The id of the browser, if this user has signed in there since the last change of the password."""
    held = _held(request)
    user = User.objects.filter(username=username).first() if held["users"] else None
    known = "" if user is None else held["users"].get(str(user.pk), "")
    if user is None or not any(constant_time_compare(known, _digest(one)) for one in session_hashes(user)):
        return None
    return str(held["browser"])


def remember(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Give the browser its cookie after a sign-in."""
    held = _held(request)
    earlier = [(key, value) for key, value in held["users"].items() if key != str(user.pk)]
    users = {**dict(earlier[1 - USERS_KEPT :]), str(user.pk): _digest(user.get_session_auth_hash())}
    response.set_cookie(
        settings.HAWSER_BROWSER_COOKIE_NAME,
        signing.dumps({"browser": held["browser"], "users": users}, salt=_SALT),
        max_age=settings.HAWSER_BROWSER_COOKIE_AGE_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def _held(request: HttpRequest) -> dict[str, Any]:
    """The content of the cookie; that of a new browser if there is none or its signature is wrong."""
    given = request.COOKIES.get(settings.HAWSER_BROWSER_COOKIE_NAME, "")
    try:
        held = signing.loads(given, salt=_SALT, max_age=settings.HAWSER_BROWSER_COOKIE_AGE_S)
    except signing.BadSignature:
        return {"browser": secrets.token_hex(8), "users": {}}
    return dict(held)


def _digest(session_hash: str) -> str:
    return hashlib.sha256(session_hash.encode()).hexdigest()[:32]
