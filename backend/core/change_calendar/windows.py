"""When a change window is open. Its times are wall clock of its zone, its length is real time.

Where the clock is set forward over the opening, the window opens at the moment to which the clock was set plus the
minutes that are missing; where it is set back, at the first of the two equal times. So no window is lost or doubled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

MAX_MINUTES: Final = 7 * 24 * 60
"""A weekly window is at most one week long."""
_SEARCH_DAYS: Final = 15
"""Any weekly window opens at least once in as many days, also where a zone skips one."""


class CalendarError(ValueError):
    """An entry of the calendar that cannot be evaluated."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One time for which a window is open."""

    opens_at: datetime
    closes_at: datetime

    def holds(self, now: datetime) -> bool:
        """Whether it is open."""
        return self.opens_at <= now < self.closes_at


@dataclass(frozen=True, slots=True)
class WeeklyWindow:
    """Open on these weekdays (0 is Monday) from `starts` in its zone, for so many minutes."""

    name: str
    zone: str
    weekdays: frozenset[int]
    starts: time
    minutes: int
    id: str = ""

    def openings(self, now: datetime) -> Iterator[Opening]:
        """Those open now or later, as far as they are searched, the next one first."""
        if not self.weekdays or not 0 < self.minutes <= MAX_MINUTES:
            raise CalendarError(f"the window {self.name} has no weekday or no possible length")
        zone = zone_of(self.zone)
        first = now.astimezone(zone).date() - timedelta(days=8)
        for offset in range(8 + _SEARCH_DAYS):
            day = first + timedelta(days=offset)
            if day.weekday() in self.weekdays and (opening := self._on(day, zone)).closes_at > now:
                yield opening

    def _on(self, day: date, zone: ZoneInfo) -> Opening:
        opens_at = datetime.combine(day, self.starts, tzinfo=zone).astimezone(UTC)
        return Opening(opens_at, opens_at + timedelta(minutes=self.minutes))


@dataclass(frozen=True, slots=True)
class SingleWindow:
    """Open once."""

    name: str
    opens_at: datetime
    closes_at: datetime
    id: str = ""

    def openings(self, now: datetime) -> Iterator[Opening]:
        """The one opening, unless it is over."""
        if self.closes_at <= self.opens_at:
            raise CalendarError(f"the window {self.name} ends before it begins")
        if self.closes_at > now:
            yield Opening(self.opens_at, self.closes_at)


Window = WeeklyWindow | SingleWindow


def zone_of(name: str) -> ZoneInfo:
    """The time zone of this name in the IANA database."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:
        raise CalendarError(f"the time zone {name} is unknown") from error
