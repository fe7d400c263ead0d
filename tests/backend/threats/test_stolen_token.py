"""What a stolen token asked for does not come into effect once the token was revoked as compromised."""

from __future__ import annotations

import pytest

from backend.clusters.models import Link
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ApiToken, ProtectedChange, User
from tests.support.console import Caller, SignedIn, make_caller, set_approval_rule


@pytest.fixture
def thief(admin: Caller, link: Link) -> Caller:
    """Has the token of an administrator, and asks that the rule of a link be switched off."""
    admin.get("/links")
    make_caller("second", "admin")
    ProtectedChange.objects.all().delete()
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(admin, link.id, is_on=False)
    return admin


def _revoke(*, is_compromised: bool) -> None:
    token = ApiToken.objects.get(user__username="admin-1")
    token_services.token_revoke(actor="second", token=token, is_compromised=is_compromised)


def test_change__asked_for_with_the_token__rejected_with_its_reason(thief: Caller) -> None:
    _revoke(is_compromised=True)
    change = ProtectedChange.objects.get()
    assert (change.state, change.decided_by) == ("rejected", "second")
    assert "compromised" in change.comment


def test_account__made_with_the_token__disabled(thief: Caller) -> None:
    asked = {"username": "puppet", "role": "admin", "password": "a much better one 4711"}
    assert thief.post("/users", asked).status == 201
    _revoke(is_compromised=True)
    assert not User.objects.get(username="puppet").is_active


def test_change__token_revoked_for_another_reason__still_waits(thief: Caller) -> None:
    _revoke(is_compromised=False)
    assert ProtectedChange.objects.get().state == "waiting"


def test_change__that_the_user_asked_for_on_the_page__still_waits(thief: Caller, link: Link) -> None:
    ProtectedChange.objects.all().delete()
    set_approval_rule(SignedIn(User.objects.get(username="admin-1")), link.id, is_on=False)
    _revoke(is_compromised=True)
    assert ProtectedChange.objects.get().state == "waiting"


def test_change__that_cannot_be_rejected_now__does_not_keep_the_token_alive(thief: Caller, link: Link) -> None:
    """Rejecting it would disable somebody who could object to what the one who revokes asked for."""
    make_caller("third", "admin")
    ProtectedChange.objects.all().delete()
    assert thief.call("DELETE", "/users/third/second-factors").status == 204
    set_approval_rule(SignedIn(User.objects.get(username="second")), link.id, is_on=False)
    _revoke(is_compromised=True)
    assert ApiToken.objects.get(user__username="admin-1").revoked_at is not None
    assert set(ProtectedChange.objects.values_list("state", flat=True)) == {"waiting"}
