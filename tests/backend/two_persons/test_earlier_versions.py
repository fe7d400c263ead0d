"""Rows of earlier versions: names, tokens, plans and approvals stay readable, and nothing old is taken for proof."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from backend.clusters.models import Link
from backend.runs import services
from backend.runs.execution.store import RunStore
from backend.runs.models import Approval, Plan, Run
from tests.backend.two_persons.waiting import people, waiting_run
from tests.support.console import Caller, approval

BEFORE, AFTER = [("accounts", "0001_initial")], [("accounts", "0002_second_persons_and_sign_ins")]


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


def test_migration__names_that_look_alike_and_tokens_without_an_end__go_on_working(transactional_db: None) -> None:
    executor = MigrationExecutor(connection)
    try:
        old = executor.migrate(BEFORE).apps
        users, tokens = old.get_model("accounts", "User").objects, old.get_model("accounts", "ApiToken").objects
        first, second = (users.create(username=name, password="x", role="approver") for name in ("nora", "N0RA"))
        tokens.create(id="t_old", user=first, label="ci", role="viewer", digest="d", expires_at=None)
        executor = MigrationExecutor(connection)
        new = executor.migrate(AFTER).apps
        skeletons = list(
            new.get_model("accounts", "User").objects.order_by("pk").values_list("name_skeleton", flat=True)
        )
        assert skeletons == ["nora", f"nora#{second.pk}"]
        ends = new.get_model("accounts", "ApiToken").objects.get().expires_at
        assert timedelta(days=364) < ends - timezone.now() < timedelta(days=366)
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
