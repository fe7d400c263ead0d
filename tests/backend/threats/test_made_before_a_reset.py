"""What somebody made with an account in his hands stays in his hands, when another one sets that account's password."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.identity.access import teams
from backend.identity.accounts import services as accounts
from backend.identity.accounts.models import ProtectedChange, Team, User
from backend.operations.runs.models import Run
from tests.backend.two_persons.waiting import waiting_run
from tests.support.authenticator import Authenticator
from tests.support.console import (
    Answer,
    Caller,
    SignedIn,
    approval,
    confirmation,
    make_caller,
    make_user,
    new_token,
    store_plan,
)
from tests.support.page import Page
from tests.support.second_factors import add_passkey

NEW = "a much better one 4711"
OTHER = "another much better one 4712"
OWN = (403, "own_account")


@pytest.fixture
def first(admin: Caller) -> Caller:
    """An administrator whose console is in use."""
    admin.get("/links")
    return admin


@pytest.fixture
def second(first: Caller) -> Caller:
    """Another one, known for long, who suspects nothing."""
    other = make_caller("second", "admin")
    _known("second")
    return other


def _known(name: str) -> None:
    ProtectedChange.objects.filter(target=name).delete()
    User.objects.filter(username=name).update(second_person_from=timezone.now())


def _done(answer: Answer) -> Answer:
    assert answer.status < 300, answer.body
    return answer


def _page(name: str) -> SignedIn:
    return SignedIn(User.objects.get(username=name))


def _reset(admin: Caller | SignedIn, name: str, password: str = NEW) -> None:
    _done(admin.call("PATCH", f"/users/{name}", {"password": password}))


def _approve(caller: Caller, run: Run) -> tuple[int, str]:
    answer = caller.post(f"/runs/{run.id}/approve", approval(run.plan))
    return answer.status, answer.body.get("code", "")


def _asked(token: str, link: Link) -> Run:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    plan = store_plan(Link.objects.get(pk=link.pk))
    _done(Caller(token).post(f"/plans/{plan.id}/runs", confirmation(plan)))
    return Run.objects.get()


@pytest.fixture
def puppet(first: Caller, second: Caller) -> SignedIn:
    """An administrator known for long, whose password the first one has set."""
    make_user("puppet", "admin")
    _known("puppet")
    _reset(first, "puppet")
    return _page("puppet")


def _taken_over(by: Caller) -> None:
    """Another one sets the puppet's password, and a third one confirms that."""
    _reset(by, "puppet", OTHER)
    ProtectedChange.objects.filter(target="puppet", state="waiting").update(state="confirmed")


def _service(owner: User | Team) -> None:
    accounts.user_create(actor="test", username="ci", role="operator", password=None, service_of=owner)
    ProtectedChange.objects.exclude(target="puppet").delete()


def test_account__made_by_the_puppet__its_run_not_approved(
    first: Caller, second: Caller, puppet: SignedIn, link: Link
) -> None:
    _done(puppet.post("/users", {"username": "olga", "role": "operator", "password": OTHER}))
    _taken_over(second)
    assert _approve(first, waiting_run(link, actor="olga")) == OWN


def test_viewer__made_by_the_puppet_and_promoted_by_another__its_run_not_approved(
    first: Caller, second: Caller, puppet: SignedIn, link: Link
) -> None:
    _done(puppet.post("/users", {"username": "olga", "role": "viewer", "password": OTHER}))
    _taken_over(second)
    _done(second.call("PATCH", "/users/olga", {"role": "operator"}))
    assert _approve(first, waiting_run(link, actor="olga")) == OWN


def test_viewer__made_by_the_puppet_and_promoted_by_another__not_confirmed_by_who_is_behind_the_puppet(
    first: Caller, second: Caller, puppet: SignedIn
) -> None:
    _done(puppet.post("/users", {"username": "olga", "role": "viewer", "password": OTHER}))
    _taken_over(second)
    _done(second.call("PATCH", "/users/olga", {"role": "operator"}))
    change = ProtectedChange.objects.get(target="olga", state="waiting")
    answer = first.post(f"/protected-changes/{change.id}/confirm", {"comment": "x"})
    assert (answer.status, answer.body.get("code")) == OWN


def test_token__made_by_the_puppet__its_run_not_approved(
    first: Caller, second: Caller, puppet: SignedIn, link: Link
) -> None:
    _service(teams.team_create(actor="test", name="builders", members=[]))
    token = _done(puppet.post("/users/ci/tokens", {"label": "x"})).body["token"]
    _taken_over(second)
    assert _approve(first, _asked(token, link)) == OWN


def test_token__rotated_by_the_puppet_as_an_owner__its_run_not_approved(
    first: Caller, second: Caller, puppet: SignedIn, link: Link
) -> None:
    _service(teams.team_create(actor="test", name="builders", members=["puppet"]))
    old, _ = new_token("ci")
    ProtectedChange.objects.exclude(target="puppet").delete()
    token = _done(puppet.post(f"/users/ci/tokens/{old.pk}/rotate", {})).body["token"]
    _taken_over(second)
    assert _approve(first, _asked(token, link)) == OWN


def test_account__made_with_a_token_that_its_maker_rejected_since__its_run_not_approved(
    first: Caller, second: Caller, link: Link
) -> None:
    _service(User.objects.get(username="second"))
    User.objects.filter(username="ci").update(role="admin")
    mine = _page("admin-1")
    token = _done(mine.post("/users/ci/tokens", {"label": "x"})).body["token"]
    _done(Caller(token).post("/users", {"username": "olga", "role": "operator", "password": NEW}))
    change = ProtectedChange.objects.get(kind="approver_token_made")
    _done(mine.post(f"/protected-changes/{change.id}/reject", {"comment": "made by mistake"}))
    assert _approve(first, waiting_run(link, actor="olga")) == OWN


@pytest.fixture
def key(first: Caller, second: Caller) -> Authenticator:
    """A passkey of an operator, added by the first one, who had set the password."""
    make_user("olga", "operator", OTHER)
    _known("olga")
    _reset(first, "olga")
    page, found = Page(), Authenticator()
    assert page.sign_in("olga", NEW).status_code == 200
    assert add_passkey(page, found).status_code < 300
    return found


def _run_by_passkey(key: Authenticator, link: Link) -> Run:
    page = Page()
    options = page.send("POST", "/api/v1/session/passkey/options").json()["public_key"]
    assert page.send("POST", "/api/v1/session/passkey", {"credential": key.get(options)}).status_code == 200
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    plan = store_plan(Link.objects.get(pk=link.pk))
    assert page.send("POST", f"/api/v1/plans/{plan.id}/runs", confirmation(plan)).status_code == 202
    return Run.objects.get()


def _enabled_anew(admin: Caller) -> None:
    """The account is rejected and enabled again: what waited about it is over, its passkeys are not."""
    change = ProtectedChange.objects.get(target="olga", state="waiting")
    _done(admin.post(f"/protected-changes/{change.id}/reject", {"comment": "whose is it?"}))
    _done(admin.call("PATCH", "/users/olga", {"is_active": True, "password": f"{OTHER} again"}))


def _reset_by_another(admin: Caller) -> None:
    _reset(admin, "olga", f"{OTHER} again")


@pytest.mark.parametrize("way", [_enabled_anew, _reset_by_another])
def test_passkey__added_as_the_puppet__its_run_not_approved(
    first: Caller, second: Caller, key: Authenticator, link: Link, way: Callable[[Caller], None]
) -> None:
    way(second)
    assert _approve(first, _run_by_passkey(key, link)) == OWN


def test_passkey__removed_before_another_sets_the_password__run_approved(
    first: Caller, second: Caller, key: Authenticator, link: Link
) -> None:
    _done(second.call("DELETE", "/users/olga/second-factors"))
    ProtectedChange.objects.get(target="olga", kind="operator_factors_removed").delete()
    _enabled_anew(second)
    assert _approve(first, waiting_run(link, actor="olga")) == (200, "")


def test_passkey__of_an_account_that_was_confirmed_since__its_setter_then_is_behind_no_later_password(
    first: Caller, second: Caller, key: Authenticator, link: Link
) -> None:
    change = ProtectedChange.objects.get(target="olga", state="waiting")
    _done(second.post(f"/protected-changes/{change.id}/confirm", {"comment": "she asked me in person"}))
    _reset(second, "olga", OTHER)
    change = ProtectedChange.objects.get(target="olga", state="waiting")
    _done(first.post(f"/protected-changes/{change.id}/confirm", {"comment": "she asked me in person"}))


def test_password__set_at_the_shell__that_is_rejected_and_it_is_set_anew__run_approved(
    first: Caller, second: Caller, link: Link
) -> None:
    """The way on that the refusal names, where nobody is mapped to the account of the host."""
    user = make_user("olga", "operator")
    _known("olga")
    accounts.user_update(actor="command line deploy", source="cli", user=user, password=NEW)
    answer = first.post(f"/runs/{waiting_run(link, actor='olga').id}/approve", approval(Run.objects.get().plan))
    assert answer.body["code"] == "shell_user_unmapped"
    assert "enable the account again with a new password" in answer.body["detail"]
    Run.objects.all().delete()
    _enabled_anew(second)
    assert _approve(first, waiting_run(link, actor="olga")) == (200, "")
