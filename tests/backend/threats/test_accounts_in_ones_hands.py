"""An account that one administrator made, owns or knows the password of is that person, however long the chain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.identity.access import assignments, teams
from backend.identity.accounts import installation, token_services
from backend.identity.accounts import services as accounts
from backend.identity.accounts.models import ProtectedChange, User
from backend.identity.accounts.persons import user_of
from backend.operations.runs.models import Run
from tests.backend.two_persons.waiting import stored_by_an_earlier_version, waiting_run
from tests.support.console import (
    PASSWORD,
    Answer,
    Caller,
    SignedIn,
    approval,
    confirmation,
    make_caller,
    make_user,
    set_approval_rule,
    store_plan,
)
from tests.support.page import Page

NEW = "a much better one 4711"


@pytest.fixture
def first(admin: Caller) -> Caller:
    """An administrator whose console is in use."""
    admin.get("/links")
    return admin


@pytest.fixture
def second(first: Caller) -> Caller:
    """Another one, known for long."""
    other = make_caller("second", "admin")
    _known("second")
    return other


def _known(name: str) -> None:
    ProtectedChange.objects.filter(target=name).delete()
    User.objects.filter(username=name).update(second_person_from=timezone.now())


def _page(name: str) -> SignedIn:
    return SignedIn(User.objects.get(username=name))


def _assigned(name: str, link: Link, role: str) -> User:
    """A user known for long whose role is assigned for the link alone."""
    user = make_user(name, "none")
    assignments.role_assign(actor="test", to=user, role=role, scope_kind="link", scope=link.id)
    _known(name)
    return User.objects.get(username=name)


def _approve(caller: Caller, run: Run) -> tuple[int, str]:
    answer = caller.post(f"/runs/{run.id}/approve", approval(run.plan))
    return answer.status, answer.body.get("code", "")


def _reset(admin: Caller, name: str) -> None:
    assert admin.call("PATCH", f"/users/{name}", {"password": NEW}).status == 200


def _remove_factors(admin: Caller, name: str) -> None:
    assert admin.call("DELETE", f"/users/{name}/second-factors").status == 204


def _enable(admin: Caller, name: str) -> None:
    User.objects.filter(username=name).update(is_active=False)
    assert admin.call("PATCH", f"/users/{name}", {"is_active": True, "password": NEW}).status == 200


WAYS = [_reset, _remove_factors, _enable]
Way = Callable[[Caller, str], None]


@pytest.mark.parametrize("way", WAYS)
def test_operator__by_an_assigned_role_in_ones_hands__his_run_is_not_approved(
    first: Caller, link: Link, way: Way
) -> None:
    _assigned("olga", link, "operator")
    way(first, "olga")
    assert _approve(first, waiting_run(link, actor="olga")) == (403, "own_account")


@pytest.mark.parametrize("way", WAYS)
def test_approver__by_an_assigned_role_in_ones_hands__counts_later(first: Caller, link: Link, way: Way) -> None:
    _assigned("anna", link, "approver")
    way(first, "anna")
    assert _approve(_page("anna"), waiting_run(link, actor="admin-1")) == (403, "not_yet_second_person")


def test_role__assigned_to_a_disabled_user__is_announced(first: Caller, link: Link) -> None:
    make_user("olga", "viewer")
    User.objects.filter(username="olga").update(is_active=False)
    given = {"user": "olga", "role": "operator", "scope_kind": "link", "scope": link.id}
    assert first.post("/role-assignments", given).status == 201
    assert ProtectedChange.objects.filter(target="olga", kind="operator_assigned", state="waiting").exists()


def _middle(first: Caller, role: str) -> None:
    """An account that an account of the first one made, which is rejected then."""
    first.post("/users", {"username": "middle", "role": "admin", "password": NEW})
    assert _page("middle").post("/users", {"username": "puppet", "role": role, "password": NEW}).status == 201


def _reject(admin: Caller, name: str) -> Answer:
    change = ProtectedChange.objects.get(target=name, state="waiting")
    return admin.post(f"/protected-changes/{change.id}/reject", {"comment": "by mistake"})


def test_puppet__of_an_account_that_is_rejected__ends_with_it(first: Caller) -> None:
    _middle(first, "admin")
    assert _reject(first, "middle").status == 200
    assert not User.objects.filter(username__in=("middle", "puppet"), is_active=True).exists()
    assert not ProtectedChange.objects.filter(state="waiting").exists()


def test_rule__switched_off_by_an_account_that_is_rejected__stays(first: Caller, second: Caller, link: Link) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    first.post("/users", {"username": "middle", "role": "admin", "password": NEW})
    set_approval_rule(_page("middle"), link.id, is_on=False)
    assert _reject(first, "middle").status == 200
    assert not ProtectedChange.objects.filter(state="waiting").exists()


def test_run__of_an_account_behind_a_disabled_one__not_approved(first: Caller, link: Link) -> None:
    _middle(first, "operator")
    ProtectedChange.objects.filter(target="middle").update(state="rejected")
    User.objects.filter(username="middle").update(is_active=False)
    stored_by_an_earlier_version()
    assert _approve(first, waiting_run(link, actor="puppet")) == (403, "own_account")


@pytest.fixture
def service(first: Caller) -> Caller:
    """A service account of the first administrator, an administrator itself, known for long."""
    owner = User.objects.get(username="admin-1")
    ci = accounts.user_create(actor="test", username="ci", role="admin", password=None, service_of=owner)
    _, secret = token_services.token_create(owner=ci, label="ci", role=None, expires_days=None, actor="test")
    ProtectedChange.objects.all().delete()
    return Caller(secret)


def test_run__of_a_puppet_that_ones_service_account_made__not_approved(
    first: Caller, service: Caller, link: Link
) -> None:
    assert service.post("/users", {"username": "puppet", "role": "operator", "password": NEW}).status == 201
    assert _approve(first, waiting_run(link, actor="puppet")) == (403, "own_account")


@pytest.mark.parametrize("asks_itself", [True, False])
def test_objector__to_what_a_service_account_and_its_owner_do_together__stays(
    first: Caller, second: Caller, service: Caller, link: Link, *, asks_itself: bool
) -> None:
    asking, removing = (service, first) if asks_itself else (first, service)
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(asking, link.id, is_on=False)
    answer = removing.call("PATCH", "/users/second", {"role": "viewer"})
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")


def _viewer(maker: Caller, name: str = "puppet") -> None:
    """An account that may do nothing yet, with a password that its maker chose."""
    assert maker.post("/users", {"username": name, "role": "viewer", "password": NEW}).status == 201


def _viewer_reset(maker: Caller) -> None:
    make_user("puppet", "viewer")
    _reset(maker, "puppet")


def _promote(admin: Caller, link: Link | None, role: str = "operator") -> None:
    assert admin.call("PATCH", "/users/puppet", {"role": role}).status == 200


def _assign(admin: Caller, link: Link) -> None:
    given = {"user": "puppet", "role": "operator", "scope_kind": "link", "scope": link.id}
    assert admin.post("/role-assignments", given).status == 201


def _join(admin: Caller, link: Link) -> None:
    team = teams.team_create(actor="test", name="builders", members=[])
    assignments.role_assign(actor="test", to=team, role="operator", scope_kind="link", scope=link.id)
    assert admin.call("PATCH", f"/teams/{team.id}", {"members": ["puppet"]}).status == 200


@pytest.mark.parametrize("made", [_viewer, _viewer_reset])
@pytest.mark.parametrize("promoted", [_promote, _assign, _join])
def test_run__of_an_account_whose_password_one_set__promoted_by_another__not_approved(
    first: Caller, second: Caller, link: Link, made: Callable[[Caller], None], promoted: Callable[[Caller, Link], None]
) -> None:
    made(first)
    promoted(second, link)
    assert _approve(first, waiting_run(link, actor="puppet")) == (403, "own_account")


def test_promotion__of_an_account_whose_password_one_set__not_confirmed_by_that_one_and_says_so(
    first: Caller, second: Caller, link: Link
) -> None:
    _viewer(first)
    _promote(second, link, "approver")
    (change,) = ProtectedChange.objects.filter(target="puppet", state="waiting")
    assert "admin-1 set its password" in change.summary
    assert second.get("/users").body["results"][1]["password_set_by"] == "admin-1"
    path = f"/protected-changes/{change.id}/confirm"
    assert first.post(path, {"comment": "x"}).body.get("code") == "own_account"
    third = make_caller("third", "admin")
    _known("third")
    ProtectedChange.objects.filter(pk=change.id).update(requested_at=timezone.now())
    assert third.post(path, {"comment": "I know who it is"}).status == 200
    assert _approve(first, waiting_run(link, actor="puppet"))[0] == 200


def test_password__changed_by_the_account_itself__proves_nothing(first: Caller, second: Caller, link: Link) -> None:
    _viewer(first)
    given = {"current_password": NEW, "new_password": f"{NEW} of its own"}
    assert _page("puppet").post("/session/password", given).status == 204
    _promote(second, link)
    assert _approve(first, waiting_run(link, actor="puppet")) == (403, "own_account")


def test_password__changed_by_the_account_as_an_administrator__proves_nothing(
    first: Caller, second: Caller, link: Link
) -> None:
    _viewer(first)
    _promote(second, link, "admin")
    assert _page("puppet").call("PATCH", "/users/puppet", {"password": f"{NEW} of its own"}).status == 200
    assert _approve(first, waiting_run(link, actor="puppet")) == (403, "own_account")


def test_password__set_anew_by_another_administrator__is_that_ones(first: Caller, second: Caller, link: Link) -> None:
    _viewer(first)
    _reset(second, "puppet")
    _promote(second, link)
    assert _approve(first, waiting_run(link, actor="puppet"))[0] == 200


def test_objector__to_what_an_account_asks_for_whose_password_one_set__stays(
    first: Caller, second: Caller, link: Link
) -> None:
    _viewer(first)
    _promote(second, link, "admin")
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    make_caller("third", "admin")
    set_approval_rule(_page("puppet"), link.id, is_on=False)
    answer = first.call("PATCH", "/users/third", {"role": "viewer"})
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")


def _in_ones_hands(first: Caller, second: Caller) -> None:
    """An operator whose password the first one set, not confirmed by anybody."""
    make_user("puppet", "operator")
    _known("puppet")
    _reset(first, "puppet")


def _in_ones_hands_promoted_by_another(first: Caller, second: Caller) -> None:
    _viewer(first)
    assert second.call("PATCH", "/users/puppet", {"role": "operator"}).status == 200


def _asked(page: SignedIn | Page, link: Link) -> Run:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    plan = store_plan(Link.objects.get(pk=link.pk))
    if isinstance(page, Page):
        assert page.send("POST", f"/api/v1/plans/{plan.id}/runs", confirmation(plan)).status_code == 202
    else:
        assert page.post(f"/plans/{plan.id}/runs", confirmation(plan)).status == 202
    return Run.objects.get()


def _taken_over(by: Caller) -> None:
    """Another one sets the password, and a third one confirms all of the account."""
    _reset(by, "puppet")
    ProtectedChange.objects.filter(target="puppet", state="waiting").update(state="confirmed")


@pytest.mark.parametrize("made", [_in_ones_hands, _in_ones_hands_promoted_by_another])
def test_run__asked_for_before_another_set_the_password__not_approved_by_who_set_it_then(
    first: Caller, second: Caller, link: Link, made: Callable[[Caller, Caller], None]
) -> None:
    made(first, second)
    run = _asked(_page("puppet"), link)
    assert _approve(first, run) == (403, "own_account")
    _taken_over(second)
    assert _approve(first, run) == (403, "own_account")


def test_run__asked_for_before_one_set_the_password__not_approved_by_that_one(
    first: Caller, second: Caller, link: Link
) -> None:
    make_user("puppet", "operator")
    _known("puppet")
    run = _asked(_page("puppet"), link)
    _reset(first, "puppet")
    assert _approve(first, run) == (403, "own_account")


def test_run__asked_for_after_a_true_sign_in_and_its_change_of_the_password__not_approved_either(
    first: Caller, second: Caller, link: Link, settings: Any
) -> None:
    settings.HAWSER_INITIAL_PASSWORD_H = 72
    _in_ones_hands(first, second)
    page = Page()
    page.sign_in("puppet", NEW)
    given = {"current_password": NEW, "new_password": f"{NEW} of its own"}
    assert page.send("POST", "/api/v1/session/password", given).status_code == 204
    run = _asked(page, link)
    assert second.call("PATCH", "/users/puppet", {"password": f"{NEW} of another"}).status == 200
    assert _approve(first, run) == (403, "own_account")


def _asking_administrator(link: Link, *, in_hands_of: Caller | None) -> ProtectedChange:
    """What another administrator asks for, whose password that one set: no rule."""
    make_user("puppet", "admin")
    _known("puppet")
    if in_hands_of is not None:
        _reset(in_hands_of, "puppet")
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(_page("puppet"), link.id, is_on=False)
    return ProtectedChange.objects.get(target=link.id)


def test_change__asked_for_before_another_set_the_password__not_confirmed_by_who_set_it_then(
    first: Caller, second: Caller, link: Link
) -> None:
    change = _asking_administrator(link, in_hands_of=first)
    path = f"/protected-changes/{change.id}/confirm"
    assert first.post(path, {"comment": "x"}).body.get("code") == "own_account"
    _taken_over(second)
    assert first.post(path, {"comment": "x"}).body.get("code") == "own_account"
    assert Link.objects.get(pk=link.pk).requires_approval


def test_objector__to_a_change_asked_for_before_another_set_the_password__stays(
    first: Caller, second: Caller, link: Link
) -> None:
    _asking_administrator(link, in_hands_of=first)
    make_caller("third", "admin")
    _taken_over(second)
    answer = first.call("PATCH", "/users/third", {"role": "viewer"})
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")


def test_change__asked_for_before_one_set_the_password__neither_confirmed_nor_rid_of_objectors_by_that_one(
    first: Caller, second: Caller, link: Link
) -> None:
    change = _asking_administrator(link, in_hands_of=None)
    make_caller("third", "admin")
    _reset(first, "puppet")
    answer = first.call("PATCH", "/users/third", {"role": "viewer"})
    assert (answer.status, answer.body.get("change")) == (409, change.id)
    path = f"/protected-changes/{change.id}/confirm"
    assert first.post(path, {"comment": "x"}).body.get("code") == "own_account"


ROOT = "command line root"


def _install() -> None:
    """The first administrator, made at the shell before anybody used the console."""
    accounts.user_create(actor=ROOT, source="cli", username="admin-1", role="admin", password=PASSWORD)
    installation.end_installation()


def _lost_factors(admin: Caller, name: str) -> str:
    """The path of the change that waits since."""
    _remove_factors(admin, name)
    (change,) = ProtectedChange.objects.filter(target=name, state="waiting")
    return f"/protected-changes/{change.id}/confirm"


def test_change__of_an_account_whose_password_the_installation_set__confirmed_by_a_third_one(
    link: Link,
) -> None:
    _install()
    second, third = (make_caller(name, "admin") for name in ("second", "third"))
    _known("second")
    _known("third")
    path = _lost_factors(second, "admin-1")
    assert _approve(third, waiting_run(link, actor="admin-1"))[0] == 200
    ProtectedChange.objects.update(requested_at=timezone.now())
    assert third.post(path, {"comment": "he asked me in person"}).status == 200


def _set_at_the_shell(name: str, role: str) -> None:
    make_user(name, role)
    _known(name)
    accounts.user_update(actor=ROOT, source="cli", user=User.objects.get(username=name), password=NEW)
    ProtectedChange.objects.filter(target=name).delete()


def test_promotion__of_an_account_whose_password_an_unmapped_shell_user_set__confirmed_by_nobody_and_says_so(
    first: Caller, second: Caller
) -> None:
    _set_at_the_shell("puppet", "viewer")
    _promote(second, link=None, role="approver")  # he may be root, or may not
    (change,) = ProtectedChange.objects.filter(target="puppet", state="waiting")
    assert "root set its password, and no user is mapped to that account of the host" in change.summary
    answer = first.post(f"/protected-changes/{change.id}/confirm", {"comment": "x"})
    assert (answer.status, answer.body.get("code")) == (403, "shell_user_unmapped")
    assert "root set the password of puppet at the shell" in answer.body["detail"]


def test_promotion__password_set_anew_by_who_promotes__confirmed_by_another(first: Caller, second: Caller) -> None:
    _set_at_the_shell("puppet", "viewer")
    _reset(second, "puppet")
    _promote(second, link=None, role="approver")
    (change,) = ProtectedChange.objects.filter(target="puppet", state="waiting")
    assert first.post(f"/protected-changes/{change.id}/confirm", {"comment": "x"}).status == 200


@pytest.mark.parametrize("is_set_anew", [True, False])
def test_run__of_an_account_whose_password_an_unmapped_shell_user_set__approved_by_nobody(
    first: Caller, second: Caller, link: Link, *, is_set_anew: bool
) -> None:
    _set_at_the_shell("puppet", "viewer")
    _promote(second, link)
    run = _asked(_page("puppet"), link)
    if is_set_anew:
        _reset(second, "puppet")
    assert _approve(first, run) == (403, "shell_user_unmapped")


def test_account_of_the_host__that_set_a_password__mapped_by_two_and_then_its_setter(
    first: Caller, second: Caller
) -> None:
    assert first.call("PATCH", "/users/admin-1", {"os_users": ["root"]}).status == 200
    (change,) = ProtectedChange.objects.filter(target="admin-1", state="waiting")
    assert second.post(f"/protected-changes/{change.id}/confirm", {"comment": "he is root"}).status == 200
    _set_at_the_shell("olga", "approver")
    path = _lost_factors(second, "olga")
    assert first.post(path, {"comment": "x"}).body.get("code") == "own_account"


def test_account_of_the_host__another_one_mapped_as_well__not_confirmed_by_who_asked_for_the_first(
    first: Caller, second: Caller
) -> None:
    make_user("olga", "operator")
    _known("olga")
    assert first.call("PATCH", "/users/olga", {"os_users": ["deploy"]}).status == 200
    assert second.call("PATCH", "/users/olga", {"os_users": ["deploy", "backup"]}).status == 200
    (change,) = ProtectedChange.objects.filter(target="olga", state="waiting")
    assert change.summary.startswith("deploy, backup ")
    path = f"/protected-changes/{change.id}/confirm"
    assert first.post(path, {"comment": "x"}).body.get("code") == "own_account"
    assert second.post(path, {"comment": "x"}).body.get("code") == "own_change"
    assert user_of("command line deploy") is None


def test_run__with_a_token_that_an_account_in_ones_hands_rotated__not_approved(
    first: Caller, second: Caller, link: Link
) -> None:
    team = teams.team_create(actor="test", name="builders", members=["second"])
    accounts.user_create(actor="test", username="ci", role="operator", password=None, service_of=team)
    ProtectedChange.objects.all().delete()
    _reset(first, "second")
    assert _approve(first, waiting_run(link, actor="ci")) == (403, "own_account")
