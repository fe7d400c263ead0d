"""What a worker's thread did in a step, by the clock and the kernel's counters."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from backend.core.runner.time_spent import PARTS
from backend.runs.execution import step_watch
from backend.runs.execution.step_watch import StepWatch


def _compute(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_watch__slept__counts_as_what_was_awaited() -> None:
    watch = StepWatch()
    time.sleep(0.05)
    watch.lap("servers_s")
    time.sleep(0.03)
    watch.lap("database_s")
    spent = watch.take()
    assert spent["servers_s"] >= 0.05
    assert spent["database_s"] >= 0.03


def test_watch__computed__counts_as_computing_whatever_was_awaited() -> None:
    watch = StepWatch()
    _compute(0.05)
    watch.lap("servers_s")
    spent = watch.take()
    assert spent["computing_s"] >= 0.05
    assert spent["servers_s"] < spent["computing_s"]


def test_watch__new_step__begins_with_nothing() -> None:
    watch = StepWatch()
    _compute(0.02)
    watch.lap("servers_s")
    assert watch.take()["computing_s"] > 0
    assert watch.take() == dict.fromkeys(PARTS, 0.0)


def test_watch__waited_for_a_processor__is_told_by_the_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = tmp_path / "schedstat"
    schedule.write_text("7000000 1000000000 12\n")
    monkeypatch.setattr(step_watch, "_SCHEDULE", schedule)
    watch = StepWatch()
    time.sleep(0.05)
    schedule.write_text("7000000 1030000000 13\n")
    watch.lap("servers_s")
    spent = watch.take()
    assert spent["processor_wait_s"] == 0.03
    assert spent["servers_s"] >= 0.019


def test_watch__kernel_tells_no_wait__it_counts_as_awaited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_watch, "_SCHEDULE", tmp_path / "missing")
    watch = StepWatch()
    time.sleep(0.05)
    watch.lap("database_s")
    spent = watch.take()
    assert spent["processor_wait_s"] == 0.0
    assert spent["database_s"] >= 0.049
