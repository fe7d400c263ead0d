"""An account that one person made is not another one because its own service account has changed it since."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ApiToken, ProtectedChange, User
from backend.operations.runs.models import Run
from tests.backend.two_persons.waiting import waiting_run
from tests.support.console import (
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


def _service_of(name: str) -> Caller:
    """A service account that the administrator makes for the own account, by its token."""
    page = _page(name)
    _done(page.post("/users", {"username": "svc", "role": "admin", "owner": name}))
    return Caller(_done(page.post("/users/svc/tokens", {"label": "x"})).body["token"])


def _promoted_again(by: Caller, **changes: str) -> None:
    _done(by.call("PATCH", "/users/one", {"role": "viewer"}))
    _done(by.call("PATCH", "/users/one", {"role": "admin", **changes}))


def _circle(first: Caller) -> SignedIn:
    """An account that the first one made and promoted, and that its own service account promoted again."""
    _done(first.post("/users", {"username": "one", "role": "viewer", "password": NEW}))
    _done(first.call("PATCH", "/users/one", {"role": "admin"}))
    _promoted_again(_service_of("one"), password=OTHER)
    return _page("one")


def _asked(page: SignedIn, link: Link) -> Run:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    plan = store_plan(Link.objects.get(pk=link.pk))
    _done(page.post(f"/plans/{plan.id}/runs", confirmation(plan)))
    return Run.objects.get()


def _approve(caller: Caller | SignedIn, run: Run) -> tuple[int, str]:
    answer = caller.post(f"/runs/{run.id}/approve", approval(run.plan))
    return answer.status, answer.body.get("code", "")


def _confirm(caller: Caller, change: ProtectedChange) -> tuple[int, str]:
    answer = caller.post(f"/protected-changes/{change.id}/confirm", {"comment": "x"})
    return answer.status, answer.body.get("code", "")


def _waiting(target: str) -> list[ProtectedChange]:
    return list(ProtectedChange.objects.filter(target=target, state="waiting"))


def test_run__of_an_account_in_a_circle__not_approved_by_who_made_it(first: Caller, second: Caller, link: Link) -> None:
    assert _approve(first, _asked(_circle(first), link)) == OWN


def test_run__of_an_account_whose_service_account_set_its_password__not_approved_by_who_set_the_one_before(
    first: Caller, second: Caller, link: Link
) -> None:
    make_user("olga", "admin")
    _known("olga")
    _done(first.call("PATCH", "/users/olga", {"password": NEW}))
    _done(_service_of("olga").call("PATCH", "/users/olga", {"password": OTHER}))
    assert _approve(first, _asked(_page("olga"), link)) == OWN


def test_rule__switched_off_by_an_account_in_a_circle__not_confirmed_by_who_made_it(
    first: Caller, second: Caller, link: Link
) -> None:
    one = _circle(first)
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(one, link.id, is_on=False)
    (change,) = _waiting(link.id)
    assert _confirm(first, change) == OWN
    assert first.call("PATCH", "/users/second", {"role": "viewer"}).body["code"] == "own_change_waits"


def test_approver__made_by_an_account_in_a_circle__not_confirmed_by_who_made_that(
    first: Caller, second: Caller
) -> None:
    _done(_circle(first).post("/users", {"username": "three", "role": "approver", "password": NEW}))
    (change,) = _waiting("three")
    assert _confirm(first, change) == OWN


def test_approvals__two_needed__of_one_person_by_an_account_in_a_circle__too_few(
    first: Caller, second: Caller, link: Link
) -> None:
    one = _circle(first)
    assert {_confirm(first, change) for change in _waiting("one")} == {OWN}
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    rule = {"approvals_needed": 2, "approvers": [], "reason": "two eyes are not enough"}
    _done(second.call("PUT", f"/links/{link.pk}/approval-rule", rule, If_Match="*"))
    make_user("nora", "operator")
    run = waiting_run(link, actor="nora")
    assert _approve(first, run) == (200, "")
    assert _approve(one, run) == (403, "not_yet_second_person")
    assert Run.objects.get().state == "waiting_approval"


def test_account_in_a_circle__rejected__ends_with_all_that_it_asked_for(first: Caller, second: Caller) -> None:
    _circle(first)
    change = next(change for change in _waiting("one") if change.kind == "approver_promoted")
    assert second.post(f"/protected-changes/{change.id}/reject", {"comment": "whose is it?"}).status == 200
    assert not ProtectedChange.objects.filter(state="waiting").exists()
    assert not User.objects.filter(username__in=("one", "svc"), is_active=True).exists()


def test_account_in_a_circle__begun_with_a_stolen_token__ends_with_the_token(first: Caller, second: Caller) -> None:
    _circle(first)
    token = ApiToken.objects.get(user__username="admin-1")
    token_services.token_revoke(actor="second", token=token, is_compromised=True)
    assert not User.objects.filter(username__in=("one", "svc"), is_active=True).exists()
    assert Page().sign_in("one", OTHER).status_code == 401


@pytest.fixture
def vouched(first: Caller, second: Caller) -> list[ProtectedChange]:
    """An account that the first one made and promoted, and that the second one promoted again, unsuspecting."""
    _done(first.post("/users", {"username": "one", "role": "viewer", "password": NEW}))
    _done(first.call("PATCH", "/users/one", {"role": "admin"}))
    _promoted_again(second, password=OTHER)
    return _waiting("one")


def test_account__promoted_again_by_another__waits_for_a_third_one(
    first: Caller, second: Caller, vouched: list[ProtectedChange], link: Link
) -> None:
    run = _asked(_page("one"), link)
    assert {_approve(caller, run) for caller in (first, second)} == {OWN}
    third = make_caller("third", "admin")
    _known("third")
    ProtectedChange.objects.update(requested_at=timezone.now())
    assert [_confirm(third, change) for change in vouched] == [(200, "")] * 2
    Run.objects.all().delete()
    assert _approve(first, _asked(_page("one"), link)) == (200, "")


def test_account__promoted_again_by_another__rejected_and_enabled_with_a_new_password__confirmed_by_who_made_it(
    first: Caller, second: Caller, vouched: list[ProtectedChange]
) -> None:
    """Two administrators are enough: the account is asked for anew, by one of them alone."""
    change = next(change for change in vouched if change.kind == "approver_promoted")
    answer = first.post(f"/protected-changes/{change.id}/confirm", {"comment": "x"})
    assert "have another administrator request it anew" in answer.body["detail"]
    for one in vouched:
        _done(second.post(f"/protected-changes/{one.id}/reject", {"comment": "asked for by both of us"}))
    _done(second.call("PATCH", "/users/one", {"is_active": True, "password": f"{OTHER} again"}))
    assert [_confirm(first, one) for one in _waiting("one")] == [(200, "")] * 2
