"""Where sign-in asks for a second factor. `backend.identity.second_factors` checks them, and registers itself here.

A sign-in that waits for its second factor is no sign-in: the session holds who it would be, and every call is
answered as without a session.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final, Protocol

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from backend.common.errors import ProblemError
from backend.identity.accounts.models import User
from backend.identity.accounts.session_hash import session_hashes

PENDING_S: Final = 600
_PENDING: Final = "hawser_second_factor_pending"


class SecondFactors(Protocol):
    """The second factors of users."""

    def ways_of(self, user: User) -> list[str]:
        """How the user can give a second factor, the best first; empty without one."""

    def is_code_right(self, user: User, code: str) -> bool:
        """Whether this is a code of the user that was not used before; it is used up by this.

        Attempts are counted; raises 429 beyond the limit.
        """

    def counts_of(self, user: User) -> dict[str, int]:
        """The number of the user's `apps`, `passkeys` and unused `recovery_codes`."""

    def remove_all(self, user: User) -> dict[str, int]:
        """Remove all factors of the user; returns the number of each."""


_registered: list[SecondFactors] = []


def register(factors: SecondFactors) -> None:
    """Register the store of second factors; called once when the application is ready."""
    _registered[:] = [factors]


def factors() -> SecondFactors:
    """The registered store. Without one every sign-in fails: no factor must be skipped."""
    if not _registered:
        raise ImproperlyConfigured("backend.identity.second_factors is not among INSTALLED_APPS.")
    return _registered[0]


def suspend(request: HttpRequest, user: User, ways: Sequence[str]) -> ProblemError:
    """Keep in a new session who signs in, until the second factor is given; returns the answer."""
    request.session.flush()
    request.session[_PENDING] = {
        "user": user.pk,
        "hash": user.get_session_auth_hash(),
        "backend": getattr(user, "backend", None),
        "at": time.time(),
    }
    request.session.set_expiry(PENDING_S)
    return needed(ways)


def pending_user(request: HttpRequest) -> User | None:
    """Who signs in with this session and has yet to give a second factor.

    Disabling the user or a new password ends it.
    """
    held: dict[str, Any] = request.session.get(_PENDING) or {}
    if not held or time.time() - held["at"] > PENDING_S:
        return None
    user = User.objects.filter(pk=held["user"], is_active=True).first()
    if user is None or not any(constant_time_compare(held["hash"], one) for one in session_hashes(user)):
        return None
    if held["backend"]:
        user.backend = held["backend"]
    return user


def needed(ways: Sequence[str]) -> ProblemError:
    """The answer to a sign-in that waits for its second factor."""
    detail = "You are not signed in yet. Give your second factor."
    return ProblemError(401, "second_factor_needed", detail, ways=list(ways))
