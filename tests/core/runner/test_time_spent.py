"""Where the time of a run went, by its stored times and what its worker measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from backend.core.runner.time_spent import PARTS, MeasuredStep, StepTime, TimeSpent, time_spent

T0 = datetime(2026, 11, 25, 3, 0, tzinfo=UTC)
MEASURED = {"servers_s": 0.2, "database_s": 0.05, "processor_wait_s": 0.4, "computing_s": 0.1}


@dataclass(frozen=True)
class _Step:
    index: int
    ended_at: datetime | None = None
    time_spent: Mapping[str, float] | None = None


def _at(ms: int | None) -> datetime | None:
    return None if ms is None else T0 + timedelta(milliseconds=ms)


def _step(index: int, ended: int | None, spent: Mapping[str, float] | None = None) -> MeasuredStep:
    return _Step(index, _at(ended), spent)


STEPS = [_step(0, 900, MEASURED), _step(1, 1_800, MEASURED), _step(2, None)]


def _spent(approved: int | None = None, ended: int | None = None) -> TimeSpent:
    found = time_spent(STEPS, created_at=T0, approved_at=_at(approved), started_at=_at(90), ended_at=_at(ended))
    assert found is not None
    return found


def test_time__not_started__unknown() -> None:
    assert time_spent(STEPS, created_at=T0, approved_at=None, started_at=None, ended_at=None) is None


def test_time__of_a_step__from_the_end_of_the_one_before() -> None:
    assert _spent().steps == (
        StepTime(0, 0.81, **MEASURED, other_s=0.06),
        StepTime(1, 0.9, **MEASURED, other_s=0.15),
    )


def test_time__in_progress__until_the_last_ended_step() -> None:
    assert _spent().total_s == 1.8


def test_time__ended__the_parts_and_waits_are_the_total() -> None:
    spent = _spent(ended=2_500)
    assert (spent.total_s, spent.queued_s, spent.waiting_approval_s) == (2.5, 0.09, 0.0)
    assert {name: getattr(spent, name) for name in PARTS} == {name: 2 * MEASURED[name] for name in PARTS}
    assert spent.other_s == 0.91  # the steps' rest, and what followed the last of them
    assert sum((spent.queued_s, spent.other_s, *(getattr(spent, name) for name in PARTS))) == 2.5


def test_time__approved__the_wait_for_it_is_no_wait_for_a_worker() -> None:
    spent = _spent(approved=60)
    assert (spent.waiting_approval_s, spent.queued_s) == (0.06, 0.03)


def _of(*steps: MeasuredStep) -> TimeSpent:
    found = time_spent(steps, created_at=T0, approved_at=None, started_at=T0, ended_at=None)
    assert found is not None
    return found


def test_time__step_not_measured__all_of_it_is_the_rest() -> None:
    found = _of(_step(0, 800))
    assert (found.steps[0].other_s, found.other_s) == (0.8, 0.8)


def test_time__trips_counted__with_their_step_alone() -> None:
    counted, before = _of(_step(0, 800, MEASURED | {"server_trips": 12}), _step(1, 900, MEASURED)).steps
    assert (counted.server_trips, before.server_trips) == (12, None)


def test_time__undone_last_first__in_the_order_of_their_ends() -> None:
    assert [(step.index, step.total_s) for step in _of(_step(0, 900), _step(1, 700)).steps] == [(1, 0.7), (0, 0.2)]


def test_time__clock_set_back__no_negative_part() -> None:
    step = _of(_step(0, -100, MEASURED)).steps[0]
    assert (step.total_s, step.other_s) == (0.0, 0.0)
