"""What a worker's thread did in a step, by the clock and the kernel's counters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from backend.core.plan import Step
from backend.core.runner import StepDone, StepFailed, StepStarted
from backend.core.runner.time_spent import PARTS
from backend.gateway.connection import trips
from backend.operations.runs.execution import step_watch
from backend.operations.runs.execution.step_watch import StepWatch
from backend.operations.runs.execution.transition_recorder import TransitionRecorder
from tests.support.clock import StillTime, stop_clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> StillTime:
    """The clock of the watch, of a kernel that tells of no wait for a processor."""
    monkeypatch.setattr(step_watch, "_SCHEDULE", tmp_path / "missing")
    return stop_clock(monkeypatch, step_watch)


def test_watch__slept__counts_as_what_was_awaited(clock: StillTime) -> None:
    watch = StepWatch()
    clock.sleep(0.05)
    watch.lap("servers_s")
    clock.sleep(0.03)
    watch.lap("database_s")
    expected = dict.fromkeys(PARTS, 0.0) | {"servers_s": 0.05, "database_s": 0.03, "server_trips": 0}
    assert watch.take() == expected


def test_watch__computed__counts_as_computing_whatever_was_awaited(clock: StillTime) -> None:
    watch = StepWatch()
    clock.compute(0.05)
    watch.lap("servers_s")
    assert watch.take() == dict.fromkeys(PARTS, 0.0) | {"computing_s": 0.05, "server_trips": 0}


def test_watch__new_step__begins_with_nothing() -> None:
    """By the clocks of this host; each lap of the loop computes."""
    watch = StepWatch()
    while not (spent := watch.take())["computing_s"]:
        for _ in range(1000):
            watch.lap("servers_s")
    assert spent["computing_s"] > 0
    assert watch.take() == dict.fromkeys(PARTS, 0.0) | {"server_trips": 0}


def test_watch__statements_sent__are_counted_by_step() -> None:
    trips.count()
    watch = StepWatch()
    trips.count()
    trips.count()
    assert watch.take()["server_trips"] == 2
    assert watch.take()["server_trips"] == 0


def test_watch__waited_for_a_processor__is_told_by_the_kernel(
    clock: StillTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = tmp_path / "schedstat"
    schedule.write_text("7000000 1000000000 12\n")
    monkeypatch.setattr(step_watch, "_SCHEDULE", schedule)
    watch = StepWatch()
    clock.sleep(0.05)
    schedule.write_text("7000000 1030000000 13\n")
    watch.lap("servers_s")
    spent = watch.take()
    assert (spent["processor_wait_s"], spent["servers_s"]) == (0.03, 0.02)


def test_watch__kernel_tells_no_wait__it_counts_as_awaited(clock: StillTime) -> None:
    watch = StepWatch()
    clock.sleep(0.05)
    watch.lap("database_s")
    spent = watch.take()
    assert (spent["processor_wait_s"], spent["database_s"]) == (0.0, 0.05)


class _Store:
    """Keeps what is stored of a step that ended; storing its start takes 20 ms, its success 10 ms."""

    def __init__(self, clock: StillTime) -> None:
        self.ended: list[dict[str, float]] = []
        self._clock = clock

    def together(self, writes: Sequence[Callable[[], object]]) -> None:
        for write in writes:
            write()

    def step_started(self, index: int, **_: object) -> None:
        self._clock.sleep(0.02)

    def open_statements(self, index: int) -> list[object]:
        return []

    def step_finished(self, index: int, *, time_spent: dict[str, float], **_: object) -> None:
        self.ended.append(time_spent)
        self._clock.sleep(0.01)

    def step_failed(self, index: int, *, time_spent: dict[str, float], **_: object) -> None:
        self.ended.append(time_spent)


def test_recorder__steps_that_end__stored_with_what_they_waited_for(clock: StillTime) -> None:
    store: Any = _Store(clock)
    nothing: Any = None
    recorder = TransitionRecorder(store, nothing, nothing, nothing)
    first, second = (Step(index, "recheck", "", None, None) for index in range(2))
    recorder.record(StepStarted(first))
    clock.sleep(0.05)
    recorder.record(StepDone(first, "", {}))
    recorder.record(StepStarted(second))
    clock.sleep(0.04)
    recorder.record(StepFailed(second, "", {}))
    done, failed = store.ended
    assert (done["servers_s"], done["database_s"]) == (0.05, 0.02)
    assert (failed["servers_s"], failed["database_s"]) == (0.04, 0.03), (
        "storing the end of the first step is part of the second"
    )
