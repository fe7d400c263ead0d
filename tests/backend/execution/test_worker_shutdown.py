"""A worker told to end: a run that ends in time ends, a longer one is released where nothing is under way."""

from __future__ import annotations

import mmap
from multiprocessing import get_context
from multiprocessing.synchronize import Event

import pytest
from celery.signals import worker_shutting_down

from backend.operations.runs.execution import worker_shutdown
from backend.operations.runs.execution.clock import RunClock
from backend.operations.runs.execution.driver import drive
from backend.operations.runs.execution.worker_shutdown import WorkerShutdownError
from backend.operations.runs.models import Run
from tests.backend.execution.swapping_run import page, run

__all__ = ["page", "run"]


def told_so_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """The word came, and time passed."""
    worker_shutting_down.send(sender="celery@here", sig="SIGTERM", how="Warm", exitcode=0)
    monkeypatch.setattr(worker_shutdown, "FINISH_WITHIN_S", 0.0)


def test_drive__told_to_end_just_now__carries_the_run_to_its_end(run: Run) -> None:
    worker_shutting_down.send(sender="celery@here", sig="SIGTERM", how="Warm", exitcode=0)
    drive(run.pk)
    assert Run.objects.get(pk=run.pk).state == "succeeded"


def test_drive__told_to_end_long_ago__lets_go_at_a_boundary_and_another_ends_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_so_long_ago(monkeypatch)
    drive(run.pk)
    now = Run.objects.get(pk=run.pk)
    assert (now.state, now.owner, now.lease_until, now.epoch) == ("running", "", None, 1), now.outcome
    monkeypatch.setattr(worker_shutdown, "_page", mmap.mmap(-1, 8))
    drive(run.pk)
    now = Run.objects.get(pk=run.pk)
    assert (now.state, now.epoch) == ("succeeded", 2), now.outcome


def test_clock__told_to_end_long_ago__no_wait_begins(page: None, monkeypatch: pytest.MonkeyPatch) -> None:
    RunClock().sleep(0.0)
    told_so_long_ago(monkeypatch)
    with pytest.raises(WorkerShutdownError):
        RunClock().sleep(0.0)


def wait_until_told(is_waiting: Event) -> None:
    """In a process of its own: leaves once it is told to."""
    for _ in range(3000):
        RunClock().sleep(0.01)
        is_waiting.set()


def test_process_forked_before_the_word__hears_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_shutdown, "FINISH_WITHIN_S", 0.0)
    is_waiting = get_context("fork").Event()
    child = get_context("fork").Process(target=wait_until_told, args=(is_waiting,))
    child.start()
    assert is_waiting.wait(20)
    worker_shutting_down.send(sender="celery@here", sig="SIGTERM", how="Warm", exitcode=0)
    child.join(60)
    assert child.exitcode == 1  # WorkerShutdownError
