"""Whoever is behind a request that no person made does not approve it: an owner at that time, or who set automation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.identity.access import teams
from backend.identity.accounts import services as accounts
from backend.identity.accounts.models import ProtectedChange, Team, User
from backend.operations.automation import services as automation
from backend.operations.automation import starts
from backend.operations.runs.execution.authorization import approval_mac, missing_approvals
from backend.operations.runs.models import Approval, Run, RunState
from backend.operations.runs.services import run_resume, run_start
from tests.backend.automation_scenes import RelocateScene, StartScene
from tests.backend.two_persons.waiting import REQUESTER, waiting_run
from tests.support.console import (
    Caller,
    SignedIn,
    approval,
    confirmation,
    make_caller,
    make_user,
    new_token,
    set_approval_rule,
    store_plan,
)
from tests.support.incidents import Workers, confirmed, opened, touched_link, workers

__all__ = ["workers"]


@pytest.fixture
def anna(db: None) -> Caller:
    """An approver of long ago, who is not behind anything yet."""
    return make_caller("anna", "approver")


@pytest.fixture
def ben(db: None) -> Caller:
    """Another one, who is behind nothing."""
    return make_caller("ben", "approver")


@pytest.fixture
def team(anna: Caller) -> Team:
    """A team that owns the service account `ci`; anna is in it."""
    found = teams.team_create(actor="test", name="builders", members=["anna"])
    accounts.user_create(actor="test", username="ci", role="operator", password=None, service_of=found)
    ProtectedChange.objects.all().delete()
    return found


def _code(caller: Caller, run: Run) -> tuple[int, str | None]:
    answer = caller.post(f"/runs/{run.id}/approve", approval(run.plan))
    return answer.status, answer.body.get("code")


def test_approve__left_the_team_of_the_requester_since_the_request__refused(
    anna: Caller, ben: Caller, team: Team, link: Link
) -> None:
    run = waiting_run(link, actor="ci")
    teams.team_update(actor="test", team=team, members=[])
    assert _code(anna, run) == (403, "own_account")
    assert _code(ben, run) == (200, None)


def test_approve__left_the_team_of_who_resumed__refused(anna: Caller, team: Team, link: Link) -> None:
    make_user(REQUESTER, "operator")
    run = waiting_run(link)
    Run.objects.update(state=RunState.NEEDS_OPERATOR.value)
    run_resume(actor="ci", run=run, comment="compared")
    teams.team_update(actor="test", team=team, members=[])
    assert _code(anna, run) == (403, "own_account")


def test_claim__approval_of_an_owner_that_was_stored_all_the_same__counts_for_nothing(
    anna: Caller, team: Team, link: Link
) -> None:
    run = waiting_run(link, actor="ci")
    teams.team_update(actor="test", team=team, members=[])
    row = Approval(run=run, digest=run.plan.digest, approver="anna", at=timezone.now())
    row.mac = approval_mac(row)
    row.save()
    assert missing_approvals(Run.objects.get(pk=run.pk)) == 1


def _relocate(link: Link) -> None:
    scene = RelocateScene(link)
    automation.automation_set(actor="anna", link=link, mode="execute", loss_for_s=30, block_s=600)
    scene.pass_time(35)


def _relocate_acknowledged(link: Link) -> None:
    scene = RelocateScene(link)
    automation.automation_acknowledge(actor="anna", link=link, comment="go on")
    scene.pass_time(35)


def _start(link: Link) -> None:
    scene = StartScene(link)
    starts.automatic_start_set(actor="anna", link=link, enabled=True, most_per_hour=2)
    scene.pass_time(15)
    Run.objects.update(state=RunState.WAITING_APPROVAL.value)


@pytest.mark.parametrize("begin", [_relocate, _relocate_acknowledged, _start])
def test_approve__run_of_automation_that_one_has_set__refused(
    anna: Caller, ben: Caller, link: Link, begin: Callable[[Link], None]
) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    begin(Link.objects.get(pk=link.pk))
    run = Run.objects.get()
    assert (run.requested_by, run.state) == ("automation", RunState.WAITING_APPROVAL.value)
    assert _code(anna, run) == (403, "own_account")
    assert _code(ben, run) == (200, None)


def test_approve__automation_set_by_a_service_account__its_owner_refused(anna: Caller, team: Team, link: Link) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    plan = store_plan(Link.objects.get(pk=link.pk))
    run = run_start(actor="automation", plan=plan, behind=["ci"], **confirmation(plan))
    assert _code(anna, run) == (403, "own_account")


def test_person__asks_in_the_own_name__nobody_is_behind(anna: Caller, link: Link) -> None:
    make_user("olga", "operator")
    User.objects.filter(username="olga").update(second_person_from=timezone.now())
    assert waiting_run(link, actor="olga").facts == {}


def _ask(secret: str, link: Link) -> Run:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    plan = store_plan(Link.objects.get(pk=link.pk))
    assert Caller(secret).post(f"/plans/{plan.id}/runs", confirmation(plan)).status == 202
    return Run.objects.get()


def test_approve__asked_with_a_token_of_the_team_that_one_left_before__refused(
    anna: Caller, ben: Caller, team: Team, link: Link
) -> None:
    _, secret = new_token("ci")
    teams.team_update(actor="test", team=team, members=[])
    run = _ask(secret, link)
    assert _code(anna, run) == (403, "own_account")
    assert _code(ben, run) == (200, None)


def test_approve__asked_with_a_token_rotated_as_a_member_of_a_moment__refused(
    admin: Caller, team: Team, link: Link
) -> None:
    token, _ = new_token("ci")
    page = SignedIn(User.objects.get(username="admin-1"))
    assert page.call("PATCH", f"/teams/{team.id}", {"members": ["anna", "admin-1"]}).status == 200
    rotated = page.post(f"/users/ci/tokens/{token.pk}/rotate", {})
    assert page.call("PATCH", f"/teams/{team.id}", {"members": ["anna"]}).status == 200
    assert _code(page, _ask(rotated.body["token"], link)) == (403, "own_account")


def test_rotate__as_a_former_owner__announced_like_a_token_of_a_stranger(admin: Caller, team: Team) -> None:
    admin.get("/links")
    token, _ = new_token("ci")
    ProtectedChange.objects.all().delete()
    page = SignedIn(User.objects.get(username="admin-1"))
    page.call("PATCH", f"/teams/{team.id}", {"members": ["anna", "admin-1"]})
    page.call("PATCH", f"/teams/{team.id}", {"members": ["anna"]})
    assert page.post(f"/users/ci/tokens/{token.pk}/rotate", {}).status == 201
    assert [change.kind for change in ProtectedChange.objects.all()] == ["operator_token_made"]


def test_service_account__made_after_one_left_the_team__in_the_hands_of_the_others_alone(
    anna: Caller, team: Team, link: Link
) -> None:
    teams.team_update(actor="test", team=team, members=[])
    accounts.user_create(actor="test", username="cd", role="operator", password=None, service_of=team)
    ProtectedChange.objects.all().delete()
    assert _code(anna, waiting_run(link, actor="cd")) == (200, None)


@pytest.fixture
def owner(admin: Caller) -> Caller:
    """An administrator in the team that owns `svc`, a service account with the role admin; another one may object."""
    make_caller("second", "admin")
    team = teams.team_create(actor="test", name="operations", members=["admin-1"])
    accounts.user_create(actor="test", username="svc", role="admin", password=None, service_of=team)
    ProtectedChange.objects.all().delete()
    return admin


def _leave(owner: Caller) -> None:
    team = Team.objects.get(name="operations")
    assert owner.call("PATCH", f"/teams/{team.id}", {"members": []}).status == 200


def test_confirm__left_the_team_of_who_asked_for_the_change__refused(owner: Caller, link: Link) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(Caller(new_token("svc")[1]), link.id, is_on=False)
    _leave(owner)
    answer = owner.post(f"/protected-changes/{ProtectedChange.objects.get().id}/confirm")
    assert (answer.status, answer.body.get("code")) == (403, "own_account")
    assert Link.objects.get(pk=link.pk).requires_approval


def test_approve__left_the_team_of_who_set_the_automation__refused(owner: Caller, link: Link) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    scene = RelocateScene(Link.objects.get(pk=link.pk))
    automation.automation_set(actor="svc", link=link, mode="execute", loss_for_s=30, block_s=600)
    _leave(owner)
    scene.pass_time(35)
    assert _code(owner, Run.objects.get()) == (403, "own_account")


def test_approve__left_the_team_of_who_confirmed_the_incident__refused(owner: Caller, workers: Workers) -> None:
    for n, name in enumerate(("alpha", "beta")):
        touched_link(name, 81 + n, gap=30 - n, approval=n > 0)
    incident = confirmed(workers, opened(workers), actor="svc")
    _leave(owner)
    answer = owner.post(f"/incidents/{incident.id}/approve", {"digest": incident.digest, "comment": "seen"})
    assert (answer.status, answer.body.get("code")) == (403, "own_account")


@pytest.fixture
def puppet(owner: Caller) -> str:
    """An administrator whose password that one set."""
    name = make_user("puppet", "admin").username
    ProtectedChange.objects.all().delete()
    _set_password(owner, name)
    return name


def _set_password(caller: Caller, name: str) -> None:
    assert caller.call("PATCH", f"/users/{name}", {"password": "a much better one 4711"}).status == 200


def _set_anew(name: str) -> None:
    """Another one sets it, and a third one confirms that."""
    _set_password(SignedIn(User.objects.get(username="second")), name)
    ProtectedChange.objects.filter(target=name, state="waiting").update(state="confirmed")


@pytest.mark.parametrize("is_acknowledged", [True, False])
def test_approve__automation_set_by_an_account_whose_password_another_set_since__refused(
    owner: Caller, puppet: str, link: Link, *, is_acknowledged: bool
) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    scene = RelocateScene(Link.objects.get(pk=link.pk))
    setter = "second" if is_acknowledged else puppet
    automation.automation_set(actor=setter, link=link, mode="execute", loss_for_s=30, block_s=600)
    if is_acknowledged:
        automation.automation_acknowledge(actor=puppet, link=link, comment="go on")
    _set_anew(puppet)
    scene.pass_time(35)
    assert _code(owner, Run.objects.get()) == (403, "own_account")


def test_approve__automatic_start_set_by_an_account_whose_password_another_set_since__refused(
    owner: Caller, puppet: str, link: Link
) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    scene = StartScene(Link.objects.get(pk=link.pk))
    starts.automatic_start_set(actor=puppet, link=link, enabled=True, most_per_hour=2)
    _set_anew(puppet)
    scene.pass_time(15)
    Run.objects.update(state=RunState.WAITING_APPROVAL.value)
    assert _code(owner, Run.objects.get()) == (403, "own_account")


def test_approve__incident_confirmed_by_an_account_whose_password_another_set_since__refused(
    owner: Caller, puppet: str, workers: Workers
) -> None:
    for n, name in enumerate(("alpha", "beta")):
        touched_link(name, 81 + n, gap=30 - n, approval=n > 0)
    incident = confirmed(workers, opened(workers), actor=puppet)
    _set_anew(puppet)
    answer = owner.post(f"/incidents/{incident.id}/approve", {"digest": incident.digest, "comment": "seen"})
    assert (answer.status, answer.body.get("code")) == (403, "own_account")
