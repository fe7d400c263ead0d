"""Advice that a person dismissed until a time. It is open again when its facts change or the time is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from backend.core.adviser.advice.model import Advice

LONGEST: Final = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Dismissal:
    """One dismissal: of these facts (`fingerprint`) of this code and subject only."""

    id: str
    code: str
    subject_id: str
    fingerprint: str
    reason: str
    by: str
    at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class JudgedAdvice:
    """Advice with the dismissal that counts now; None: it is open."""

    advice: Advice
    dismissal: Dismissal | None


def judged(advice: Iterable[Advice], dismissals: Sequence[Dismissal], now: datetime) -> list[JudgedAdvice]:
    """Open advice first, each part in the order given."""
    counting = {(d.code, d.subject_id, d.fingerprint): d for d in dismissals if now < d.expires_at}
    found = [JudgedAdvice(one, counting.get((one.code, one.subject_id, one.fingerprint))) for one in advice]
    return sorted(found, key=lambda one: one.dismissal is not None)
