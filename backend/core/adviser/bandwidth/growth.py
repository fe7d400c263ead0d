"""How the write rate of a cluster grew over the last week: a line through the averages of whole days.

Averages of days, because the hours of each day differ. Days of a week differ, too, which one week cannot tell from
growth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.adviser.node_absence.counters import Totals
from backend.core.adviser.node_absence.rates import Rate, rate_between
from backend.core.estimates import Unknown

DAY_S = 86_400.0
MOST_DAYS = 7
FEWEST_DAYS = 4
COVERED_S = DAY_S / 2
_STUDENT_95 = {2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571}
"""By degrees of freedom, two-sided 95 %."""


@dataclass(frozen=True, slots=True)
class Trend:
    """Bytes of write-sets a second now, by the line, and how much more each day. `error`: 95 % of the slope."""

    now: float
    per_day: float
    error: float
    days: int

    @property
    def is_growing(self) -> bool:
        """Whether the growth is more than the days' scatter."""
        return self.per_day > self.error and self.per_day > 0


def trend(readings: Sequence[Totals], now_s: float) -> Trend | Unknown:
    """The line through the days' averages; unknown with fewer than four days that were counted for half of them."""
    points = [
        (-day - 0.5, rate.bytes_per_s)
        for day in range(MOST_DAYS)
        if isinstance(rate := _day(readings, now_s, day), Rate)
    ]
    if len(points) < FEWEST_DAYS:
        return Unknown(
            f"The write-sets of {len(points)} of the last {MOST_DAYS} days were counted for twelve hours or more; "
            f"a forecast needs {FEWEST_DAYS} such days."
        )
    return _line(points)


def _day(readings: Sequence[Totals], now_s: float, day: int) -> Rate | Unknown:
    """The average of the 24 hours that ended `day` days ago."""
    end = now_s - day * DAY_S
    within = [reading for reading in readings if end - DAY_S <= reading.at_s <= end]
    if len(within) < 2:
        return Unknown("Nothing was counted.")
    return rate_between(within[0], within[-1], least_s=COVERED_S)


def _line(points: Sequence[tuple[float, float]]) -> Trend:
    count = len(points)
    mean_x, mean_y = (sum(values) / count for values in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    left = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in points)
    error = math.sqrt(left / (count - 2) / spread) * _STUDENT_95[count - 2]
    return Trend(max(0.0, mean_y - slope * mean_x), slope, error, count)
