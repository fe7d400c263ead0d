"""What a run learned is stored with its next transition: an intent before its statement, and all before a wait."""

from __future__ import annotations

import pytest

from backend.audit.models import AuditRecord
from backend.audit.verification.walk import verify
from backend.common.events.models import Event
from backend.core.runner import Outcome, StepDone, StepStarted
from backend.runs.execution.clock import RunClock
from backend.runs.models import Run, RunStep
from tests.backend.execution.test_open_statements import STEPS, STOP, intent, run, states, worker

__all__ = ["run"]
pytestmark = pytest.mark.django_db


def test_note__a_statement_succeeded__stored_with_the_end_of_its_step_and_the_start_of_the_next(run: Run) -> None:
    keeper = worker(run)
    keeper.note(intent(0, STOP))
    versions = Event.objects.filter(type="run.updated").count()
    keeper.note(Outcome(STEPS[0], "ok"))
    keeper.note(StepDone(STEPS[0], "stopped", {}))
    assert states() == ["intended"], "a successor would observe it"
    keeper.note(StepStarted(STEPS[1]))
    assert states() == ["ok"]
    assert list(RunStep.objects.values_list("state", flat=True)) == ["succeeded", "running", "pending"]
    assert Event.objects.filter(type="run.updated").count() == versions + 1
    actions = AuditRecord.objects.order_by("seq").values_list("action", flat=True)
    assert list(actions)[-3:] == [
        f"worker:run:{one}" for one in ("statement_outcome", "step_succeeded", "step_running")
    ]
    assert verify()["ok"]


def test_note__an_intent__stored_at_once_with_what_was_noted(run: Run) -> None:
    keeper = worker(run)
    keeper.note(intent(0, STOP))
    keeper.note(Outcome(STEPS[0], "ok"))
    keeper.note(intent(1, "INSERT 1", {"transaction": 1}))
    assert states() == ["ok", "intended"]


def test_note__a_statement_did_not_succeed__stored_at_once(run: Run) -> None:
    keeper = worker(run)
    keeper.note(intent(0, STOP))
    keeper.note(Outcome(STEPS[0], "indeterminate"))
    assert states() == ["indeterminate"]
    keeper.note(intent(1, "INSERT 1", {"transaction": 1}))
    keeper.note(Outcome(STEPS[1], "failed"))
    assert states() == ["indeterminate", "failed"]


def test_clock__a_wait__what_was_noted_is_stored_first(run: Run) -> None:
    keeper = worker(run)
    keeper.note(intent(0, STOP))
    keeper.note(Outcome(STEPS[0], "ok"))
    RunClock(keeper.flush).sleep(0)
    assert states() == ["ok"]
