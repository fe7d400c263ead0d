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
    started_at: datetime | None = None
    ended_at: datetime | None = None
    time_spent: Mapping[str, float] | None = None


def _at(ms: int | None) -> datetime | None:
    return None if ms is None else T0 + timedelta(milliseconds=ms)


def _step(index: int, began: int | None, ended: int | None, spent: Mapping[str, float] | None = None) -> MeasuredStep:
    return _Step(index, _at(began), _at(ended), spent)


STEPS = [_step(0, 100, 900, MEASURED), _step(1, 950, 1_800, MEASURED), _step(2, 1_850, None), _step(3, None, None)]


def _spent(approved: int | None = None, ended: int | None = None) -> TimeSpent:
    found = time_spent(STEPS, created_at=T0, approved_at=_at(approved), started_at=_at(90), ended_at=_at(ended))
    assert found is not None
    return found


def test_time__not_started__unknown() -> None:
    assert time_spent(STEPS, created_at=T0, approved_at=None, started_at=None, ended_at=None) is None


def test_time__of_a_step__its_parts_and_the_rest() -> None:
    first, second = _spent().steps
    assert first == StepTime(0, 0.8, **MEASURED, other_s=0.05)
    assert (second.index, second.total_s, second.other_s) == (1, 0.85, 0.1)


def test_time__in_progress__until_the_last_ended_step() -> None:
    assert _spent().total_s == 1.8


def test_time__ended__the_parts_and_waits_are_the_total() -> None:
    spent = _spent(ended=2_500)
    assert (spent.total_s, spent.queued_s, spent.waiting_approval_s) == (2.5, 0.09, 0.0)
    assert {name: getattr(spent, name) for name in PARTS} == {name: 2 * MEASURED[name] for name in PARTS}
    assert spent.other_s == 0.91
    assert sum((spent.queued_s, spent.other_s, *(getattr(spent, name) for name in PARTS))) == 2.5


def test_time__approved__the_wait_for_it_is_no_wait_for_a_worker() -> None:
    spent = _spent(approved=60)
    assert (spent.waiting_approval_s, spent.queued_s) == (0.06, 0.03)


def test_time__step_not_measured__all_of_it_is_the_rest() -> None:
    steps = [_step(0, 100, 900)]
    found = time_spent(steps, created_at=T0, approved_at=None, started_at=_at(90), ended_at=_at(900))
    assert found is not None
    assert (found.steps[0].other_s, found.other_s) == (0.8, 0.81)


def test_time__clock_set_back_within_a_step__no_negative_part() -> None:
    found = time_spent([_step(0, 900, 100, MEASURED)], created_at=T0, approved_at=None, started_at=T0, ended_at=T0)
    assert found is not None
    assert (found.steps[0].total_s, found.steps[0].other_s, found.other_s) == (0.0, 0.0, 0.0)
