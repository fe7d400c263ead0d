"""The stored resolutions of the lag, and which of them makes the points of a curve. The caller passes the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings

STEPS: Final = (
    *(1, 2, 5, 10, 20, 30),
    *(minutes * 60 for minutes in (1, 2, 3, 5, 10, 20, 30)),
    *(hours * 3600 for hours in (1, 2, 3, 4, 6, 12, 24)),
)
"""Seconds that one point of a curve may cover; those that are wider than a stored resolution are multiples of it."""
_EPOCH: Final = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class Archive:
    """A stored resolution: `width_s` is 1 for the samples, else the width of its buckets."""

    width_s: int
    keep: timedelta

    def covers(self, since: datetime, now: datetime) -> bool:
        """Whether its rows of that time are still stored."""
        return now - since <= self.keep


@dataclass(frozen=True, slots=True)
class Resolution:
    """The points of a curve: each covers `step_s` seconds and is made from rows of `archive`."""

    archive: Archive
    step_s: int


def archives() -> tuple[Archive, ...]:
    """All archives, finest first."""
    return (
        Archive(1, timedelta(hours=settings.HAWSER_LAG_SAMPLES_H)),
        Archive(10, timedelta(days=settings.HAWSER_LAG_10S_DAYS)),
        Archive(60, timedelta(days=settings.HAWSER_LAG_1MIN_DAYS)),
        Archive(600, timedelta(days=settings.HAWSER_LAG_10MIN_DAYS)),
    )


def finest(stored: Sequence[Archive], since: datetime, now: datetime) -> Archive:
    """The finest archive that reaches back so far, else the one that reaches back furthest."""
    covering = [archive for archive in stored if archive.covers(since, now)]
    return covering[0] if covering else max(stored, key=lambda archive: (archive.keep, -archive.width_s))


def automatic(stored: Sequence[Archive], since: datetime, until: datetime, now: datetime, points: int) -> Resolution:
    """The finest resolution that is stored for all of the time and has at most so many points."""
    least_s = max((until - since).total_seconds() / points, finest(stored, since, now).width_s)
    step_s = next((step for step in STEPS if step >= least_s), STEPS[-1])
    return chosen(stored, step_s, since, now)


def chosen(stored: Sequence[Archive], step_s: int, since: datetime, now: datetime) -> Resolution:
    """A given resolution, made from the coarsest archive that is fine enough and reaches back so far."""
    fitting = [archive for archive in stored if step_s % archive.width_s == 0]
    covering = [archive for archive in fitting if archive.covers(since, now)]
    return Resolution((covering or fitting)[-1], step_s)


def floor_to(moment: datetime, width_s: int) -> datetime:
    """The beginning of the bucket that holds this time."""
    return at_slot(slot_of(moment, width_s), width_s)


def slot_of(moment: datetime, width_s: int) -> int:
    """The number of that bucket, counted from 1970 on."""
    return (moment - _EPOCH) // timedelta(seconds=width_s)


def at_slot(slot: int, width_s: int) -> datetime:
    """The beginning of the bucket with this number."""
    return _EPOCH + timedelta(seconds=slot * width_s)
