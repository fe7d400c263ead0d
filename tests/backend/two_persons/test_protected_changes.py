"""One administrator is one person: what would make him two is held back and told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import ProtectedChange, User
from backend.operations.runs.models import Plan, Run
from tests.backend.two_persons.waiting import waiting_run
from tests.support.console import Caller, approval, make_caller, make_user, set_approval_rule

NEW = "a much better one 4711"


@pytest.fixture
def second(admin: Caller) -> Caller:
    """Another administrator, of whom the first knows nothing but the name; both have been here for long."""
    other = make_caller("second", "admin")
    admin.get("/links")
    return other


@pytest.fixture
def used(admin: Caller, second: Caller) -> Caller:
    """The first administrator's console, in daily use."""
    return admin


def _change() -> ProtectedChange:
    return ProtectedChange.objects.get(state="waiting")


def _counts(name: str) -> bool:
    return User.objects.get(username=name).second_person_from <= timezone.now()


def _is_reported(kind: str) -> bool:
    return Event.objects.filter(data__kind=kind, data__severity="warning").exists()


def _make_waits(admin: Caller) -> None:
    admin.post("/users", {"username": "anna", "role": "approver"})


def _known(name: str, role: str) -> None:
    """An account that has counted for long."""
    make_user(name, role)
    ProtectedChange.objects.all().delete()
    User.objects.filter(username=name).update(second_person_from=timezone.now())


def _promote(admin: Caller) -> None:
    _known("anna", "operator")
    admin.call("PATCH", "/users/anna", {"role": "approver"})


def _enable(admin: Caller) -> None:
    _known("anna", "approver")
    User.objects.filter(username="anna").update(is_active=False)
    admin.call("PATCH", "/users/anna", {"is_active": True})


def _reset(admin: Caller) -> None:
    _known("anna", "approver")
    admin.call("PATCH", "/users/anna", {"password": NEW})


@pytest.mark.parametrize("action", [_make_waits, _promote, _enable, _reset])
def test_second_person__made_by_one_administrator__counts_when_another_agrees(
    used: Caller, second: Caller, action: Callable[[Caller], None]
) -> None:
    action(used)
    change = _change()
    assert not _counts("anna")
    assert _is_reported("protected_change.announced")
    own = used.post(f"/protected-changes/{change.id}/confirm")
    assert (own.status, own.body.get("code")) == (403, "own_change")
    done = second.post(f"/protected-changes/{change.id}/confirm", {"comment": "I know her"})
    assert (done.status, done.body["state"]) == (200, "confirmed")
    assert _counts("anna")
    assert _is_reported("protected_change.confirmed")


@pytest.mark.parametrize("action", [_make_waits, _promote, _enable, _reset])
def test_second_person__rejected__the_account_is_disabled(
    used: Caller, second: Caller, action: Callable[[Caller], None]
) -> None:
    action(used)
    assert second.post(f"/protected-changes/{_change().id}/reject").body["state"] == "rejected"
    assert not User.objects.get(username="anna").is_active


def test_second_person__two_changes_wait__counts_only_when_both_are_confirmed(used: Caller, second: Caller) -> None:
    _make_waits(used)
    used.call("PATCH", "/users/anna", {"password": NEW})
    first, other = ProtectedChange.objects.order_by("kind")
    second.post(f"/protected-changes/{first.id}/confirm")
    assert not _counts("anna")
    second.post(f"/protected-changes/{other.id}/confirm")
    assert _counts("anna")


def test_rule__two_ask_for_its_end__neither_confirms_until_one_leaves_it_to_the_other(
    used: Caller, second: Caller, link: Link
) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    for caller in (used, second):
        set_approval_rule(caller, link.id, is_on=False)
    for caller in (used, second):
        assert caller.post(f"/protected-changes/{_change().id}/confirm").status == 403
    used.post(f"/protected-changes/{_change().id}/reject")
    set_approval_rule(second, link.id, is_on=False)
    assert used.post(f"/protected-changes/{_change().id}/confirm").status == 200
    assert not Link.objects.get(pk=link.pk).requires_approval


def test_second_person__time_passes__counts_by_itself(used: Caller, second: Caller) -> None:
    _make_waits(used)
    ProtectedChange.objects.update(effective_at=timezone.now())
    User.objects.filter(username="anna").update(second_person_from=timezone.now() + timedelta(seconds=1))
    assert protected_changes.apply_due() == 1
    assert _counts("anna")
    assert _is_reported("protected_change.effective")
    assert protected_changes.apply_due() == 0


def test_second_person__made_for_a_run_that_waits__cannot_approve_it_even_when_confirmed(
    used: Caller, second: Caller, link: Link
) -> None:
    """The review's own way round: the administrator adds himself a second name."""
    used.get("/links")
    run = waiting_run(link, actor="admin-1")
    used.post("/users", {"username": "anna", "role": "approver", "password": NEW})
    second.post(f"/protected-changes/{_change().id}/confirm")
    anna = make_page("anna")
    answer = anna.post(f"/runs/{run.id}/approve", approval(run.plan))
    assert (answer.status, answer.body.get("code")) == (403, "younger_than_request")


def make_page(name: str) -> Caller:
    from tests.support.console import SignedIn

    return SignedIn(User.objects.get(username=name))


def test_second_person__who_does_not_count_yet__confirms_nothing(used: Caller) -> None:
    used.post("/users", {"username": "puppet", "role": "admin", "password": NEW})
    used.post("/users", {"username": "anna", "role": "approver"})
    change = ProtectedChange.objects.get(target="anna")
    answer = make_page("puppet").post(f"/protected-changes/{change.id}/confirm")
    assert (answer.status, answer.body.get("code")) == (403, "not_yet_second_person")


def test_rule__switched_off_by_one_administrator__stays_on_until_another_agrees(
    used: Caller, second: Caller, link: Link, plan: Plan
) -> None:
    set_approval_rule(used, link.id, is_on=True)
    answer = set_approval_rule(used, link.id, is_on=False)
    assert (answer.status, answer.body["requires_approval"]) == (200, True)
    assert _is_reported("protected_change.announced")
    assert used.post(f"/protected-changes/{_change().id}/confirm").body.get("code") == "own_change"
    assert Link.objects.get().requires_approval
    second.post(f"/protected-changes/{_change().id}/confirm")
    assert not Link.objects.get().requires_approval


def test_rule__switched_off_run_and_on_again__the_run_waits_all_the_same(
    used: Caller, second: Caller, link: Link, plan: Plan
) -> None:
    from tests.support.console import confirmation

    set_approval_rule(used, link.id, is_on=True)
    set_approval_rule(used, link.id, is_on=False)
    assert used.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["state"] == "waiting_approval"
    set_approval_rule(used, link.id, is_on=True)
    assert not protected_changes.waiting().exists()
    assert Run.objects.get().needs_approval


def test_no_waiting_time__set_so__in_effect_at_once_and_reported_all_the_same(
    used: Caller, second: Caller, link: Link, settings: Any
) -> None:
    settings.HAWSER_SECOND_PERSON_WAIT_H = 0
    _make_waits(used)
    set_approval_rule(used, link.id, is_on=True)
    assert set_approval_rule(used, link.id, is_on=False).body["requires_approval"] is False
    assert _counts("anna")
    assert Event.objects.filter(data__kind="protected_change.effective", data__severity="warning").count() == 2
    assert not protected_changes.waiting().exists()


def test_waiting__shown_to_everybody(used: Caller, second: Caller, viewer: Caller, link: Link) -> None:
    _make_waits(used)
    waiting_run(link, actor="admin-1")
    shown = viewer.get("/waiting").body
    assert [len(shown[name]) for name in ("runs", "changes", "exceptions")] == [1, 1, 0]


def test_installation__nobody_has_used_the_console_yet__counts_at_once(db: None) -> None:
    make_user("first", "admin")
    make_user("anna", "approver")
    assert _counts("anna")
    assert not ProtectedChange.objects.exists()


def test_change__unknown_or_decided__404_and_409(used: Caller, second: Caller, settings: Any) -> None:
    assert second.post("/protected-changes/g_aaaaaaaaaaaa/confirm").status == 404
    _make_waits(used)
    change = _change()
    second.post(f"/protected-changes/{change.id}/confirm")
    assert second.post(f"/protected-changes/{change.id}/reject").body.get("code") == "not_waiting"
