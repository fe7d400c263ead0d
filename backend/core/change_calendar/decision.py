"""Whether an operation may start now: the calendar goes in, the reasons against it come out. No reason, no objection.

An entry that cannot be evaluated is a reason: unknown never passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from backend.core.change_calendar.windows import CalendarError, Opening, Window
from backend.core.plans.kinds import OPERATIONS

_MOST_STARTS = 100
"""So many starts of single calendars are tried as a start of all."""


@dataclass(frozen=True, slots=True)
class Freeze:
    """No planned operation starts between two times."""

    name: str
    reason: str
    begins_at: datetime
    ends_at: datetime
    id: str = ""


@dataclass(frozen=True, slots=True)
class Calendar:
    """What applies to one link. Without any window, the whole time is open."""

    windows: tuple[Window, ...] = ()
    freezes: tuple[Freeze, ...] = ()


@dataclass(frozen=True, slots=True)
class Objection:
    """One reason why a planned operation may not start now; `entries` are the ids of what it comes from."""

    code: str
    sentence: str
    facts: dict[str, Any] = field(default_factory=dict)
    entries: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The same for the same sentence of the same entries alone, which are never changed, only made and deleted."""
        return f"{' '.join(self.entries)}: {self.sentence}"


def objections(calendar: Calendar, kind: str, now: datetime) -> tuple[Objection, ...]:
    """The reasons against starting an operation of this kind now; none for an emergency.

    A kind that is unknown here is a planned one.
    """
    known = OPERATIONS.get(kind)
    if known and known.is_emergency:
        return ()
    return (*_frozen(calendar, now), *_without_open_window(calendar, now))


def next_start(calendar: Calendar, now: datetime) -> datetime | None:
    """The next time at which a planned operation may start; None if none is found."""
    free_from = [now, *(freeze.ends_at for freeze in calendar.freezes if freeze.ends_at > now)]
    candidates = {*free_from}.union(*(_opening_times(calendar.windows, at) for at in free_from))
    return next((at for at in sorted(candidates) if at >= now and not _may_not(calendar, at)), None)


def next_common_start(calendars: Sequence[Calendar], now: datetime) -> datetime | None:
    """The next time at which all of these calendars allow a planned operation to start; None if none is found."""
    at = now
    for _ in range(_MOST_STARTS):
        found = [next_start(calendar, at) for calendar in calendars]
        starts = [one for one in found if one is not None]
        if len(starts) < len(found):
            return None
        if max(starts) == at:
            return at
        at = max(starts)
    return None


def _may_not(calendar: Calendar, at: datetime) -> bool:
    return any(True for _ in _frozen(calendar, at)) or any(True for _ in _without_open_window(calendar, at))


def _frozen(calendar: Calendar, now: datetime) -> Iterator[Objection]:
    for freeze in calendar.freezes:
        if freeze.ends_at <= freeze.begins_at:
            yield _unknown(f"the freeze {freeze.name} ends before it begins", freeze.id)
        elif freeze.begins_at <= now < freeze.ends_at:
            yield Objection(
                "change_freeze",
                f"No planned operation starts until {_utc(freeze.ends_at)}: freeze {freeze.name} ({freeze.reason}).",
                {"freeze": freeze.name, "ends_at": freeze.ends_at.isoformat()},
                (freeze.id,),
            )


def _without_open_window(calendar: Calendar, now: datetime) -> Iterator[Objection]:
    openings: list[Opening] = []
    for window in calendar.windows:
        try:
            openings += window.openings(now)
        except CalendarError as error:
            yield _unknown(str(error), window.id)
            return
    if not calendar.windows or any(opening.holds(now) for opening in openings):
        return
    opens_at = min((opening.opens_at for opening in openings), default=None)
    following = f"The next one opens at {_utc(opens_at)}." if opens_at else "No further one is planned."
    yield Objection(
        "outside_change_window",
        f"No change window of this link is open. {following}",
        {"opens_at": None if opens_at is None else opens_at.isoformat()},
        tuple(sorted(window.id for window in calendar.windows)),
    )


def _opening_times(windows: Sequence[Window], now: datetime) -> list[datetime]:
    """When windows open; one that cannot be evaluated opens never."""
    found: list[datetime] = []
    for window in windows:
        try:
            found += [opening.opens_at for opening in window.openings(now)]
        except CalendarError:
            return []
    return found


def _unknown(what: str, entry_id: str) -> Objection:
    sentence = f"The change calendar cannot be evaluated: {what}. Correct it."
    return Objection("change_calendar_unknown", sentence, {"entry": what}, (entry_id,))


def _utc(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
