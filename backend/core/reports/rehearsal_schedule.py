"""Which rehearsals a schedule demanded in a period, and which of them were missed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

GRACE: Final = timedelta(hours=1)
"""A worker takes one scheduled rehearsal at a time, so that one is late and not missed within this time."""


@dataclass(frozen=True, slots=True)
class ScheduleSetting:
    """A schedule from `at` on, until the next setting."""

    at: datetime
    is_enabled: bool
    every_hours: int
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeldRehearsal:
    """A rehearsal that took place, on a schedule or by hand."""

    kind: str
    at: datetime
    is_passed: bool


def missed(
    settings: Sequence[ScheduleSetting], held: Iterable[HeldRehearsal], since: datetime, until: datetime
) -> dict[str, int]:
    """Missed rehearsals by kind within [since, until): a kind is due once its interval has passed since the last one.

    A manual rehearsal counts as one of the schedule. `held` has those of before the period as well.
    """
    known = list(held)
    found: dict[str, int] = {}
    for setting, end in _spans(settings, until):
        if not setting.is_enabled or setting.every_hours <= 0:
            continue
        for kind in setting.kinds:
            times = sorted(one.at for one in known if one.kind == kind)
            count = _missed(times, timedelta(hours=setting.every_hours), setting.at, end, since)
            found[kind] = found.get(kind, 0) + count
    return found


def _spans(settings: Sequence[ScheduleSetting], until: datetime) -> list[tuple[ScheduleSetting, datetime]]:
    ordered = sorted(settings, key=lambda one: one.at)
    ends = [*(following.at for following in ordered[1:]), until]
    return [(one, min(end, until)) for one, end in zip(ordered, ends, strict=False) if one.at < min(end, until)]


def _missed(times: Sequence[datetime], every: timedelta, start: datetime, end: datetime, since: datetime) -> int:
    """The dates in [since, end) for which no rehearsal took place by the end of their grace."""
    before = [at for at in times if at <= start]
    due = max(start, before[-1] + every) if before else start
    count = 0
    while due + GRACE <= end:
        latest = max((at for at in times if at <= due + GRACE), default=None)
        if latest is not None and latest > due - every:
            due = latest + every
        else:
            count += due >= since
            due += every
    return count
