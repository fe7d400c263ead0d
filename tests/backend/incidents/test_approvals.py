"""Two persons: an approval of all counts for a run only where it would count for that run alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.common.errors import ProblemError
from backend.core.plan import Plan as CorePlan
from backend.identity.accounts.models import User
from backend.identity.accounts.token_services import token_revoke
from backend.operations.approval_rules.models import LinkApprovalRule
from backend.operations.incidents import services
from backend.operations.incidents.models import Incident, IncidentApproval
from backend.operations.incidents.selectors import incident_view
from backend.operations.runs.models import Approval, Run, RunState
from backend.operations.runs.services import run_approve
from tests.backend.two_persons.waiting import people
from tests.support.console import approval, make_user, new_token
from tests.support.incidents import (
    Workers,
    confirmed,
    finish,
    fresh,
    item,
    opened,
    ready,
    run,
    states,
    touched_link,
    workers,
)

__all__ = ["workers"]


@pytest.fixture
def links(db: None) -> list[Link]:
    """The first needs no second person, the others do."""
    people()
    return [touched_link(name, 81 + n, gap=30 - n, approval=n > 0) for n, name in enumerate(("alpha", "beta", "gamma"))]


def _approve(incident: Incident, name: str = "anna", **changed: str) -> Incident:
    given = {"digest": fresh(incident).digest, "comment": "read", **changed}
    return services.incident_approve(user=User.objects.get(username=name), incident=incident, **given)


def _on_standby(link: Link) -> CorePlan:
    node, plan = link.standby_cluster.nodes.get(), ready(link)
    return replace(plan, steps=tuple(replace(step, node_id=node.pk, node=node.name) for step in plan.steps))


def _code(incident: Incident, name: str = "anna", **changed: str) -> str:
    with pytest.raises(ProblemError) as problem:
        _approve(incident, name, **changed)
    return problem.value.code


def test_unapproved__the_run_waits_in_its_place(links: list[Link], workers: Workers) -> None:
    incident = finish(workers, confirmed(workers, opened(workers)), "alpha")
    assert states(incident) == {"alpha": "succeeded", "beta": "waiting_approval", "gamma": "waiting"}
    workers.work()
    assert run(incident, "beta").state == "waiting_approval"


def test_link_without_the_rule__over_a_cluster_of_one_that_has_it__waits_and_is_approved_with_all(
    links: list[Link], workers: Workers
) -> None:
    Link.objects.filter(name="beta").update(requires_approval=False)
    beta, third = links[1], Cluster.objects.create(name="third", site="paris", tls_mode="disabled")
    Link.objects.create(
        name="delta", active_cluster=beta.standby_cluster, standby_cluster=third, requires_approval=True
    )
    workers.plans = {"beta": _on_standby}
    incident = confirmed(workers, opened(workers))
    shown = incident_view(incident, shows_rows=True)["items"]
    assert {one["link_name"]: one["requires_approval"] for one in shown} == {
        "alpha": False,
        "beta": True,
        "gamma": True,
    }
    assert finish(workers, incident, "alpha").state == "running"
    assert states(incident)["beta"] == "waiting_approval"
    _approve(incident)
    workers.work()
    assert states(incident)["beta"] == "running"


def test_approved_before_their_turn__each_is_approved_when_it_comes(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    _approve(incident)
    incident = finish(workers, incident, "alpha")
    assert states(incident) == {"alpha": "succeeded", "beta": "running", "gamma": "waiting"}
    assert Approval.objects.get(run__link__name="beta").approver == "anna"
    finish(workers, incident, "beta")
    assert finish(workers, incident, "gamma").state == "ended"
    assert not Approval.objects.filter(run__link__name="alpha").exists()


def test_approved_while_one_waits__it_goes_on(links: list[Link], workers: Workers) -> None:
    incident = finish(workers, confirmed(workers, opened(workers)), "alpha")
    _approve(incident)
    workers.work()
    assert states(incident)["beta"] == "running"


def test_approved_where_two_are_needed__counts_for_one_and_the_run_waits_for_the_other(
    links: list[Link], workers: Workers
) -> None:
    LinkApprovalRule.objects.create(link=links[1], needed=2)
    make_user("ben", "approver")
    incident = confirmed(workers, opened(workers))
    _approve(incident)
    incident = finish(workers, incident, "alpha")
    workers.work()
    assert states(incident)["beta"] == "waiting_approval"
    assert Approval.objects.get().approver == "anna"
    waiting = run(incident, "beta")
    run_approve(user=User.objects.get(username="ben"), run=waiting, **approval(waiting.plan))
    workers.work()
    assert states(incident)["beta"] == "running"


def test_approved_alone__that_run_only(links: list[Link], workers: Workers) -> None:
    incident = finish(workers, confirmed(workers, opened(workers)), "alpha")
    waiting = run(incident, "beta")
    run_approve(user=User.objects.get(username="anna"), run=waiting, **approval(waiting.plan))
    incident = finish(workers, incident, "beta")
    assert states(incident)["gamma"] == "waiting_approval"


def test_approve__who_confirmed_or_wrong_digest__refused(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    assert _code(incident, "nora") == "own_run"
    assert _code(incident, digest="0" * 64) == "wrong_digest"
    assert not IncidentApproval.objects.exists()


def test_approve__account_younger_than_the_confirmation__refused(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    User.objects.filter(username="anna").update(second_person_from=timezone.now())
    assert _code(incident) == "younger_than_request"


def test_approve__nothing_needs_it__refused(links: list[Link], workers: Workers) -> None:
    Link.objects.update(requires_approval=False)
    assert _code(confirmed(workers, opened(workers))) == "not_waiting"


def test_approval__of_an_earlier_confirmation__is_none_of_this_one(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    _approve(incident)
    incident = finish(workers, incident, "alpha", RunState.FAILED)
    services.plans_request(actor="nora", incident=incident, options={})
    workers.work()
    incident = finish(workers, confirmed(workers, fresh(incident)), "alpha")
    assert states(incident)["beta"] == "waiting_approval"


def test_approval__written_by_something_else__counts_for_nothing(links: list[Link], workers: Workers) -> None:
    incident = finish(workers, confirmed(workers, opened(workers)), "alpha")
    row = {"round": incident.round, "digest": incident.digest, "approver": "anna", "at": timezone.now()}
    IncidentApproval.objects.create(incident=incident, **row, mac="0" * 64)
    workers.work()
    assert states(incident)["beta"] == "waiting_approval"


@pytest.mark.parametrize("change", [{"role": "operator"}, {"is_active": False}])
def test_approver__lost_the_right_before_the_turn__the_run_waits(
    links: list[Link], workers: Workers, change: dict[str, object]
) -> None:
    incident = confirmed(workers, opened(workers))
    _approve(incident)
    User.objects.filter(username="anna").update(**change)
    incident = finish(workers, incident, "alpha")
    assert run(incident, "beta").state == "waiting_approval"
    assert item(incident, "beta").problem_code == "approver_not_permitted"


def test_approver__token_was_revoked_before_the_turn__the_run_waits(links: list[Link], workers: Workers) -> None:
    incident, anna = confirmed(workers, opened(workers)), User.objects.get(username="anna")
    anna.token_in_use, _ = new_token("anna")
    services.incident_approve(user=anna, incident=incident, digest=incident.digest, comment="read")
    token_revoke(actor="root", token=anna.token_in_use)
    incident = finish(workers, incident, "alpha")
    assert run(incident, "beta").state == "waiting_approval"
    assert item(incident, "beta").problem_code == "approver_not_permitted"


def test_confirmed_with_a_token__revoked_before_the_turn__nothing_more_starts(
    links: list[Link], workers: Workers
) -> None:
    token, _ = new_token("nora")
    incident = confirmed(workers, opened(workers), token_id=token.pk)
    assert run(incident, "alpha").token_id == token.pk
    Run.objects.update(state="succeeded", unfinished_link=None, ended_at=timezone.now())
    token_revoke(actor="root", token=token)
    workers.work()
    assert item(incident, "beta").problem_code == "requester_not_permitted"


def test_stopped_or_aborted__a_waiting_run_ends__nobody_can_approve_it_later(
    links: list[Link], workers: Workers
) -> None:
    incident = finish(workers, confirmed(workers, opened(workers)), "alpha")
    services.incident_abort(actor="nora", incident=incident, comment="")
    assert run(incident, "beta").state == "aborted"
    assert not Run.objects.filter(unfinished_link__isnull=False).exists()


def test_unapproved__its_time_is_over__stops_the_incident(links: list[Link], workers: Workers) -> None:
    from backend.operations.runs.services import end_unapproved

    incident = finish(workers, confirmed(workers, opened(workers)), "alpha")
    Run.objects.filter(link__name="beta").update(approval_expires_at=timezone.now() - timedelta(seconds=1))
    end_unapproved()
    workers.work()
    assert (fresh(incident).state, states(incident)["gamma"]) == ("stopped", "ready")
