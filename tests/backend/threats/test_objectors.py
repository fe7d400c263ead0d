"""Whoever asked for a protected change cannot first remove those who would object to it."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.identity.accounts.identities.models import Identity
from backend.identity.accounts.models import ProtectedChange, User
from backend.identity.accounts.os_user import os_user
from tests.support.console import Answer, Caller, SignedIn, make_caller, make_user, set_approval_rule

NEW = "a much better one 4711"
OTHER = "second"


@pytest.fixture
def first(admin: Caller, link: Link) -> Caller:
    """An administrator who asked that the rule of a link be switched off; another one may object."""
    admin.get("/links")
    make_caller(OTHER, "admin")
    ProtectedChange.objects.all().delete()
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(admin, link.id, is_on=False)
    return admin


def _demote(caller: Caller) -> Answer:
    return caller.call("PATCH", f"/users/{OTHER}", {"role": "viewer"})


def _disable(caller: Caller) -> Answer:
    return caller.call("PATCH", f"/users/{OTHER}", {"is_active": False})


def _set_password(caller: Caller) -> Answer:
    return caller.call("PATCH", f"/users/{OTHER}", {"password": NEW})


def _remove_factors(caller: Caller) -> Answer:
    return caller.call("DELETE", f"/users/{OTHER}/second-factors")


WAYS = [_demote, _disable, _set_password, _remove_factors]
"""Each takes from the other administrator what he needs to object."""


def _is_as_before() -> bool:
    return User.objects.filter(username=OTHER, role="admin", is_active=True).exists()


@pytest.mark.parametrize("way", WAYS)
def test_objector__to_a_change_of_ones_own_that_waits__stays(first: Caller, way: Callable[[Caller], Answer]) -> None:
    answer = way(first)
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")
    assert answer.body["change"] == ProtectedChange.objects.get().id
    assert _is_as_before()


def test_objector__by_rejecting_an_earlier_change_of_his_account__stays(admin: Caller, link: Link) -> None:
    admin.get("/links")
    make_caller(OTHER, "admin")
    assert _remove_factors(admin).status == 204
    earlier = ProtectedChange.objects.get(kind="approver_factors_removed")
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(admin, link.id, is_on=False)
    answer = admin.post(f"/protected-changes/{earlier.id}/reject", {"comment": "taken back"})
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")
    assert _is_as_before()
    assert ProtectedChange.objects.get(pk=earlier.pk).state == "waiting"


def test_objector__his_factors_are_to_be_removed__stay(first: Caller) -> None:
    assert _remove_factors(first).status == 409


@pytest.mark.parametrize("way", WAYS)
def test_objector__by_an_administrator_in_ones_own_hands__stays(first: Caller, way: Callable[[Caller], Answer]) -> None:
    first.post("/users", {"username": "puppet", "role": "admin", "password": NEW})
    answer = way(SignedIn(User.objects.get(username="puppet")))
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")
    assert _is_as_before()


@pytest.mark.parametrize("way", WAYS)
def test_objector__the_change_was_decided__can_be_changed(first: Caller, way: Callable[[Caller], Answer]) -> None:
    first.post(f"/protected-changes/{ProtectedChange.objects.get().id}/reject")
    assert way(first).status in (200, 204)


@pytest.mark.parametrize("way", WAYS)
def test_objector__by_whom_nothing_waits__can_be_changed(first: Caller, way: Callable[[Caller], Answer]) -> None:
    """An account that somebody else has taken over is closed at once, whatever it has asked for."""
    third = make_caller("third", "admin")
    ProtectedChange.objects.filter(target="third").delete()
    assert way(third).status in (200, 204)


def test_objector__the_change_is_about_that_very_account__can_be_taken_back(first: Caller) -> None:
    ProtectedChange.objects.all().delete()
    assert _set_password(first).status == 200
    assert ProtectedChange.objects.get().target == OTHER
    assert _demote(first).status == 200


def test_user_without_the_role_admin__objects_to_nothing__can_be_changed(first: Caller) -> None:
    make_user("olga", "operator")
    assert first.call("PATCH", "/users/olga", {"is_active": False}).status == 200


@pytest.mark.parametrize("change", [["--role", "viewer"], ["--remove-second-factors"]])
@pytest.mark.parametrize("is_mapped", [False, True])
def test_objector__at_the_shell__stays(first: Caller, change: list[str], is_mapped: bool) -> None:
    """Who is at the shell may be whoever asked for it, unless an account of the host says that it is another."""
    if is_mapped:
        User.objects.filter(username="admin-1").update(os_users={os_user(): timezone.now().isoformat()})
    with pytest.raises(CommandError, match="waits"):
        call_command("hawser_user", OTHER, *change, stdout=io.StringIO())
    assert _is_as_before()


def test_objector__at_the_shell_by_another_administrator__can_be_changed(first: Caller) -> None:
    make_user("third", "admin")
    ProtectedChange.objects.filter(target="third").delete()
    User.objects.filter(username="third").update(os_users={os_user(): timezone.now().isoformat()})
    call_command("hawser_user", OTHER, "--role", "viewer", stdout=io.StringIO())
    assert User.objects.get(username=OTHER).role == "viewer"


def test_objector__change_asked_for_at_the_shell_by_who_knows__stays(first: Caller) -> None:
    ProtectedChange.objects.all().delete()
    call_command("hawser_user", "anna", "--role", "approver", stdout=io.StringIO())
    assert _demote(first).body.get("code") == "own_change_waits"


def test_limit__objectors_demoted_before_the_change_is_requested__both_are_told(first: Caller, link: Link) -> None:
    first.post(f"/protected-changes/{ProtectedChange.objects.get().id}/reject")
    assert _demote(first).status == 200
    assert set_approval_rule(first, link.id, is_on=False).body["requires_approval"] is True
    told = Event.objects.filter(data__severity="warning").values_list("data__kind", flat=True)
    assert {"account.changed", "protected_change.announced"} <= set(told)


def _of_provider(name: str) -> None:
    Identity.objects.create(user=User.objects.get(username=name), kind="oidc", key=name, issuer="i", subject=name)


@pytest.mark.parametrize(("user", "other"), [("admin-1", OTHER), (OTHER, "admin-1")])
def test_objector__declared_to_be_who_asked__refused(first: Caller, user: str, other: str) -> None:
    """As one person with who asked he would be no objector, and could be demoted."""
    _of_provider(user)
    answer = first.call("PATCH", f"/users/{user}", {"same_person_as": other})
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")
    assert Identity.objects.get().person is None
    assert _demote(first).status == 409


def test_objector__declared_to_be_a_third_user__refused(first: Caller) -> None:
    """The two would be one person by way of the third."""
    make_user("olga", "viewer")
    _of_provider(OTHER)
    answer = first.call("PATCH", f"/users/{OTHER}", {"same_person_as": "olga"})
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")


def test_no_objector__declared_to_be_another_user__accepted(first: Caller) -> None:
    make_user("olga", "viewer")
    make_user("nora", "operator")
    _of_provider("olga")
    assert first.call("PATCH", "/users/olga", {"same_person_as": "nora"}).status == 200


def test_objector__who_asked_is_declared_to_be_whom_he_was_declared_to_be__refused(first: Caller) -> None:
    make_user("olga", "viewer")
    for name in ("admin-1", OTHER):
        _of_provider(name)
    Identity.objects.filter(user__username=OTHER).update(person=User.objects.get(username="olga"))
    answer = first.call("PATCH", "/users/admin-1", {"same_person_as": "olga"})
    assert (answer.status, answer.body.get("code")) == (409, "own_change_waits")
