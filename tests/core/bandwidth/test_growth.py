"""Growth of a week's writes: a slope where there is one, and a sentence where there is none or too little was read."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from backend.core.adviser.bandwidth.capacity import UntilFull, UntilState, checked_capacity, share, until_full
from backend.core.adviser.bandwidth.growth import Trend, trend
from backend.core.adviser.node_absence.counters import Totals
from backend.core.estimates import FieldError, Unknown
from backend.core.topology import WriteSetCounters

NOW = 1_800_000_000.0
RAW = WriteSetCounters(0, 0, 0, 0)


def week(rate: Callable[[float], float], days: int = 7) -> list[Totals]:
    """A reading each hour; `rate` by days ago, negative."""
    found, written = [], 0.0
    for hour in range(-days * 24, 1):
        found.append(Totals(NOW + hour * 3_600, RAW, 0, int(written), 0, (hour + days * 24) * 3_600.0))
        written += rate(hour / 24) * 3_600
    return found


def growing(days_ago: float) -> float:
    return 10_000 + 500 * days_ago


def until(found: Trend | Unknown, mbit: float | None, copies: float = 2.0, peak: float = 1.5) -> UntilFull:
    return until_full(found, copies, peak, mbit)


def test_trend__grows_each_day__the_slope_and_the_rate_now() -> None:
    found = trend(week(growing), NOW)
    assert isinstance(found, Trend)
    assert found.per_day == pytest.approx(500, rel=0.01)
    assert found.now == pytest.approx(10_000, rel=0.01)
    assert found.is_growing


@pytest.mark.parametrize("phase", [0.0, 1.6, 3.1, 5.0])
def test_trend__only_the_hours_of_a_day_differ__is_not_growing(phase: float) -> None:
    found = trend(week(lambda day: 10_000 + 5_000 * math.sin(2 * math.pi * day + phase)), NOW)
    assert isinstance(found, Trend)
    assert abs(found.per_day) < 20


def test_trend__three_days__refused_with_a_sentence() -> None:
    found = trend(week(growing, days=3), NOW)
    assert isinstance(found, Unknown)
    assert found.reason.startswith("The write-sets of 3 of the last 7 days")


def test_until__growing__days_until_80_percent_of_the_busiest_hour() -> None:
    found = until(trend(week(growing), NOW), 0.4)
    assert found.state is UntilState.KNOWN
    assert found.days == pytest.approx((40_000 / 3 - 10_000) / 500, rel=0.02)


@pytest.mark.parametrize(
    ("slope", "error", "mbit", "state"),
    [
        (500.0, 600.0, 1.0, UntilState.NOT_GROWING),
        (-500.0, 0.0, 1.0, UntilState.NOT_GROWING),
        (0.0, 0.0, 1.0, UntilState.NOT_GROWING),
        (1.0, 0.5, 1_000.0, UntilState.BEYOND),
        (500.0, 1.0, 0.3, UntilState.REACHED),
        (500.0, 1.0, None, UntilState.UNKNOWN),
    ],
)
def test_until__no_number__says_why(slope: float, error: float, mbit: float | None, state: UntilState) -> None:
    found = until(Trend(10_000, slope, error, 7), mbit)
    assert (found.state, bool(found.reason)) == (state, True)


def test_until__a_fact_is_missing__unknown_with_its_reason() -> None:
    assert until_full(Trend(1, 1, 0, 7), Unknown("why"), 1.0, 100).reason == "why"


def test_capacity__absurd__refused_by_the_name_of_the_field() -> None:
    assert share(12_500_000, 1_000) == 0.1
    for given_value in (0, -1, math.nan, math.inf, 1e9):
        with pytest.raises(FieldError) as refused:
            checked_capacity(given_value)
        assert refused.value.field == "mbit_per_s"
