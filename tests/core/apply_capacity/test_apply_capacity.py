"""Rates, verdicts and drain times from samples; what is unknown stays unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.apply_capacity import Appliers, Sample, Verdict, applier_reasons, judge

NOW_S = 10_000.0
STEP_S = 20.0


def samples(gaps: Sequence[int | None], *, writes_per_s: float = 100.0, history: str = "h") -> list[Sample]:
    """One sample each 20 s, the last one now."""
    begin_s = NOW_S - STEP_S * (len(gaps) - 1)
    return [
        Sample(begin_s + STEP_S * index, 1_000 + int(writes_per_s * STEP_S * index), gap, history)
        for index, gap in enumerate(gaps)
    ]


def codes(found: object) -> list[str]:
    return [reason.code for reason in found.reasons]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("gaps", "verdict"),
    [
        ([0, 0, 0, 0, 0], Verdict.KEEPS_UP),
        ([3, 40, 8, 0, 120], Verdict.KEEPS_UP),
        ([900, 1_900, 2_900, 3_900, 4_900], Verdict.FALLS_BEHIND),
        ([9_000, 8_000, 7_000, 6_000, 5_000], Verdict.CATCHES_UP),
        ([900, 1_900, 2_900, 3_900, None], Verdict.UNKNOWN),
        ([900, 1_900], Verdict.UNKNOWN),
        ([], Verdict.UNKNOWN),
    ],
    ids=["no gap", "small gap", "grows", "shrinks", "unknown now", "too few", "none"],
)
def test_judge__verdict(gaps: list[int | None], verdict: Verdict) -> None:
    assert judge(samples(gaps), NOW_S, standby_writes=False).verdict is verdict


def test_judge__backlog_worked_off__capacity_and_drain_time() -> None:
    """100 writes a second and a gap that falls by 50 a second: 150 are applied, and 5,000 take 100 s."""
    found = judge(samples([9_000, 8_000, 7_000, 6_000, 5_000]), NOW_S, standby_writes=False)
    assert (found.writes_per_s, found.applied_per_s, found.capacity_per_s) == (100.0, 150.0, 150.0)
    assert found.drain_s == 100.0


def test_judge__no_backlog_seen__limit_is_unknown() -> None:
    """A replica that waited for work has not shown what it can do."""
    found = judge(samples([0, 0, 0, 0, 0]), NOW_S, standby_writes=False)
    assert found.capacity_per_s is None
    assert "limit_not_seen" in codes(found)
    assert found.drain_s == 0.0


@pytest.mark.parametrize("gaps", [[0, 0, 0, 0, 0], [900, 1_900, 2_900, 3_900, 4_900]])
def test_judge__channel_does_not_replicate__unknown_and_never_green(gaps: list[int]) -> None:
    """The gap was read before: nothing arrives, so the replica soon has applied all that it received."""
    found = judge(samples(gaps), NOW_S, standby_writes=False, stopped_by="its source a1 is down")
    assert (found.verdict, found.gap_transactions, found.drain_s) == (Verdict.UNKNOWN, gaps[-1] or None, None)
    assert "does not replicate: its source a1 is down." in found.reasons[0].sentence


@pytest.mark.parametrize(("standby_writes", "code"), [(True, "both_sides_write"), (None, "receiving_writes_unknown")])
def test_judge__standby_may_write__capacity_is_unknown(standby_writes: bool | None, code: str) -> None:
    """What comes over the other channel would count as applied."""
    found = judge(samples([9_000, 8_000, 7_000, 6_000, 5_000]), NOW_S, standby_writes=standby_writes)
    assert found.capacity_per_s is None
    assert code in codes(found)


def test_judge__backlog_only_grew__no_drain_time() -> None:
    found = judge(samples([900, 1_900, 2_900, 3_900, 4_900]), NOW_S, standby_writes=False)
    assert found.drain_s is None
    assert "no_drain_seen" in codes(found)


def test_judge__newest_sample_is_old__unknown() -> None:
    """The monitor may be down: what it saw last is not now."""
    found = judge(samples([0, 0, 0, 0, 0]), NOW_S + 31, standby_writes=False)
    assert (found.verdict, found.gap_transactions) == (Verdict.UNKNOWN, None)


def test_judge__new_history__no_rate_between_them() -> None:
    """A cluster's seqnos begin elsewhere in a new history; the difference is no number of writes."""
    old, new = samples([5, 5, 5], writes_per_s=1), samples([5, 5, 5], writes_per_s=1)
    early = [replace(one, at_s=one.at_s - 60, history="old") for one in old]
    late = [replace(one, seqno=(one.seqno or 0) + 10**9, history="new") for one in new]
    assert judge([*early, *late], NOW_S, standby_writes=False).writes_high_per_s == 1.0


def test_judge__pause_of_the_monitor__no_interval_across() -> None:
    """What was written in a pause was not spread evenly over it."""
    early = [Sample(NOW_S - 3_000, 0, 0, "h")]
    late = [replace(one, seqno=(one.seqno or 0) + 10**9) for one in samples([0, 0, 0, 0], writes_per_s=1)]
    assert judge([*early, *late], NOW_S, standby_writes=False).writes_high_per_s == 1.0


@given(
    st.lists(
        st.builds(
            Sample,
            st.floats(0, NOW_S),
            st.none() | st.integers(0, 2**63),
            st.none() | st.integers(0, 10**9),
            st.sampled_from(["", "a", "b"]),
        ),
        max_size=30,
    ),
    st.none() | st.booleans(),
)
def test_judge__any_samples__no_negative_figure_and_always_a_reason(found: list[Sample], writes: bool | None) -> None:
    judged = judge(found, NOW_S, standby_writes=writes)
    figures = (judged.writes_per_s, judged.applied_per_s, judged.capacity_per_s, judged.drain_s)
    assert all(figure is None or figure >= 0 for figure in figures)
    assert judged.reasons
    assert (judged.gap_transactions is not None) or judged.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("appliers", "expected"),
    [
        (Appliers(), []),
        (Appliers(0, "optimistic", 4), ["one_applier"]),
        (Appliers(8, "conservative", 4), ["few_side_by_side"]),
        (Appliers(8, "optimistic", 4), []),
        (Appliers(8, "optimistic", 1), ["one_galera_applier"]),
    ],
)
def test_applier_reasons(appliers: Appliers, expected: list[str]) -> None:
    assert [reason.code for reason in applier_reasons(appliers)] == expected
