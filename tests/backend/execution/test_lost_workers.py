"""A run that its workers die of is handed to a person, instead of being tried for ever."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from backend.operations.runs import services
from backend.operations.runs.execution.driver import drive
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.execution.unfinished_sessions import MAX_LOST_WORKERS
from backend.operations.runs.models import Run, RunState, RunStep

pytestmark = pytest.mark.django_db


def die(run: Run, times: int) -> RunStore:
    """That many workers claim the run, begin its first step and are heard of no more; the last one's hold."""
    for _ in range(times):
        store = RunStore(run.pk, "w")
        assert store.claim(30)
        store.step_started(0)
        Run.objects.filter(pk=run.pk).update(lease_until=Now() - timedelta(seconds=1))
    return store


def lost(run: Run) -> int:
    """As the record counts them."""
    return Run.objects.get(pk=run.pk).lost_workers


def test_workers__die_one_after_the_other__a_person_is_told_where_and_what_to_look_for(run: Run) -> None:
    die(run, MAX_LOST_WORKERS + 1)
    drive(run.pk)
    stopped = Run.objects.get(pk=run.pk)
    assert stopped.state == RunState.NEEDS_OPERATOR
    assert stopped.outcome.startswith(f"{MAX_LOST_WORKERS + 1} workers in a row failed or stopped responding at: ")
    assert "lack of memory" in stopped.next_action


def test_workers__as_many_as_may_die__are_counted_and_forgotten_once_a_step_is_done(run: Run) -> None:
    die(run, MAX_LOST_WORKERS)
    last = RunStore(run.pk, "w")
    assert last.claim(30)
    assert lost(run) == MAX_LOST_WORKERS
    last.step_finished(0, outcome="x")
    assert lost(run) == 0


def test_workers__die_behind_what_each_proves_again__are_not_forgotten_for_that(run: Run) -> None:
    """A successor reads positions again before it comes to where the one before it was killed."""
    RunStep.objects.filter(run=run, index=0).update(outcome="proven: binlog.000001:4")
    die(run, 2)
    last = RunStore(run.pk, "w")
    assert last.claim(30)
    last.step_finished(0, outcome="x")
    assert lost(run) == 2


def test_worker__let_go_of_the_run__is_not_lost(run: Run) -> None:
    store = RunStore(run.pk, "w")
    store.claim(30)
    store.release()
    assert RunStore(run.pk, "w").claim(30)
    assert lost(run) == 0


def test_resume__after_too_many_died__as_many_may_try_again(run: Run) -> None:
    die(run, MAX_LOST_WORKERS + 1)
    drive(run.pk)
    services.run_resume(actor="nora", run=Run.objects.get(pk=run.pk), comment="")
    assert lost(run) == 0
