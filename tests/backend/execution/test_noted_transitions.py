"""What a run learned is stored with its next transition: an intent before its statement, and all before a wait."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db.models.functions import Now

from backend.audit.models import AuditRecord
from backend.audit.verification.walk import verify
from backend.clusters.models import Link, Node
from backend.common.events.models import Event
from backend.core.runner import Ended, Outcome, StepDone, StepStarted
from backend.monitoring.models import StrayChannel
from backend.monitoring.recording import stray_channels
from backend.operations.runs.execution import store, transition_recorder
from backend.operations.runs.execution.clock import RunClock
from backend.operations.runs.execution.console import RunConsole
from backend.operations.runs.models import Run, RunStep
from tests.backend.execution.open_statements import STEPS, STOP, intent, run, states, worker
from tests.support.clock import stop_clock

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


def test_note__a_step_is_sent_with_others__its_start_is_stored_with_the_intent(run: Run) -> None:
    keeper = worker(run)
    versions = Event.objects.filter(type="run.updated").count()
    keeper.note(StepStarted(STEPS[0], is_followed=True))
    assert RunStep.objects.get(index=0).state == "pending"
    keeper.note(intent(0, STOP))
    assert (states(), RunStep.objects.get(index=0).state) == (["intended"], "running")
    assert Event.objects.filter(type="run.updated").count() == versions + 1


@pytest.mark.parametrize("is_aborted", [False, True])
def test_point_of_no_return__passed_or_not__in_one_transaction_with_what_was_noted(run: Run, is_aborted: bool) -> None:
    keeper = worker(run)
    if is_aborted:
        Run.objects.update(abort_requested_at=Now())
    versions = Event.objects.filter(type="run.updated").count()
    keeper.note(StepDone(STEPS[0], "caught up", {}))
    keeper.note(StepStarted(STEPS[1], is_followed=True))
    assert keeper.pass_point_of_no_return() is not is_aborted
    assert Run.objects.get().point_of_no_return_passed is not is_aborted
    assert list(RunStep.objects.values_list("state", flat=True)) == ["succeeded", "running", "pending"]
    assert Event.objects.filter(type="run.updated").count() == versions + 1


def test_roles__swapped_by_a_step__stored_with_the_intents_that_follow_and_before_a_statement(run: Run) -> None:
    keeper = worker(run)
    link = Link.objects.get(pk=run.link_id)
    console = RunConsole(keeper._store, link.pk, keeper.defer)
    console.set_roles(link.standby_cluster_id, link.active_cluster_id)
    keeper.note(StepDone(STEPS[0], "swapped", {}))
    assert Link.objects.get(pk=link.pk).active_cluster_id == link.active_cluster_id
    keeper.note(intent(1, "INSERT 1", {"transaction": 1}))
    assert Link.objects.get(pk=link.pk).active_cluster_id == link.standby_cluster_id
    assert AuditRecord.objects.filter(action="worker:link:roles").count() == 1
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


def test_note__intents_sent_at_once__stored_together_with_the_last_of_them(run: Run) -> None:
    keeper = worker(run)
    first, last = replace(intent(0, STOP), is_followed=True), intent(1, "INSERT 1", {"transaction": 1})
    versions = Event.objects.filter(type="run.updated").count()
    keeper.note(first)
    assert states() == []
    keeper.note(last)
    assert states() == ["intended", "intended"]
    assert Event.objects.filter(type="run.updated").count() == versions + 1
    keeper.note(Outcome(STEPS[0], "indeterminate"))
    keeper.note(Outcome(STEPS[1], "ok"))
    keeper.flush()
    assert states() == ["indeterminate", "ok"]


def database_now() -> datetime:
    now: datetime = Run.objects.annotate(now=Now()).values_list("now", flat=True).get()
    return now


def test_note__stored_later__begun_and_ended_when_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = stop_clock(monkeypatch, transition_recorder, store)
    keeper = worker(run)
    keeper.note(StepStarted(STEPS[0], is_followed=True))
    keeper.note(StepDone(STEPS[0], "stopped", {}))
    clock.now_s += 50
    before = database_now()
    keeper.flush()
    step = RunStep.objects.get(index=0)
    assert step.started_at == step.ended_at
    assert step.ended_at is not None
    assert before <= step.ended_at + timedelta(seconds=50) <= database_now()


def test_note__a_channel_was_removed__its_mark_goes_with_the_end_of_its_step(run: Run) -> None:
    keeper = worker(run)
    node = Node.objects.first()
    assert node is not None
    stray_channels.mark_stray(link_id=run.link_id, node_id=node.pk, channel_name="link1", run_id=run.pk)
    keeper.record(StepDone(replace(STEPS[0], code="reset_channel", node_id=node.pk), "removed", {}))
    assert not StrayChannel.objects.exists()


def test_end__reported_with_the_state_that_it_brings(run: Run) -> None:
    keeper = worker(run)
    keeper.record(Ended("failed", "not possible"))
    reported = Event.objects.filter(type="run.updated").order_by("-pk")[0]
    assert (reported.data["state"], reported.data["version"]) == ("failed", Run.objects.get().version)
