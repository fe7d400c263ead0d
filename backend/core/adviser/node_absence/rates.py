"""The write rate of a cluster within a time, from the running totals of one of its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from backend.core.adviser.node_absence.counters import Totals
from backend.core.estimates import Unknown

HOUR_S = 3600.0
WEEK_S = 7 * 24 * HOUR_S
MINUTES_S = 300.0
SETTLED_S = 600.0
"""Less time than this tells no hour and no week."""


class Window(StrEnum):
    """The time that a rate is of."""

    MINUTES = "minutes"
    HOUR = "hour"
    WEEK = "week"
    BUSIEST_HOUR = "busiest_hour"


LENGTH_S = {Window.MINUTES: MINUTES_S, Window.HOUR: HOUR_S, Window.WEEK: WEEK_S, Window.BUSIEST_HOUR: HOUR_S}


@dataclass(frozen=True, slots=True)
class Rate:
    """Write-sets and bytes of write-sets a second, counted for `covered_s` seconds; `own_share` from 0 to 1."""

    write_sets_per_s: float
    bytes_per_s: float
    covered_s: float
    own_share: float | None = None

    @property
    def average_bytes(self) -> float | None:
        """Bytes of a write-set; None where none was written."""
        return self.bytes_per_s / self.write_sets_per_s if self.write_sets_per_s else None


def rate_between(first: Totals, last: Totals, *, least_s: float) -> Rate | Unknown:
    """The rate from one reading to another."""
    covered_s = last.covered_s - first.covered_s
    if covered_s < least_s or covered_s <= 0:
        return Unknown(f"The write-sets were counted for {_minutes(covered_s)}; a rate needs {_minutes(least_s)}.")
    total = last.bytes - first.bytes
    own_share = (last.own_bytes - first.own_bytes) / total if total else None
    return Rate((last.write_sets - first.write_sets) / covered_s, total / covered_s, covered_s, own_share)


def rates_of(readings: Sequence[Totals], now_s: float) -> dict[Window, Rate | Unknown]:
    """The rates until now of one node's readings in the order of time."""
    found = {window: _recent(readings, now_s, window) for window in (Window.MINUTES, Window.HOUR, Window.WEEK)}
    return found | {Window.BUSIEST_HOUR: _busiest(readings, now_s)}


def _recent(readings: Sequence[Totals], now_s: float, window: Window) -> Rate | Unknown:
    since = now_s - LENGTH_S[window]
    within = [reading for reading in readings if since <= reading.at_s <= now_s]
    if len(within) < 2:
        return Unknown(
            "Fewer than two readings of this time are of a synced member, so no write-sets were counted. "
            "There is one a minute."
        )
    return rate_between(within[0], within[-1], least_s=60.0 if window is Window.MINUTES else SETTLED_S)


def _busiest(readings: Sequence[Totals], now_s: float) -> Rate | Unknown:
    """The most bytes a second from one reading to the first that is about an hour later."""
    within = [reading for reading in readings if now_s - WEEK_S <= reading.at_s <= now_s]
    best: Rate | None = None
    start = 0
    for end in range(1, len(within)):
        while start + 1 < end and within[end].at_s - within[start + 1].at_s >= 0.9 * HOUR_S:
            start += 1
        rate = rate_between(within[start], within[end], least_s=0.5 * HOUR_S)
        is_hour = within[end].at_s - within[start].at_s <= 1.5 * HOUR_S
        if isinstance(rate, Rate) and is_hour and (best is None or rate.bytes_per_s > best.bytes_per_s):
            best = rate
    return best or Unknown("No hour of the last week was counted for half an hour or more.")


def longest_counted(by_node: Sequence[Sequence[Totals]], now_s: float) -> Sequence[Totals]:
    """The readings that cover most of the last week: each synced member counts all write-sets of its cluster."""

    def covered(readings: Sequence[Totals]) -> float:
        within = [reading for reading in readings if reading.at_s >= now_s - WEEK_S]
        return sum(last.covered_s - first.covered_s for first, last in pairwise(within))

    return max(by_node, key=covered, default=())


def _minutes(seconds: float) -> str:
    minutes = seconds / 60
    return f"{seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} min"
