"""Rows of earlier versions: plans and approvals stay readable, and nothing old is taken for proof."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.operations.runs import services
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Approval, Plan, Run
from tests.backend.two_persons.waiting import people, waiting_run
from tests.support.console import Caller, approval


@pytest.fixture
def run(link: Link) -> Run:
    """Approved and begun by the version before: no MAC, no round, a plan whose digest left something out."""
    people()
    run = waiting_run(link)
    Plan.objects.filter(pk=run.plan_id).update(body={**run.plan.body, "steps_version": 3}, digest="d" * 64)
    Approval.objects.create(run=run, approver="anna", at=timezone.now())
    Run.objects.filter(pk=run.pk).update(
        state="running", started_at=timezone.now(), needs_approval=False, approval_expires_at=None
    )
    return Run.objects.get(pk=run.pk)


def test_run_of_an_earlier_version__read__with_who_approved_it(run: Run, viewer: Caller) -> None:
    for path in (f"/runs/{run.id}", f"/runs/{run.id}/report", f"/plans/{run.plan_id}", "/runs"):
        assert viewer.get(path).status == 200
    assert viewer.get(f"/runs/{run.id}").body["approved_by"] == "anna"


def test_run_of_an_earlier_version__claimed__left_to_an_operator(run: Run) -> None:
    assert RunStore(run.id, "w").claim(30) is None
    assert Run.objects.get(pk=run.pk).state == "needs_operator"


def test_run_of_an_earlier_version__waiting__is_approved_by_nobody(run: Run, approver: Caller) -> None:
    Approval.objects.all().delete()
    Run.objects.filter(pk=run.pk).update(state="waiting_approval", started_at=None)
    assert services.end_unapproved() == 0
    answer = approver.post(f"/runs/{run.id}/approve", approval(Plan.objects.get(pk=run.plan_id)))
    assert (answer.status, answer.body["code"]) == (409, "plan_version_mismatch")
