"""An operator asks for a run and decides on none: neither his own nor anybody's."""

from __future__ import annotations

import pytest

from backend.clusters.models import Link
from backend.operations.runs.models import Plan, Run
from tests.support.console import Caller, approval, confirmation, set_approval_rule


@pytest.mark.parametrize("asker", ["operator", "approver"])
def test_operator__approves_a_run__403_and_it_waits(
    operator: Caller, approver: Caller, link: Link, plan: Plan, asker: str
) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    caller = {"operator": operator, "approver": approver}[asker]
    run = caller.post(f"/plans/{plan.id}/runs", confirmation(plan)).body
    answer = operator.post(f"/runs/{run['id']}/approve", approval(plan))
    assert (answer.status, answer.body["code"]) == (403, "forbidden")
    assert Run.objects.get().state == "waiting_approval"


def test_operator__switches_the_rule_off_or_makes_an_approver__403(operator: Caller, link: Link) -> None:
    assert set_approval_rule(operator, link.id, is_on=False).status == 403
    assert operator.post("/users", {"username": "anna", "role": "approver"}).status == 403
