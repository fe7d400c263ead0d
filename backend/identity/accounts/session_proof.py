"""What the user of a session proved and when: the password, a second factor or both. It is stored in the session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from backend.common.roles import CONSOLE_WIDE, PERMISSIONS, Role
from backend.identity.accounts.models import User

_KEY: Final = "hawser_proof"


@dataclass(frozen=True, slots=True)
class Proof:
    """The last proof of a session; `factor` is the second factor it was opened or confirmed with, empty for none."""

    at: datetime | None
    factor: str

    def is_recent(self, max_age_s: float) -> bool:
        """Whether the proof is at most that old. An unknown time is not."""
        return self.at is not None and timezone.now() - self.at <= timedelta(seconds=max_age_s)


def record(request: HttpRequest, *, factor: str) -> None:
    """Store a proof given now; without a factor the session keeps the one it has."""
    request.session[_KEY] = {"at": timezone.now().isoformat(), "factor": factor or of(request).factor}


def of(request: HttpRequest) -> Proof:
    """The last proof of the session."""
    stored = request.session.get(_KEY) or {}
    at = stored.get("at")
    return Proof(datetime.fromisoformat(at) if at else None, str(stored.get("factor", "")))


def is_factor_required(user: User) -> bool:
    """Whether the user needs a second factor: who may do, anywhere, what a role of the setting may do for a scope."""
    if not settings.HAWSER_SECOND_FACTOR_ROLES:
        return False
    held = user.privileges().anywhere()
    return any(PERMISSIONS[Role(name)] - CONSOLE_WIDE <= held for name in settings.HAWSER_SECOND_FACTOR_ROLES)


def lacks_factor(request: HttpRequest, user: User) -> bool:
    """Whether the session needs a second factor that was not given in it."""
    return is_factor_required(user) and not of(request).factor
