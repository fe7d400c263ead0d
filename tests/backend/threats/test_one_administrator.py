"""One administrator stays one person through accounts that he made or holds the password of."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from backend.clusters.models import Link
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import ProtectedChange, User
from backend.identity.accounts.os_user import os_user
from backend.operations.runs.models import Run
from tests.backend.two_persons.waiting import stored_by_an_earlier_version, waiting_run
from tests.support.console import Caller, SignedIn, approval, make_caller, make_user, set_approval_rule

NEW = "a much better one 4711"
PUPPET = "puppet"


@pytest.fixture
def first(admin: Caller) -> Caller:
    """An administrator whose console is in use."""
    admin.get("/links")
    return admin


@pytest.fixture
def second(first: Caller) -> Caller:
    """Another one, known for long."""
    other = make_caller("second", "admin")
    _nothing_waits("second")
    return other


def _nothing_waits(name: str) -> None:
    ProtectedChange.objects.filter(target=name).delete()
    User.objects.filter(username=name).update(second_person_from=timezone.now())


def _make(admin: Caller) -> None:
    assert admin.post("/users", {"username": PUPPET, "role": "operator", "password": NEW}).status == 201


def _known(role: str, **changes: Any) -> None:
    make_user(PUPPET, role)
    _nothing_waits(PUPPET)
    User.objects.filter(username=PUPPET).update(**changes)


def _reset(admin: Caller) -> None:
    _known("operator")
    admin.call("PATCH", f"/users/{PUPPET}", {"password": NEW})


def _reset_approver(admin: Caller) -> None:
    _known("approver")
    admin.call("PATCH", f"/users/{PUPPET}", {"password": NEW})


def _promote(admin: Caller) -> None:
    _known("viewer")
    admin.call("PATCH", f"/users/{PUPPET}", {"role": "operator"})


def _enable(admin: Caller) -> None:
    _known("operator", is_active=False)
    admin.call("PATCH", f"/users/{PUPPET}", {"is_active": True})


WAYS = [_make, _reset, _reset_approver, _promote, _enable]


def _asked_by_puppet(link: Link) -> Run:
    return waiting_run(link, actor=PUPPET)


@pytest.mark.parametrize("way", WAYS)
def test_approve__run_asked_for_by_an_account_in_ones_own_hands__refused(
    first: Caller, second: Caller, link: Link, way: Callable[[Caller], None]
) -> None:
    way(first)
    run = _asked_by_puppet(link)
    answer = first.post(f"/runs/{run.id}/approve", approval(run.plan))
    assert (answer.status, answer.body["code"]) == (403, "own_account")
    assert Run.objects.get().state == "waiting_approval"
    assert second.post(f"/runs/{run.id}/approve", approval(run.plan)).status == 200


@pytest.mark.parametrize("way", WAYS)
def test_approve__the_account_was_confirmed_by_a_second_administrator__taken(
    first: Caller, second: Caller, link: Link, way: Callable[[Caller], None]
) -> None:
    way(first)
    (change,) = protected_changes.waiting().filter(target=PUPPET)
    assert second.post(f"/protected-changes/{change.id}/confirm").status == 200
    run = _asked_by_puppet(link)
    assert first.post(f"/runs/{run.id}/approve", approval(run.plan)).status == 200


def test_confirm__change_asked_for_by_an_administrator_in_ones_own_hands__refused(
    first: Caller, second: Caller, link: Link
) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    first.post("/users", {"username": PUPPET, "role": "admin", "password": NEW})
    page = SignedIn(User.objects.get(username=PUPPET))
    set_approval_rule(page, link.id, is_on=False)
    change = ProtectedChange.objects.get(target=link.id, state="waiting")
    answer = first.post(f"/protected-changes/{change.id}/confirm")
    assert (answer.status, answer.body.get("code")) == (403, "own_account")
    assert Link.objects.get().requires_approval
    assert second.post(f"/protected-changes/{change.id}/confirm").status == 200


def test_approve__run_asked_for_by_an_account_just_made__refused(first: Caller, link: Link) -> None:
    _make(first)
    run = _asked_by_puppet(link)
    assert first.post(f"/runs/{run.id}/approve", approval(run.plan)).body.get("code") == "own_account"


@pytest.mark.parametrize("chain", [["middle", "lower"], ["middle"]])
def test_approve__run_asked_for_by_an_account_that_ones_own_account_made__refused(
    first: Caller, second: Caller, link: Link, chain: list[str]
) -> None:
    maker: Caller | SignedIn = first
    for name in chain:
        assert maker.post("/users", {"username": name, "role": "admin", "password": NEW}).status == 201
        maker = SignedIn(User.objects.get(username=name))
    _make(maker)
    stored_by_an_earlier_version()
    run = _asked_by_puppet(link)
    assert first.post(f"/runs/{run.id}/approve", approval(run.plan)).body.get("code") == "own_account"


def test_review__exception_for_a_run_of_an_account_in_ones_own_hands__refused(
    first: Caller, second: Caller, link: Link
) -> None:
    from backend.operations.runs import services

    _make(first)
    run = _asked_by_puppet(link)
    User.objects.filter(username="second").update(os_users={"root": timezone.now().isoformat()})
    services.run_except(actor="break-glass root", run=run, **approval(run.plan))
    answer = first.post(f"/runs/{run.id}/review", {"comment": "fine"})
    assert (answer.status, answer.body["code"]) == (403, "own_account")


def test_approve__run_asked_for_with_a_token_made_at_the_shell__not_by_who_made_it(
    first: Caller, second: Caller, link: Link
) -> None:
    _known("operator")
    User.objects.filter(username="admin-1").update(os_users={os_user(): timezone.now().isoformat()})
    call_command("hawser_token", PUPPET, "--label", "x", stdout=io.StringIO())
    run = _asked_by_puppet(link)
    assert first.post(f"/runs/{run.id}/approve", approval(run.plan)).body.get("code") == "own_account"
    assert second.post(f"/runs/{run.id}/approve", approval(run.plan)).status == 200
