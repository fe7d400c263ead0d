"""Accounts of the console's host: mapped for as long as was announced, and not forgotten when they are unmapped."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.identity.accounts import services as accounts
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ApiToken, ProtectedChange, User
from backend.operations.runs.models import Run
from backend.operations.runs.services import run_except
from tests.backend.two_persons.waiting import waiting_run
from tests.support.console import Caller, SignedIn, approval, make_caller, make_user

NEW = "a much better one 4711"


@pytest.fixture
def first(admin: Caller) -> Caller:
    """An administrator whose console is in use; `olga` is an operator."""
    admin.get("/links")
    make_user("olga", "operator")
    ProtectedChange.objects.all().delete()
    return admin


@pytest.fixture
def second(first: Caller) -> Caller:
    """Another one, known for long."""
    other = make_caller("second", "admin")
    ProtectedChange.objects.all().delete()
    User.objects.filter(username="second").update(second_person_from=timezone.now())
    return other


@pytest.fixture
def deploy(first: Caller) -> str:
    """An account of the host that is mapped to the first one."""
    User.objects.filter(username="admin-1").update(os_users={"deploy": timezone.now().isoformat()})
    return "deploy"


def _map(by: Caller, name: str, *os_users: str) -> None:
    assert by.call("PATCH", f"/users/{name}", {"os_users": list(os_users)}).status == 200


def _mapped(name: str) -> dict[str, str]:
    os_users: dict[str, str] = User.objects.get(username=name).os_users
    return os_users


def _map_to_olga(first: Caller, second: Caller) -> None:
    """As if the account of the host had another user by now."""
    _map(first, "admin-1")
    _map(first, "olga", "deploy")
    change = ProtectedChange.objects.get(target="olga", state="waiting")
    assert second.post(f"/protected-changes/{change.id}/confirm", {"comment": "hers by now"}).status == 200


def _approve(caller: Caller, run: Run) -> tuple[int, str]:
    answer = caller.post(f"/runs/{run.id}/approve", approval(run.plan))
    return answer.status, answer.body.get("code", "")


def test_mapped_again__with_another_one__both_count_from_the_time_that_is_announced(first: Caller) -> None:
    _map(first, "olga", "deploy")
    soon = timezone.now() + timedelta(minutes=1)
    User.objects.filter(username="olga").update(os_users={"deploy": soon.isoformat()})
    _map(first, "olga", "deploy", "backup")
    change = ProtectedChange.objects.get(state="waiting")
    assert change.summary.startswith("deploy, backup ")
    assert {datetime.fromisoformat(since) for since in _mapped("olga").values()} == {change.effective_at}


def test_mapped_again__one_that_counts_already__goes_on_counting(first: Caller, deploy: str) -> None:
    _map(first, "admin-1", deploy, "backup")
    assert datetime.fromisoformat(_mapped("admin-1")[deploy]) <= timezone.now()


def test_mapped__with_a_stolen_token_and_kept_by_the_request_of_another__ends_with_the_token(
    first: Caller, second: Caller
) -> None:
    _map(first, "olga", "thief")
    _map(SignedIn(User.objects.get(username="second")), "olga", "thief", "backup")
    token = ApiToken.objects.get(user__username="admin-1")
    token_services.token_revoke(actor="second", token=token, is_compromised=True)
    assert "thief" not in _mapped("olga")


def test_mapped__by_another_after_what_a_stolen_token_asked_for_was_rejected__still_waits(
    first: Caller, second: Caller
) -> None:
    _map(first, "olga", "thief")
    change = ProtectedChange.objects.get(state="waiting")
    assert second.post(f"/protected-changes/{change.id}/reject", {"comment": "not hers"}).status == 200
    _map(SignedIn(User.objects.get(username="second")), "olga", "backup")
    token = ApiToken.objects.get(user__username="admin-1")
    token_services.token_revoke(actor="second", token=token, is_compromised=True)
    assert list(_mapped("olga")) == ["backup"]


def test_password__set_at_the_shell_and_unmapped_then__still_of_who_set_it(
    first: Caller, second: Caller, link: Link, deploy: str
) -> None:
    accounts.user_create(actor=f"command line {deploy}", source="cli", username="nora", role="viewer", password=NEW)
    assert second.call("PATCH", "/users/nora", {"role": "operator"}).status == 200
    _map(first, "admin-1")
    assert _approve(first, waiting_run(link, actor="nora")) == (403, "own_account")


def test_run__asked_for_at_the_shell_and_mapped_to_another_then__not_approved_by_who_asked(
    first: Caller, second: Caller, link: Link, deploy: str
) -> None:
    run = waiting_run(link, actor=f"break-glass {deploy}")
    _map_to_olga(first, second)
    assert _approve(first, run) == (403, "own_account")
    assert _approve(second, run)[0] == 200


def test_exception__made_at_the_shell_and_mapped_to_another_then__not_reviewed_by_who_made_it(
    first: Caller, second: Caller, link: Link, deploy: str
) -> None:
    make_user("nora", "operator")
    waiting = waiting_run(link, actor="nora")
    run = run_except(actor=f"break-glass {deploy}", run=waiting, **approval(waiting.plan))
    _map_to_olga(first, second)
    answer = first.post(f"/runs/{run.id}/review", {"comment": "mine"})
    assert (answer.status, answer.body.get("code")) == (403, "own_exception")


def test_change__asked_for_at_the_shell_and_mapped_to_another_then__not_confirmed_by_who_asked(
    first: Caller, second: Caller, deploy: str
) -> None:
    accounts.user_create(actor=f"command line {deploy}", source="cli", username="nora", role="approver", password=NEW)
    change = ProtectedChange.objects.get(target="nora")
    _map_to_olga(first, second)
    answer = first.post(f"/protected-changes/{change.id}/confirm", {"comment": "mine"})
    assert (answer.status, answer.body.get("code")) == (403, "own_account")
