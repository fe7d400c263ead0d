"""Rates between samples of a sending cluster's seqno and of the gap, in write-sets and transactions a second."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

MAX_INTERVAL_S = 180.0
"""Samples further apart say nothing of the time between them: the monitor was not there."""


@dataclass(frozen=True, slots=True)
class CapacityReason:
    """Why the judgement is what it is."""

    code: str
    sentence: str
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sample:
    """At one time: the seqno of the sending cluster, and the transactions that the replica lacked. None is unknown.

    `history`: the cluster's state UUID. Seqnos of two histories cannot be compared.
    """

    at_s: float
    seqno: int | None
    gap_transactions: int | None
    history: str = ""


@dataclass(frozen=True, slots=True)
class Interval:
    """Between two samples: write-sets a second, and by how many transactions a second the gap grew.

    `had_backlog`: the gap was known and not zero at both ends, so the replica never waited for work.
    """

    begin_s: float
    end_s: float
    writes_per_s: float | None
    gap_growth_per_s: float | None
    had_backlog: bool

    @property
    def applied_per_s(self) -> float | None:
        """What the replica applied a second. It counts what came over the other channel, too, if both sides write."""
        if self.writes_per_s is None or self.gap_growth_per_s is None:
            return None
        return max(0.0, self.writes_per_s - self.gap_growth_per_s)


def intervals_of(samples: Sequence[Sample]) -> list[Interval]:
    """The intervals between samples in the order of their times; none across a pause of the monitor."""
    ordered = sorted(samples, key=lambda sample: sample.at_s)
    return [_interval(one, other) for one, other in pairwise(ordered) if 0 < other.at_s - one.at_s <= MAX_INTERVAL_S]


def _interval(one: Sample, other: Sample) -> Interval:
    took_s = other.at_s - one.at_s
    written: float | None = None
    if one.seqno is not None and other.seqno is not None and one.history == other.history:
        # A lower seqno in one history is a reading of a node that was behind: it says nothing.
        written = (other.seqno - one.seqno) / took_s if other.seqno >= one.seqno else None
    growth: float | None = None
    had_backlog = False
    if one.gap_transactions is not None and other.gap_transactions is not None:
        growth = (other.gap_transactions - one.gap_transactions) / took_s
        had_backlog = one.gap_transactions > 0 and other.gap_transactions > 0
    return Interval(one.at_s, other.at_s, written, growth, had_backlog)


def median_of(values: Iterable[float | None]) -> float | None:
    """The middle of the known values; None without any."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def high_of(values: Iterable[float | None]) -> float | None:
    """The 95th percentile of the known values: a single burst does not count as what can be kept up."""
    known = sorted(value for value in values if value is not None)
    return known[min(len(known) - 1, int(len(known) * 0.95))] if known else None
