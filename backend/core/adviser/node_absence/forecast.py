"""IST or SST for a node that is away now, and for how long a node may be away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.core.adviser.node_absence.cache import Cache, capacity_at, is_full, safety_margin
from backend.core.adviser.node_absence.rates import Rate
from backend.core.estimates import Unknown


class Verdict(StrEnum):
    """What a node that joins now would receive. `DEPENDS`: an IST from some of the donors only."""

    MEMBER = "member"
    IST = "ist"
    DEPENDS = "depends"
    SST = "sst"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Unlimited:
    """Nothing is written, so nothing is dropped from the gcache; `reason` says of which time."""

    reason: str


Time = float | Unlimited | Unknown
"""Seconds, or why there is no number."""


def holds(cache: Cache, last_seqno: int) -> bool | Unknown:
    """Whether this donor could send an IST to a node that applied up to `last_seqno`.

    The exact rule, `last_seqno + 1 >= downto`: seen on Galera 26.4.23 with margins of +6 (IST) and -5 (SST).
    """
    return cache.downto if isinstance(cache.downto, Unknown) else last_seqno + 1 >= cache.downto


def verdict(donors: Sequence[Cache], last_seqno: int | Unknown) -> Verdict:
    """Of a node that is away, from the caches of all possible donors."""
    if isinstance(last_seqno, Unknown) or not donors:
        return Verdict.UNKNOWN
    answers = [holds(cache, last_seqno) for cache in donors]
    if any(isinstance(answer, Unknown) for answer in answers):
        return Verdict.UNKNOWN
    if not any(answers):
        return Verdict.SST
    return Verdict.IST if all(answers) or last_seqno >= _safe_from(donors) else Verdict.DEPENDS


def _safe_from(donors: Sequence[Cache]) -> int:
    """The lowest seqno with which the provider looks for a donor that holds it."""
    lowest = min(cache.downto for cache in donors if isinstance(cache.downto, int))
    newest = max((cache.committed for cache in donors if isinstance(cache.committed, int)), default=lowest)
    return lowest + safety_margin(newest, lowest)


def time_away(cache: Cache, rate: Rate | Unknown) -> Time:
    """Seconds that a member may be away from now on: until the whole gcache holds new write-sets, less the margin."""
    if isinstance(rate, Unknown):
        return rate
    if not rate.write_sets_per_s:
        return _unlimited()
    sets = capacity_at(cache, rate)
    if isinstance(sets, Unknown):
        return sets
    return max(0.0, sets - safety_margin(sets, 0)) / rate.write_sets_per_s


def time_left(cache: Cache, last_seqno: int | Unknown, rate: Rate | Unknown) -> Time:
    """Seconds until an absent node that applied up to `last_seqno` needs an SST from this donor; 0 where it does now.

    A full gcache drops one write-set for each new one, so its `downto` tells what is left. One that is not full takes
    the rest of its capacity first.
    """
    if isinstance(last_seqno, Unknown):
        return last_seqno
    held = holds(cache, last_seqno)
    if isinstance(held, Unknown):
        return held
    if not held:
        return 0.0
    if isinstance(rate, Unknown):
        return rate
    if not rate.write_sets_per_s:
        return _unlimited()
    left = _sets_left(cache, last_seqno, rate)
    return left if isinstance(left, Unknown) else max(0.0, left) / rate.write_sets_per_s


def _sets_left(cache: Cache, last_seqno: int, rate: Rate) -> int | Unknown:
    sets = capacity_at(cache, rate)
    if isinstance(sets, Unknown):
        return sets
    if isinstance(cache.committed, Unknown):
        return cache.committed
    if isinstance(cache.downto, Unknown):
        return cache.downto
    missed = max(0, cache.committed - last_seqno)
    until_dropped = last_seqno + 1 - cache.downto if is_full(cache, rate) is True else sets - missed
    return until_dropped - safety_margin(cache.committed, cache.downto)


def _unlimited() -> Unlimited:
    return Unlimited("Nothing was written in this time, so the gcache keeps what it holds.")


def longest(times: Sequence[Time]) -> Time:
    """Of several donors the one that helps longest: the provider chooses a donor that still holds what is missing."""
    numbers = [time for time in times if isinstance(time, float)]
    unlimited = next((time for time in times if isinstance(time, Unlimited)), None)
    unknown = next((time for time in times if isinstance(time, Unknown)), None)
    if unlimited is not None:
        return unlimited
    if numbers:
        return max(numbers)
    return unknown or Unknown("No other member could be its donor.")
