"""One person with two tokens is one person, and a lesser token does not lend its owner's privileges."""

from __future__ import annotations

import pytest

from backend.clusters.models import Link
from backend.identity.accounts import token_services
from backend.identity.accounts.models import User
from backend.operations.runs.models import Plan
from tests.support.console import Caller, approval, confirmation, set_approval_rule


def _second_token(username: str, role: str | None) -> Caller:
    owner = User.objects.get(username=username)
    _, secret = token_services.token_create(owner=owner, label="second", role=role, expires_days=7, actor="test")
    return Caller(secret)


@pytest.fixture
def waiting_run(approver: Caller, admin: Caller, plan: Plan) -> str:
    """A run that the approver asked for and another operator must approve."""
    set_approval_rule(admin, plan.link_id, is_on=True)
    plan = Plan.objects.get(pk=plan.pk)
    run = approver.post(f"/plans/{plan.id}/runs", confirmation(plan)).body
    assert run["state"] == "waiting_approval"
    return str(run["id"])


def test_approval__second_token_of_the_requester__own_run(waiting_run: str, plan: Plan) -> None:
    answer = _second_token("approver-1", None).post(f"/runs/{waiting_run}/approve", approval(plan))
    assert (answer.status, answer.body["code"]) == (403, "own_run")


def test_approval__viewer_token_of_an_approver__403(waiting_run: str, admin: Caller, plan: Plan) -> None:
    assert _second_token("admin-1", "viewer").post(f"/runs/{waiting_run}/approve", approval(plan)).status == 403


def test_key__replayed_by_a_lesser_token_of_the_same_person__403(admin: Caller, link: Link) -> None:
    change = {"requires_approval": True, "reason": "test"}
    assert admin.call("PATCH", f"/links/{link.id}", change, Idempotency_Key="k", If_Match="*").status == 200
    lesser = _second_token("admin-1", "viewer")
    assert lesser.call("PATCH", f"/links/{link.id}", change, Idempotency_Key="k", If_Match="*").status == 403
