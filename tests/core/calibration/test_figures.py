"""Figures of calibrations: beside the model, and a heartbeat with what it can be wrong by."""

from __future__ import annotations

import pytest

from backend.core.adviser.calibration.commits import Step, compared
from backend.core.adviser.calibration.heartbeat import Clock, Heartbeat, Look, Poll, clock_of, heartbeat
from backend.core.adviser.concurrency.model import Range
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.estimates import Unknown

FAR = GroupLatency(50.2, 50.2, 62.0, 40)


def test_compared__one_writer_at_50_ms__as_the_model_and_nothing_apart() -> None:
    found = compared(Step(1, 2.0, (52.0,) * 38), FAR, 2, 0.0)
    assert isinstance(found.model, Range)
    assert (round(found.model.low, 1), round(found.model.high, 1)) == (19.2, 19.2)
    assert found.per_s == 19.0
    assert found.apart == pytest.approx(-0.01, abs=0.01)
    assert found.percentiles["p50_ms"] == 52.0


def test_compared__a_console_far_away__its_round_trip_is_in_the_model_too() -> None:
    found = compared(Step(4, 2.0, (102.0,) * 78), FAR, 512, 50.0)
    assert isinstance(found.model, Range)
    assert found.model.high == pytest.approx(4 / 0.102, rel=0.01)


@pytest.mark.parametrize(
    ("step", "latency", "window"),
    [
        (Step(1, 2.0, (1.0,) * 4), FAR, 2),
        (Step(1, 2.0, (1.0,) * 40), GroupLatency(0.4, 0.5, 0.6, 9), 2),
        (Step(1, 2.0, (1.0,) * 40), Unknown("No sample."), 2),
        (Step(1, 2.0, (1.0,) * 40), FAR, Unknown("Not shown.")),
        (Step(1, 2.0, (1.0,) * 40), FAR, 1),
    ],
)
def test_compared__too_few_or_no_model__apart_is_unknown(step: Step, latency: object, window: object) -> None:
    assert isinstance(compared(step, latency, window, 0.0).apart, Unknown)  # type: ignore[arg-type]


def polls(*arrivals: float, every: float = 0.01, until: float = 3.0, ahead: float = 0.0) -> list[Poll]:
    """A replica whose rows appear at these moments, asked again and again."""
    found, now = [], 0.0
    while now < until:
        seen = [number for number, at in enumerate(arrivals, 1) if at <= now]
        found.append(Poll(max(seen, default=None), now + ahead, now + ahead + 0.001))
        now += every
    return found


def test_heartbeat__replica_five_seconds_ahead__the_clocks_difference_is_taken_out() -> None:
    written = {number: 0.2 * number for number in range(1, 9)}
    shown = polls(*(at + 0.025 for at in written.values()), ahead=5.0)
    found = heartbeat(written, shown, Clock(0.0, 0.0005), Clock(5.0, 0.002))
    assert isinstance(found, Heartbeat)
    assert found.median_ms == pytest.approx(25, abs=found.error_ms)
    assert found.error_ms == pytest.approx(8, abs=0.01)
    assert (found.seen, found.missed, found.is_bound) == (8, 0, False)


def test_heartbeat__no_row_arrives__unknown_and_no_number() -> None:
    found = heartbeat({1: 0.2, 2: 0.4}, polls(), Clock(0, 0), Clock(0, 0))
    assert isinstance(found, Unknown)
    assert found.reason.startswith("0 of 2 rows were seen in time")


def test_heartbeat__a_clock_that_was_not_read__unknown() -> None:
    assert isinstance(heartbeat({}, [], Clock(0, 0), clock_of([])), Unknown)


def test_heartbeat__nearer_than_the_clocks_are_known__a_bound() -> None:
    written = {number: 0.2 * number for number in range(1, 9)}
    found = heartbeat(written, polls(*(at + 0.001 for at in written.values())), Clock(0, 0.025), Clock(0, 0.001))
    assert isinstance(found, Heartbeat)
    assert found.is_bound


def test_clock__the_soonest_answer_decides() -> None:
    assert clock_of([Look(0, 1, 100), Look(2, 2.01, 7.005)]) == Clock(pytest.approx(5.0), pytest.approx(0.005))
