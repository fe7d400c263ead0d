"""What a stolen token asked for does not come into effect once the token was revoked as compromised."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events.models import Event
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
    (told,) = Event.objects.filter(data__kind="protected_change.not_withdrawn")
    assert "third" in told.data["message"]


def _waiting() -> set[str]:
    return set(ProtectedChange.objects.filter(state="waiting").values_list("kind", flat=True))


def test_changes__that_would_keep_each_other_from_being_rejected__all_rejected(thief: Caller, link: Link) -> None:
    """The first is about an administrator who could object to the second, and its owner revokes the token."""
    make_caller("third", "admin")
    ProtectedChange.objects.all().delete()
    assert thief.call("DELETE", "/users/third/second-factors").status == 204
    set_approval_rule(thief, link.id, is_on=False)
    token = ApiToken.objects.get(user__username="admin-1")
    token_services.token_revoke(actor="admin-1", token=token, is_compromised=True)
    assert not _waiting()


def _ended_by_the_thief(thief: Caller, token: ApiToken) -> None:
    assert thief.call("DELETE", f"/tokens/{token.pk}").status == 204


def _expired(thief: Caller, token: ApiToken) -> None:
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


ENDS = [_ended_by_the_thief, _expired]
End = Callable[[Caller, ApiToken], None]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("path", ["/tokens/{}", "/users/admin-1/tokens/{}"])
def test_change__of_a_token_that_has_ended_before__rejected(thief: Caller, end: End, path: str) -> None:
    token = ApiToken.objects.get(user__username="admin-1")
    end(thief, token)
    page = SignedIn(User.objects.get(username="admin-1"))
    assert page.call("DELETE", path.format(token.pk)).status == 404
    assert page.call("DELETE", f"{path.format(token.pk)}?is_compromised=true").status == 204
    assert not _waiting()


def test_change__of_a_token_that_has_ended_before__rejected_at_the_shell(thief: Caller) -> None:
    token = ApiToken.objects.get(user__username="admin-1")
    _ended_by_the_thief(thief, token)
    call_command("hawser_access", "end", "admin-1", "--token", token.pk, "--compromised")
    assert not _waiting()


def test_change__of_the_token_that_the_compromised_one_replaced__rejected_and_its_token_ended(thief: Caller) -> None:
    token = ApiToken.objects.get(user__username="admin-1")
    owner = User.objects.get(username="admin-1")
    fresh, _ = token_services.token_rotate(user=owner, token=token, overlap_s=3600)
    token_services.token_revoke(actor="second", token=fresh, is_compromised=True)
    assert not _waiting()
    assert thief.get("/links").status == 401
