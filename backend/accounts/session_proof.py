"""What the user of a session proved and when: the password, a second factor or both. It is stored in the session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from backend.accounts.models import User
from backend.common.roles import Role

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


def is_factor_required(role: str) -> bool:
    """Whether users of the role need a second factor: the lowest role of the setting and every role above it."""
    ranks = [Role(name).rank for name in settings.HAWSER_SECOND_FACTOR_ROLES]
    return bool(ranks) and Role(role).rank >= min(ranks)


def lacks_factor(request: HttpRequest, user: User) -> bool:
    """Whether the session needs a second factor that was not given in it."""
    return is_factor_required(user.role) and not of(request).factor
