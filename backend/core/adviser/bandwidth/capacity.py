"""The load of a line against its capacity, and when its busiest hour reaches 80 %."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from backend.core.adviser.bandwidth.growth import Trend
from backend.core.estimates import Tenths, Unknown, in_range

FULL = 0.8
"""Beyond this share queues grow: a commit over a line that an SST filled took twice as long (measured)."""
LONGEST_DAYS = 365.0
"""Further than this a week's growth says nothing."""
LEAST_MBIT, MOST_MBIT = 0.1, 1_000_000.0
_BYTES = 1_000_000 / 8


class UntilState(StrEnum):
    """Whether there is a time until 80 %."""

    KNOWN = "known"
    REACHED = "reached"
    NOT_GROWING = "not_growing"
    BEYOND = "beyond"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class UntilFull:
    """When the busiest hour takes 80 % of the line."""

    state: UntilState
    days: Tenths | None
    reason: str


def checked_capacity(mbit_per_s: float) -> float:
    """The capacity of a line as an operator gives it."""
    return in_range("mbit_per_s", mbit_per_s, LEAST_MBIT, MOST_MBIT, "Mbit/s")


def share(bytes_per_s: float, mbit_per_s: float) -> float:
    """The part of the line that this load takes."""
    return bytes_per_s / (mbit_per_s * _BYTES)


def until_full(
    trend: Trend | Unknown, copies: float | Unknown, peak: float | Unknown, mbit_per_s: float | None
) -> UntilFull:
    """When the busiest hour takes 80 % of the line.

    `copies`: bytes on the line for one byte written in the cluster; `peak`: the busiest hour against the average.
    """
    if mbit_per_s is None:
        return UntilFull(UntilState.UNKNOWN, None, "The capacity of the line is not entered.")
    if isinstance(trend, Unknown) or isinstance(copies, Unknown) or isinstance(peak, Unknown):
        reasons = (fact.reason for fact in (trend, copies, peak) if isinstance(fact, Unknown))
        return UntilFull(UntilState.UNKNOWN, None, next(reasons))
    return _until(trend, FULL * mbit_per_s * _BYTES, copies * peak)


def _until(trend: Trend, limit: float, factor: float) -> UntilFull:
    if trend.now * factor >= limit:
        return UntilFull(UntilState.REACHED, 0.0, "The busiest hour takes 80 % of the line or more.")
    if not trend.is_growing:
        return UntilFull(
            UntilState.NOT_GROWING, None, f"The writes of the last {trend.days} days did not grow beyond their scatter."
        )
    if not factor:
        return UntilFull(UntilState.NOT_GROWING, None, "Nothing of what is written crosses this line.")
    days = (limit / factor - trend.now) / trend.per_day
    if days > LONGEST_DAYS:
        return UntilFull(UntilState.BEYOND, None, "More than a year: further ahead the growth of a week says nothing.")
    return UntilFull(UntilState.KNOWN, days, f"If the writes go on growing as in the last {trend.days} days.")
