"""A worker carries what the console released, with the approval the rule asks for, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.db.models import F

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.plan import digest_of
from backend.operations.runs import services
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Approval, Plan, Run, RunState
from tests.backend.two_persons.waiting import APPROVER, approved, people, waiting_run
from tests.support.console import confirmation, store_plan


@pytest.fixture
def run(link: Link) -> Run:
    people()
    return waiting_run(link)


def _refused(run: Run, code: str) -> None:
    """The worker leaves it, it has ended, and both the record and an event say so."""
    assert RunStore(run.id, "w").claim(30) is None
    fresh = Run.objects.get(pk=run.pk)
    assert (fresh.state, fresh.started_at, fresh.unfinished_link) == ("failed", None, None)
    record = AuditRecord.objects.get(action="worker:run:refused")
    assert record.facts["code"] == code
    raised = Event.objects.filter(data__kind="run.tampered").get()
    assert raised.data["severity"] == "blocker"


def test_claim__approved__carried(run: Run) -> None:
    approved(run)
    assert RunStore(run.id, "w").claim(30) == 1


def test_claim__without_the_rule__carried(link: Link) -> None:
    people()
    plan = store_plan(link)
    started = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    assert RunStore(started.id, "w").claim(30) == 1


def test_claim__set_to_queued_by_hand__refused(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(state="queued")
    _refused(run, "not_authorized")


def test_claim__set_to_queued_and_said_to_need_nobody__refused(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(state="queued", needs_approval=False)
    _refused(run, "not_authorized")


def test_claim__approval_written_by_hand__refused(run: Run) -> None:
    Approval.objects.create(run=run, approver=APPROVER, at=run.created_at, digest=run.plan.digest, mac="0" * 64)
    Run.objects.filter(pk=run.pk).update(state="queued")
    _refused(run, "not_authorized")


def test_claim__approval_taken_away_again__refused(run: Run) -> None:
    approved(run)
    Approval.objects.all().delete()
    _refused(run, "not_approved")


@pytest.mark.parametrize(
    "change",
    [
        {"approver": "other"},
        {"digest": "0" * 64},
        {"at": F("at") + timedelta(hours=1)},
        {"round": 2},
        {"is_exception": True},
    ],
    ids=str,
)
def test_claim__approval_altered__refused(run: Run, change: dict[str, Any]) -> None:
    approved(run)
    Approval.objects.update(**change)
    _refused(run, "not_approved")


def test_claim__authorization_and_approval_of_another_run__refused(run: Run) -> None:
    approved(run)
    RunStore(run.id, "w").claim(30)
    Run.objects.filter(pk=run.pk).update(state="succeeded", unfinished_link=None)
    second = waiting_run(run.link)
    donor = Run.objects.get(pk=run.pk)
    Approval.objects.filter(run=run).update(run=second)
    Run.objects.filter(pk=second.pk).update(state="queued", authorization=donor.authorization, epoch=donor.epoch)
    _refused(second, "not_authorized")


def _options(body: dict[str, Any]) -> None:
    body["options"] = {"attest_fenced": ["n_aaaaaaaaaaaa"], "probe": False}


def _summary(body: dict[str, Any]) -> None:
    body["summary"] = "HARMLESS: nothing happens"


def _target(body: dict[str, Any]) -> None:
    body["target"] = {}


def _situation(body: dict[str, Any]) -> None:
    body["situation"] = {"sentence": "All is well."}


def _link_name(body: dict[str, Any]) -> None:
    body["link_name"] = "another"


def _steps(body: dict[str, Any]) -> None:
    body["steps"] = list(reversed(body["steps"]))


def _fact(body: dict[str, Any]) -> None:
    body["something_new"] = 1


ALTERATIONS = [_options, _summary, _target, _situation, _link_name, _steps, _fact]


@pytest.mark.parametrize("alter", ALTERATIONS)
def test_claim__stored_plan_altered__refused(run: Run, alter: Callable[[dict[str, Any]], None]) -> None:
    approved(run)
    plan = Plan.objects.get(pk=run.plan_id)
    alter(plan.body)
    plan.save()
    _refused(run, "plan_altered")


@pytest.mark.parametrize("alter", ALTERATIONS)
def test_claim__stored_plan_altered_with_its_digest__refused(run: Run, alter: Callable[[dict[str, Any]], None]) -> None:
    approved(run)
    plan = Plan.objects.get(pk=run.plan_id)
    alter(plan.body)
    plan.digest = digest_of(plan.body)
    plan.save()
    _refused(run, "not_authorized")


def test_claim__requester_exchanged__refused(run: Run) -> None:
    approved(run)
    Run.objects.filter(pk=run.pk).update(requested_by=APPROVER)
    _refused(run, "not_authorized")


def test_claim__stopped_run_set_to_queued_by_hand__stays_with_the_operator(run: Run) -> None:
    approved(run)
    store = RunStore(run.id, "w")
    store.claim(30)
    store.run_finished(RunState.NEEDS_OPERATOR, outcome="Stopped.")
    Run.objects.filter(pk=run.pk).update(state="queued")
    assert RunStore(run.id, "w2").claim(30) is None
    fresh = Run.objects.get(pk=run.pk)
    assert (fresh.state, fresh.unfinished_link) == ("needs_operator", run.link_id)
    assert "audit log" in fresh.next_action


def test_claim__worker_died__its_successor_carries_on(run: Run) -> None:
    approved(run)
    assert RunStore(run.id, "w").claim(30) == 1
    Run.objects.filter(pk=run.pk).update(lease_until=None)
    assert RunStore(run.id, "w2").claim(30) == 2


def test_claim__key_rotated__former_one_still_counts(run: Run, settings: Any) -> None:
    approved(run)
    settings.HAWSER_CREDENTIALS_KEYS = [Fernet.generate_key().decode(), *settings.HAWSER_CREDENTIALS_KEYS]
    assert RunStore(run.id, "w").claim(30) == 1


def test_claim__key_exchanged__refused(run: Run, settings: Any) -> None:
    approved(run)
    settings.HAWSER_CREDENTIALS_KEYS = [Fernet.generate_key().decode()]
    _refused(run, "not_authorized")
