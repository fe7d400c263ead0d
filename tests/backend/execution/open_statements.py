"""A run and those who carry it on: what it sends, and what becomes of its statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from backend.clusters.models import Link
from backend.core.plan import Step
from backend.core.runner import Intent
from backend.operations.runs import services
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.execution.transition_recorder import TransitionRecorder
from backend.operations.runs.models import Run, Statement
from backend.operations.runs.planning.stored_plan import core_plan as stored
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld
from tests.support.console import confirmation, core_plan, make_user, store_plan

STOP, START = "STOP SLAVE 'link1'", "START SLAVE 'link1'"
STEPS = (
    Step(0, "stop_channel", "Stop", "n_b1", "b1", sql=(STOP,), undo=(START,)),
    Step(1, "replay", "Replay", "n_b1", "b1", point_of_no_return=True),
    Step(2, "change_source", "Point", None, None, sql=("CHANGE MASTER TO MASTER_PASSWORD={{secret:replication}}",)),
)


@pytest.fixture
def run(link: Link) -> Run:
    """A run of these steps."""
    make_user("nora", "operator")
    plan = store_plan(link, replace(core_plan(link), steps=STEPS))
    return services.run_start(actor="nora", plan=plan, **confirmation(plan))


def lapse(run: Run) -> None:
    """The worker that holds it slept past its lease."""
    Run.objects.filter(pk=run.pk, lease_until__isnull=False).update(lease_until=Now() - timedelta(seconds=1))


def worker(run: Run) -> TransitionRecorder:
    """What the next process to carry the run on keeps; the one before it is dead."""
    lapse(run)
    store = RunStore(run.pk, "w")
    assert store.claim(30)
    return TransitionRecorder(store, store.run(), stored(run.plan), FakeGateway(FakeWorld()))


def intent(index: int, sql: str, before: Mapping[str, Any] | None = None, *, is_undo: bool = False) -> Intent:
    """About to send."""
    return Intent(STEPS[index], sql, 7, before or {}, is_undo)


def states() -> list[str]:
    """Of all statements, oldest first."""
    return [statement.state for statement in Statement.objects.order_by("pk")]
