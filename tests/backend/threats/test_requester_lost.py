"""A protected change takes effect as long as who asked for it may, and its target is called as it was then."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.identity.accounts import protected_changes, token_services, withdrawn_changes
from backend.identity.accounts.models import ApiToken, ProtectedChange, User
from backend.identity.accounts.services import user_update
from tests.support.console import Caller, SignedIn, make_caller, make_link, make_user, set_approval_rule

NEW = "a much better one 4711"


@pytest.fixture
def second(admin: Caller) -> Caller:
    """Another administrator; the first one is `admin-1`, who calls with a token."""
    other = make_caller("second", "admin")
    make_user("third", "admin")
    make_user("nora", "operator")
    admin.get("/links")
    return other


@pytest.fixture
def change(admin: Caller, second: Caller, link: Link) -> ProtectedChange:
    """The first administrator asked that the rule of a link be switched off."""
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(admin, link.id, is_on=False)
    return ProtectedChange.objects.get()


def _tick(*, is_due: bool = True) -> None:
    if is_due:
        ProtectedChange.objects.filter(state="waiting").update(effective_at=timezone.now() - timedelta(seconds=1))
    withdrawn_changes.withdraw_fallen()
    protected_changes.apply_due()


def _disabled() -> None:
    user_update(actor="second", user=User.objects.get(username="admin-1"), is_active=False)


def _demoted() -> None:
    user_update(actor="second", user=User.objects.get(username="admin-1"), role="approver")


def _token_revoked() -> None:
    token_services.token_revoke(actor="second", token=ApiToken.objects.get(user__username="admin-1"))


def _token_ended() -> None:
    ApiToken.objects.filter(user__username="admin-1").update(expires_at=timezone.now() - timedelta(seconds=1))


LOSSES = [_disabled, _demoted, _token_revoked, _token_ended]


@pytest.mark.parametrize("lose", LOSSES)
def test_change__requester_lost_the_right__withdrawn_and_says_why(
    change: ProtectedChange, link: Link, lose: Callable[[], None]
) -> None:
    lose()
    _tick(is_due=False)
    change.refresh_from_db()
    assert (change.state, change.decided_by) == ("rejected", "")
    assert "admin-1 is no longer permitted" in change.comment
    assert Link.objects.get(pk=link.pk).requires_approval
    (told,) = Event.objects.filter(data__kind="protected_change.withdrawn")
    assert "admin-1 is no longer permitted" in told.data["message"]
    assert AuditRecord.objects.get(action="console:protected_change:withdrawn").reason == change.comment


@pytest.mark.parametrize("lose", LOSSES)
def test_change__requester_lost_the_right_and_it_is_due__not_applied(
    change: ProtectedChange, link: Link, lose: Callable[[], None]
) -> None:
    lose()
    ProtectedChange.objects.update(effective_at=timezone.now())
    protected_changes.apply_due()
    assert Link.objects.get(pk=link.pk).requires_approval


@pytest.mark.parametrize("lose", LOSSES)
def test_change__requester_lost_the_right__confirmed_by_nobody(
    change: ProtectedChange, second: Caller, link: Link, lose: Callable[[], None]
) -> None:
    lose()
    answer = second.post(f"/protected-changes/{change.id}/confirm", {"comment": "agreed"})
    assert (answer.status, answer.body.get("code")) == (409, "requester_not_permitted")
    assert Link.objects.get(pk=link.pk).requires_approval


def test_change__requester_still_may__takes_effect(change: ProtectedChange, link: Link) -> None:
    _tick()
    assert not Link.objects.get(pk=link.pk).requires_approval


def test_account__made_by_who_lost_the_right__disabled_before_it_counts(admin: Caller, second: Caller) -> None:
    assert admin.post("/users", {"username": "puppet", "role": "approver", "password": NEW}).status == 201
    _disabled()
    _tick(is_due=False)
    assert not User.objects.get(username="puppet").is_active


def test_account_of_the_host__mapped_by_who_lost_the_right__mapped_no_more(admin: Caller, second: Caller) -> None:
    """Also where the monitor was down while its time came."""
    assert admin.call("PATCH", "/users/nora", {"os_users": ["deploy"]}).status == 200
    ProtectedChange.objects.filter(kind="os_user_mapped").update(effective_at=timezone.now())
    User.objects.filter(username="nora").update(os_users={"deploy": timezone.now().isoformat()})
    _demoted()
    _tick(is_due=False)
    assert User.objects.get(username="nora").os_users == {}


def test_objector__to_another_change_of_who_ended_the_token_himself__stays(
    admin: Caller, second: Caller, link: Link
) -> None:
    """He removes the factors of who could object by a token, asks for the end of the rule, and ends the token."""
    assert admin.call("DELETE", "/users/third/second-factors").status == 204
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(SignedIn(User.objects.get(username="admin-1")), link.id, is_on=False)
    _token_revoked()
    for _ in range(3):
        _tick(is_due=False)
    assert User.objects.get(username="third").is_active
    assert set(ProtectedChange.objects.values_list("state", flat=True)) == {"waiting"}
    assert Event.objects.filter(data__kind="protected_change.not_withdrawn").count() == 1


def test_last_administrator__whose_password_the_other_one_set__stays(admin: Caller, second: Caller) -> None:
    User.objects.filter(username="third").delete()
    assert admin.call("PATCH", "/users/second", {"password": NEW}).status == 200
    _disabled()
    _tick(is_due=False)
    assert User.objects.get(username="second").is_active


@pytest.fixture
def renamed(change: ProtectedChange, admin: Caller, link: Link) -> ProtectedChange:
    """The names of two links were swapped while the change waits: who reads it thinks of the other one."""
    other = make_link("orders", "127.0.72")
    answer = admin.post(f"/links/{link.id}/swap-names", {"other": other.id, "reason": "tidied"}, If_Match="*")
    assert answer.status == 200, answer.body
    return change


def test_change__names_of_two_links_swapped__confirmed_by_nobody(
    renamed: ProtectedChange, second: Caller, link: Link
) -> None:
    answer = second.post(f"/protected-changes/{renamed.id}/confirm", {"comment": "agreed"})
    assert (answer.status, answer.body.get("code")) == (409, "target_renamed")
    assert "orders" in answer.body["detail"]
    assert Link.objects.get(pk=link.pk).requires_approval


def test_change__names_of_two_links_swapped__withdrawn_and_says_so(renamed: ProtectedChange, link: Link) -> None:
    _tick()
    renamed.refresh_from_db()
    assert renamed.state == "rejected"
    assert "now called orders" in renamed.comment
    assert Link.objects.get(pk=link.pk).requires_approval


def test_change__of_an_earlier_version_that_kept_no_name__takes_effect(renamed: ProtectedChange, link: Link) -> None:
    ProtectedChange.objects.update(target_name="")
    _tick()
    assert not Link.objects.get(pk=link.pk).requires_approval
