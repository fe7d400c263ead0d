"""What a stolen token asked for does not come into effect once the token was revoked as compromised."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.actors import AUTOMATION
from backend.common.events.models import Event
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ApiToken, ProtectedChange, User
from backend.operations.automation.models import AutomaticStart, LinkAutomation
from backend.operations.runs.models import Plan, Run
from backend.operations.runs.services import run_start
from tests.support.console import (
    Caller,
    SignedIn,
    confirmation,
    make_caller,
    make_user,
    set_approval_rule,
    store_plan,
)

NEW = "a much better one 4711"


@pytest.fixture
def thief(admin: Caller, link: Link) -> Caller:
    """Has the token of an administrator, and asks that the rule of a link be switched off."""
    admin.get("/links")
    make_caller("second", "admin")
    ProtectedChange.objects.all().delete()
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    set_approval_rule(admin, link.id, is_on=False)
    return admin


def _revoke(*, is_compromised: bool) -> list[str]:
    token = ApiToken.objects.get(user__username="admin-1")
    return token_services.token_revoke(actor="second", token=token, is_compromised=is_compromised)


def test_change__asked_for_with_the_token__rejected_with_its_reason(thief: Caller) -> None:
    _revoke(is_compromised=True)
    change = ProtectedChange.objects.get()
    assert (change.state, change.decided_by) == ("rejected", "second")
    assert "compromised" in change.comment


def test_account__made_with_the_token__disabled(thief: Caller) -> None:
    asked = {"username": "puppet", "role": "admin", "password": NEW}
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
    assert page.call("DELETE", f"{path.format(token.pk)}?is_compromised=true").status == 200
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


def _make_viewer(thief: Caller) -> None:
    assert thief.post("/users", {"username": "eve", "role": "viewer", "password": NEW}).status == 201


def _set_password(thief: Caller) -> None:
    make_user("eve", "viewer")
    assert thief.call("PATCH", "/users/eve", {"password": NEW}).status == 200


@pytest.mark.parametrize("make", [_make_viewer, _set_password])
def test_account__that_waits_for_nobody__listed(thief: Caller, make: Callable[[Caller], None]) -> None:
    make(thief)
    token = ApiToken.objects.get(user__username="admin-1")
    page = SignedIn(User.objects.get(username="second"))
    answer = page.call("DELETE", f"/users/admin-1/tokens/{token.pk}?is_compromised=true")
    found = answer.body["found"]
    assert found[0].startswith("Rejected: admin-1 requests")
    assert "It made the account eve (viewer, active), or set its password." in found
    (told,) = Event.objects.filter(data__kind="token.compromised")
    assert "the account eve" in told.data["message"]
    assert AuditRecord.objects.get(action="api:token:revoke").facts["found"] == found


def test_account__that_somebody_else_set_the_password_of_since__not_listed(thief: Caller) -> None:
    _make_viewer(thief)
    page = SignedIn(User.objects.get(username="second"))
    assert page.call("PATCH", "/users/eve", {"password": f"{NEW} 2"}).status == 200
    assert not [sentence for sentence in _revoke(is_compromised=True) if "eve" in sentence]


def test_token__made_with_the_token__there_is_none(thief: Caller) -> None:
    """Nothing is to be ended: a token makes no token, for its owner or for a service account."""
    assert thief.post("/users", {"username": "tool", "role": "viewer", "owner": "admin-1"}).status == 201
    for path in ("/tokens", "/users/tool/tokens"):
        assert thief.post(path, {"label": "x"}).body["code"] == "token_makes_no_token"


def _set_automation(thief: Caller, link: Link) -> None:
    assert thief.call("PUT", f"/links/{link.pk}/automation", {"mode": "execute"}).status == 200
    assert thief.call("PUT", f"/links/{link.pk}/automation/start", {"enabled": True}).status == 200


def test_automation__set_with_the_token__off_and_what_it_started_ends(thief: Caller, link: Link) -> None:
    _set_automation(thief, link)
    row = LinkAutomation.objects.get()
    plan = Plan.objects.select_related("link").get(pk=store_plan(link).pk)
    run = run_start(actor=AUTOMATION, plan=plan, **confirmation(plan), token_id=row.token_id)
    assert run.state == "waiting_approval"
    found = _revoke(is_compromised=True)
    assert LinkAutomation.objects.get().mode == "off"
    assert not AutomaticStart.objects.get().enabled
    assert Run.objects.get().state != "waiting_approval"
    assert [sentence.split(" of ")[0] for sentence in found if sentence.startswith("It set")] == [
        "It set the automatic relocate",
        "It set the automatic start",
    ]
    assert Event.objects.filter(data__kind="automation.withdrawn", link_id=link.pk).count() == 2


def test_automation__set_anew_by_somebody_else_since__stays(thief: Caller, link: Link) -> None:
    _set_automation(thief, link)
    _set_automation(SignedIn(User.objects.get(username="second")), link)
    _revoke(is_compromised=True)
    assert LinkAutomation.objects.get().mode == "execute"
    assert AutomaticStart.objects.get().enabled
