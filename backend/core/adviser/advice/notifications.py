"""When a person is told of advice of high risk: once when it appears, once when it is resolved, never of flapping."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

QUIET: Final = timedelta(minutes=30)
"""Advice must be gone for so long before it counts as resolved, and is told at most once in this time."""


class Standing(StrEnum):
    """How a piece of advice stands now. `UNKNOWN`: it is not given, but not all nodes were read."""

    OPEN = "open"
    DISMISSED = "dismissed"
    GONE = "gone"
    UNKNOWN = "unknown"


class Notice(StrEnum):
    """What is sent."""

    APPEARED = "appeared"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Reported:
    """What was told of advice: `is_open` until it is resolved or dismissed, `at` when it was last told to be open."""

    at: datetime | None = None
    is_open: bool = False
    gone_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is sent now, and what is kept; `reported` is None where nothing needs to be kept."""

    notice: Notice | None
    reported: Reported | None


def judge(reported: Reported, standing: Standing, now: datetime) -> Judgement:
    """What is unknown changes nothing: advice is resolved only where all nodes were read without it."""
    if standing is Standing.OPEN:
        return _open(reported, now)
    if standing is Standing.GONE:
        return _gone(reported, now)
    is_open = reported.is_open and standing is Standing.UNKNOWN
    return Judgement(None, Reported(reported.at, is_open) if reported.at else None)


def _open(reported: Reported, now: datetime) -> Judgement:
    """Advice that is open again soon after it was told waits, and is told if it stays open."""
    is_due = not reported.is_open and (reported.at is None or now - reported.at >= QUIET)
    if is_due:
        return Judgement(Notice.APPEARED, Reported(now, is_open=True))
    return Judgement(None, Reported(reported.at, reported.is_open))


def _gone(reported: Reported, now: datetime) -> Judgement:
    since = reported.gone_since or now
    if now - since < QUIET and reported.at is not None:
        return Judgement(None, Reported(reported.at, reported.is_open, since))
    return Judgement(Notice.RESOLVED if reported.is_open else None, None)
