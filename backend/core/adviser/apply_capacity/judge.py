"""The judgement: keeps up, catches up, falls behind, or unknown; and how long the present backlog takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.core.adviser.apply_capacity.rates import CapacityReason, Interval, Sample, high_of, intervals_of, median_of
from backend.core.plural import pluralize

RECENT_S = 600.0
"""The trend is that of the last ten minutes."""
MIN_INTERVALS = 3
SMALL_GAP_S = 5.0
"""A gap that the replica applies within so many seconds is no backlog."""
FRESH_S = 30.0


class Verdict(StrEnum):
    """Whether the replica keeps up."""

    KEEPS_UP = "keeps_up"
    CATCHES_UP = "catches_up"
    FALLS_BEHIND = "falls_behind"
    UNKNOWN = "unknown"


_Judged = tuple[Verdict, CapacityReason]


@dataclass(frozen=True, slots=True)
class ApplyCapacity:
    """All rates in transactions a second; None is unknown, with a reason.

    `capacity_per_s`: the rate that was reached while there was a backlog. Without one the limit was not seen.
    `drain_s`: how long the present gap takes at the net rate that backlogs were last worked off with.
    """

    verdict: Verdict
    gap_transactions: int | None
    writes_per_s: float | None
    writes_high_per_s: float | None
    applied_per_s: float | None
    capacity_per_s: float | None
    drain_s: float | None
    reasons: tuple[CapacityReason, ...]


def judge(
    samples: Sequence[Sample], now_s: float, *, standby_writes: bool | None, stopped_by: str = ""
) -> ApplyCapacity:
    """Judge one direction from its samples.

    `stopped_by`: why its channel does not replicate now. What was read of its gap then tells nothing of the replica.
    `standby_writes`: whether the receiving side accepts writes of its own. Then write-sets that came over the other
    channel are among the sending side's, and its rate says nothing of the replica's capacity.
    """
    intervals = intervals_of(samples)
    newest = max(samples, key=lambda sample: sample.at_s, default=None)
    gap = newest.gap_transactions if newest is not None and now_s - newest.at_s <= FRESH_S else None
    recent = [interval for interval in intervals if interval.end_s > now_s - RECENT_S]
    capacity, why_not = _capacity(intervals, standby_writes)
    applied = median_of(interval.applied_per_s for interval in recent)
    verdict, reason = _stopped(stopped_by) if stopped_by else _verdict(recent, gap, applied)
    drain_s, drain_reason = (None, None) if stopped_by else _drain(intervals, gap)
    reasons = [each for each in (reason, why_not, drain_reason) if each is not None]
    return ApplyCapacity(
        verdict,
        None if stopped_by and gap == 0 else gap,  # it has applied all that it received, which is not all
        median_of(interval.writes_per_s for interval in recent),
        high_of(interval.writes_per_s for interval in intervals),
        applied,
        capacity,
        drain_s,
        tuple(reasons),
    )


def _stopped(stopped_by: str) -> _Judged:
    sentence = f"The channel does not replicate: {stopped_by}. Whether its replica keeps up is unknown until it does."
    return Verdict.UNKNOWN, CapacityReason("channel_not_running", sentence)


def _verdict(recent: Sequence[Interval], gap: int | None, applied_per_s: float | None) -> _Judged:
    known = [interval for interval in recent if interval.gap_growth_per_s is not None]
    if gap is None:
        return Verdict.UNKNOWN, CapacityReason("gap_unknown", "How many transactions the replica lacks is unknown now.")
    if len(known) < MIN_INTERVALS:
        read = pluralize(len(known), "interval")
        sentence = f"The gap was read over {read} of the last ten minutes; {MIN_INTERVALS} are needed."
        return Verdict.UNKNOWN, CapacityReason("too_few_samples", sentence, {"intervals": len(known)})
    grew = sum((each.gap_growth_per_s or 0.0) * (each.end_s - each.begin_s) for each in known)
    facts = {"gap_transactions": gap, "grew_by": round(grew), "over_s": round(known[-1].end_s - known[0].begin_s)}
    if gap == 0:
        return Verdict.KEEPS_UP, CapacityReason("no_gap", "The replica has applied everything.", facts)
    if gap <= (applied_per_s or 0.0) * SMALL_GAP_S:
        sentence = f"The replica lacks {gap:,} transactions, less than it applies in {SMALL_GAP_S:.0f} s."
        return Verdict.KEEPS_UP, CapacityReason("gap_small", sentence, facts)
    if grew > 0:
        sentence = f"The replica lacks {gap:,} transactions, {round(grew):,} more than {facts['over_s']} s before."
        return Verdict.FALLS_BEHIND, CapacityReason("gap_grows", sentence, facts)
    sentence = f"The replica lacks {gap:,} transactions, {round(-grew):,} fewer than {facts['over_s']} s before."
    return Verdict.CATCHES_UP, CapacityReason("gap_shrinks", sentence, facts)


def _capacity(intervals: Sequence[Interval], standby_writes: bool | None) -> tuple[float | None, CapacityReason | None]:
    if standby_writes is None:
        sentence = "Whether the receiving side accepts writes of its own is unknown: a node of it does not tell."
        return None, CapacityReason("receiving_writes_unknown", sentence)
    if standby_writes:
        sentence = (
            "The receiving side accepts writes of its own. Transactions of both sides cannot be distinguished in the "
            "rates."
        )
        return None, CapacityReason("both_sides_write", sentence)
    busy = [each.applied_per_s for each in intervals if each.had_backlog and each.applied_per_s is not None]
    if len(busy) < MIN_INTERVALS:
        sentence = "No backlog was seen in this time, so the most that the replica can apply is unknown."
        return None, CapacityReason("limit_not_seen", sentence, {"intervals_with_backlog": len(busy)})
    return high_of(busy), None


def _drain(intervals: Sequence[Interval], gap: int | None) -> tuple[float | None, CapacityReason | None]:
    if gap is None:
        return None, None
    if gap == 0:
        return 0.0, None
    net = median_of(-each.gap_growth_per_s for each in intervals if _drains(each) and each.gap_growth_per_s)
    if net is None:
        return None, CapacityReason(
            "no_drain_seen", "No backlog was worked off in this time, so how long one takes is unknown."
        )
    return gap / net, None


def _drains(interval: Interval) -> bool:
    return interval.had_backlog and interval.gap_growth_per_s is not None and interval.gap_growth_per_s < 0
