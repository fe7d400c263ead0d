"""A run asks every link that joins a cluster on which it acts: its rights, its rule and its calendar."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.clusters import services as clusters
from backend.clusters.models import Link, Node
from backend.common.actors import AUTOMATION
from backend.common.errors import ProblemError
from backend.identity.access.assignments import role_assign
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ProtectedChange, User
from backend.identity.accounts.token_limits import TokenLimits
from backend.operations.approval_rules.models import LinkApprovalRule
from backend.operations.change_calendar.models import ChangeFreeze
from backend.operations.runs import services
from backend.operations.runs.execution.claim import RunClaim
from backend.operations.runs.models import Plan, Run, RunState
from tests.support.console import (
    Answer,
    Caller,
    approval,
    cluster_body,
    confirmation,
    core_plan,
    make_caller,
    make_user,
    store_plan,
)

SHARED = "payments"
"""The name of the link whose rule is to hold; `reports` is the other link over its active side."""


@pytest.fixture
def reports(link: Link) -> Link:
    """A link without a rule from the same cluster to a third one."""
    third = clusters.cluster_register(actor="test", **cluster_body("reports-b", "127.0.72.1", "127.0.72.2"))
    return clusters.link_register(
        actor="test",
        name="reports",
        active_cluster=link.active_cluster_id,
        standby_cluster=third.id,
        channel_name="reports",
        create_probe=False,
        requires_approval=False,
    )


def _rule(link: Link, needed: int, *approvers: str) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    LinkApprovalRule.objects.update_or_create(link=link, defaults={"needed": needed, "approvers": list(approvers)})


def _on(link: Link, cluster_id: str, kind: str = "configure") -> Plan:
    """A plan of the link that acts on the nodes of one cluster alone."""
    node, plan = Node.objects.filter(cluster=cluster_id).latest("ordinal"), core_plan(link)
    steps = tuple(replace(step, node_id=node.pk, node=node.name) for step in plan.steps)
    return store_plan(link, replace(plan, kind=kind, steps=steps))


def _shared(reports: Link, kind: str = "configure") -> Plan:
    return _on(reports, reports.active_cluster_id, kind)


def _start(caller: Caller, plan: Plan, **more: str) -> Answer:
    return caller.post(f"/plans/{plan.id}/runs", {**confirmation(plan), **more})


def _scoped(name: str, role: str, *links: Link) -> Caller:
    """A user with a role on these links alone, which counts already."""
    user = make_user(name, "none")
    for link in links:
        role_assign(actor="test", to=user, role=role, scope_kind="link", scope=link.pk)
    ProtectedChange.objects.all().delete()
    User.objects.filter(pk=user.pk).update(second_person_from=timezone.now())
    _, secret = token_services.token_create(owner=user, label="x", role=None, expires_days=None, actor=name)
    return Caller(secret)


def _freeze(link: Link) -> None:
    now, hour = timezone.now(), timedelta(hours=1)
    ChangeFreeze.objects.create(
        name="year end",
        reason="closing",
        begins_at=now - hour,
        ends_at=now + hour,
        links=[link.pk],
        created_by="test",
        created_at=now,
    )


def test_run__on_a_cluster_of_a_link_with_a_rule__waits_for_its_approvers(
    link: Link, reports: Link, operator: Caller
) -> None:
    anna, ben, carl = (make_caller(name, "approver") for name in ("anna", "ben", "carl"))
    _rule(link, 2, "anna", "ben")
    plan = _shared(reports)
    run = _start(operator, plan).body
    assert (run["state"], run["approvals_needed"]) == ("waiting_approval", 2)
    refused = carl.post(f"/runs/{run['id']}/approve", approval(plan))
    assert (refused.body.get("code"), SHARED in refused.body.get("detail", "")) == ("not_named_approver", True)
    assert anna.post(f"/runs/{run['id']}/approve", approval(plan)).body["state"] == "waiting_approval"
    assert ben.post(f"/runs/{run['id']}/approve", approval(plan)).body["state"] == "queued"


def test_run__on_the_side_that_no_other_link_joins__waits_for_nobody(
    link: Link, reports: Link, operator: Caller
) -> None:
    _rule(link, 2)
    assert _start(operator, _on(reports, reports.standby_cluster_id)).body["state"] == "queued"


def test_run__with_a_step_without_a_node__its_cluster_is_in_its_parameters(
    link: Link, reports: Link, operator: Caller
) -> None:
    _rule(link, 1)
    plan = core_plan(reports)
    params = {"cluster_ids": [reports.active_cluster_id]}
    steps = tuple(replace(step, node_id=None, node=None, params=params) for step in plan.steps)
    assert _start(operator, store_plan(reports, replace(plan, steps=steps))).body["state"] == "waiting_approval"


def test_run__of_a_node_that_is_registered_no_more__asks_for_both_sides(
    link: Link, reports: Link, operator: Caller
) -> None:
    _rule(link, 1)
    plan = core_plan(reports)
    steps = tuple(replace(step, node_id="n_aaaaaaaaaaaa") for step in plan.steps)
    assert _start(operator, store_plan(reports, replace(plan, steps=steps))).body["state"] == "waiting_approval"


def test_run__both_links_have_rules__the_strictest_of_both(link: Link, reports: Link, operator: Caller) -> None:
    for name in ("anna", "ben", "carl"):
        make_user(name, "approver")
    _rule(link, 1, "anna", "ben", "carl")
    _rule(reports, 2, "anna", "BEN")
    run = Run.objects.get(pk=_start(operator, _shared(reports)).body["id"])
    assert run.approval_rule == {"needed": 2, "approvers": ["anna", "BEN"]}


@pytest.mark.parametrize("approvers", [["carl"], ["anna", "carl"]])
def test_run__too_few_approvers_in_common__refused_with_the_links(
    link: Link, reports: Link, operator: Caller, approvers: list[str]
) -> None:
    _rule(link, 2, "anna", "ben")
    _rule(reports, 1, *approvers)
    answer = _start(operator, _shared(reports))
    assert (answer.status, answer.body.get("code")) == (409, "no_common_approver")
    assert SHARED in answer.body.get("detail", "")
    assert not Run.objects.exists()


def test_run__without_the_right_on_the_other_link__refused_with_its_name(link: Link, reports: Link) -> None:
    answer = _start(_scoped("rita", "operator", reports), _shared(reports))
    assert (answer.status, answer.body.get("code")) == (403, "other_link_not_permitted")
    assert SHARED in answer.body.get("detail", "")
    assert not Run.objects.exists()
    assert _start(_scoped("olga", "operator", reports, link), _shared(reports)).status == 202


def test_run__by_a_token_for_one_link__refused_with_the_other(link: Link, reports: Link) -> None:
    user = make_user("olga", "operator")
    _, secret = token_services.token_create(
        owner=user, label="x", role=None, expires_days=None, actor="olga", limits=TokenLimits(links=[reports.pk])
    )
    assert _start(Caller(secret), _shared(reports)).body.get("code") == "other_link_not_permitted"


def test_approval__without_the_right_on_the_other_link__refused_with_its_name(
    link: Link, reports: Link, operator: Caller
) -> None:
    _rule(link, 1)
    approver, plan = _scoped("rita", "approver", reports), _shared(reports)
    run = _start(operator, plan).body
    answer = approver.post(f"/runs/{run['id']}/approve", approval(plan))
    assert (answer.status, answer.body.get("code")) == (403, "other_link_not_permitted")
    assert approver.post(f"/runs/{run['id']}/reject", approval(plan)).body["state"] == "aborted"


def test_run__calendar_of_the_other_link_objects__refused_with_its_name(
    link: Link, reports: Link, operator: Caller
) -> None:
    _freeze(link)
    answer = _start(operator, _shared(reports))
    assert (answer.status, answer.body.get("code")) == (409, "change_not_allowed")
    assert SHARED in answer.body.get("detail", "")
    assert answer.body.get("next_start") is not None
    scoped = _scoped("rita", "approver", reports)
    role_assign(actor="test", to=User.objects.get(username="rita"), role="operator", scope_kind="link", scope=link.pk)
    denied = _start(scoped, _shared(reports), override_calendar="urgent")
    assert (denied.status, denied.body.get("code")) == (403, "override_not_permitted")
    assert _start(make_caller("anna", "approver"), _shared(reports), override_calendar="urgent").status == 202


def _right_taken(link: Link) -> None:
    User.objects.get(username="olga").assignments.filter(scope=link.pk).delete()


@pytest.mark.parametrize(("change", "code"), [(_right_taken, "requester_not_permitted"), (_freeze, "change_not")])
def test_claim__the_other_link_objects_by_now__nothing_is_sent(
    link: Link, reports: Link, change: Callable[[Link], None], code: str
) -> None:
    run = _start(_scoped("olga", "operator", reports, link), _shared(reports)).body
    change(link)
    assert RunClaim(run["id"], "host:1:a:b:c").claim(15) is None
    ended = Run.objects.get(pk=run["id"])
    assert ended.state == RunState.FAILED.value
    assert SHARED in ended.outcome


def test_resume__without_the_right_on_the_other_link__refused(link: Link, reports: Link, operator: Caller) -> None:
    run = _start(operator, _shared(reports)).body
    Run.objects.update(state=RunState.NEEDS_OPERATOR.value)
    answer = _scoped("rita", "operator", reports).post(f"/runs/{run['id']}/resume", {"comment": "compared"})
    assert (answer.status, answer.body.get("code")) == (403, "other_link_not_permitted")


def test_resume__rule_of_the_other_link__waits_for_its_approvers(link: Link, reports: Link, operator: Caller) -> None:
    run = _start(operator, _shared(reports)).body
    Run.objects.update(state=RunState.NEEDS_OPERATOR.value)
    _rule(link, 2)
    resumed = operator.post(f"/runs/{run['id']}/resume", {"comment": "compared"}).body
    assert (resumed["state"], resumed["approvals_needed"]) == ("waiting_approval", 2)


def test_run__by_automation__waits_for_the_approvers_of_the_other_link(link: Link, reports: Link) -> None:
    _rule(link, 1)
    plan = _shared(reports, "start_channel")
    given: dict[str, Any] = {"digest": plan.digest, "confirm": reports.name, "reason": "Automatic"}
    assert services.run_start(actor=AUTOMATION, plan=plan, **given).state == RunState.WAITING_APPROVAL.value


def test_run__at_the_shell__waits_for_the_approvers_of_the_other_link(link: Link, reports: Link) -> None:
    _rule(link, 1)
    plan = _shared(reports)
    given = ["--digest", plan.digest, "--confirm", reports.name, "--reason", "all is down"]
    with pytest.raises(CommandError, match="approv"):
        call_command("hawser_breakglass", "run", plan.id, *given, stdout=io.StringIO())
    assert Run.objects.get().state == RunState.WAITING_APPROVAL.value


def test_rule_that_nobody_can_keep__at_the_shell__refused_as_everywhere(link: Link, reports: Link) -> None:
    _rule(link, 1, "anna")
    _rule(reports, 1, "ben")
    plan = Plan.objects.get(pk=_shared(reports).pk)
    with pytest.raises(ProblemError, match=SHARED):
        services.run_start(
            actor="break-glass root", plan=plan, digest=plan.digest, confirm=reports.name, reason="all is down"
        )


def test_plan_and_decision__shown__say_which_links_are_asked(link: Link, reports: Link, operator: Caller) -> None:
    _rule(link, 2)
    plan = _shared(reports)
    asked = operator.get(f"/plans/{plan.id}").body["asked_links"]
    assert [one["link_name"] for one in asked] == ["reports", SHARED]
    assert [(one["requires_approval"], one["approvals_needed"]) for one in asked] == [(False, 1), (True, 2)]
    run = _start(operator, plan).body
    assert operator.get(f"/runs/{run['id']}/decision").body["asked_links"] == asked
    assert operator.get("/waiting").body["runs"][0]["asked_links"] == asked
