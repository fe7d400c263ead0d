"""A password that an administrator set, the notice of what is kept of persons, and what a user is told in person."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.common.events.models import Event
from backend.identity.accounts import retention, token_ends
from backend.identity.accounts.authentication import user_of_password
from backend.identity.accounts.models import ApiToken, Preferences, SignIn, User
from tests.support.console import API, PASSWORD, make_user
from tests.support.page import SESSION, Page
from tests.support.second_factors import add_app

OWN = "another correct horse battery"
PREFERENCES = f"{API}/account/preferences"


@pytest.fixture
def anna(db: None, settings: Any) -> Page:
    """An administrator of a console whose initial passwords must be replaced."""
    make_user("anna", "admin", PASSWORD)
    settings.HAWSER_INITIAL_PASSWORD_H = 72
    page = Page()
    page.sign_in("anna")
    return page


@pytest.fixture
def otto(anna: Page) -> Page:
    """A user whom the administrator made, signed in."""
    created = {"username": "otto", "role": "operator", "password": PASSWORD}
    assert anna.send("POST", f"{API}/users", created).status_code == 201
    page = Page()
    assert page.sign_in("otto").status_code == 200
    return page


def change(page: Page, password: str) -> Any:
    """Replace the password."""
    return page.send("POST", f"{SESSION}/password", {"current_password": PASSWORD, "new_password": password})


def test_initial_password__first_session__can_only_replace_it_by_another(otto: Page) -> None:
    assert otto.client.get(SESSION).json()["must_change_password"] is True
    assert otto.client.get(f"{API}/links").json().get("code") == "password_change_needed"
    assert user_of_password("otto", PASSWORD) is None
    assert change(otto, PASSWORD).status_code == 400
    assert change(otto, OWN).status_code == 204
    assert otto.client.get(SESSION).json()["must_change_password"] is False
    assert otto.client.get(f"{API}/links").status_code == 200
    assert user_of_password("otto", OWN) is not None


def test_initial_password__after_its_time__opens_nothing(otto: Page) -> None:
    User.objects.filter(username="otto").update(initial_password_until=timezone.now() - timedelta(seconds=1))
    answer = Page().sign_in("otto")
    assert (answer.status_code, answer.json().get("code")) == (403, "initial_password_ended")


def test_initial_password__set_again_by_an_administrator__must_be_replaced_again(anna: Page, otto: Page) -> None:
    change(otto, OWN)
    assert anna.send("PATCH", f"{API}/users/otto", {"password": PASSWORD}).status_code == 200
    assert Page().sign_in("otto").json()["must_change_password"] is True
    assert anna.send("PATCH", f"{API}/users/anna", {"password": PASSWORD}).status_code == 200
    assert User.objects.get(username="anna").initial_password_until is None


def test_lost_factor__removed_by_an_administrator__new_initial_password_proves_who_asks(anna: Page, otto: Page) -> None:
    change(otto, OWN)
    add_app(otto)
    assert anna.send("DELETE", f"{API}/users/otto/second-factors").status_code == 204
    assert user_of_password("otto", OWN) is None
    assert anna.send("PATCH", f"{API}/users/otto", {"password": PASSWORD}).status_code == 200
    assert Page().sign_in("otto").json()["must_change_password"] is True


def test_notice__not_agreed_to__nothing_else_until_then_and_after_it_is_withdrawn(db: None, settings: Any) -> None:
    settings.HAWSER_PRIVACY_NOTICE = True
    make_user("nora", "operator", PASSWORD)
    page = Page()
    assert page.sign_in("nora").json()["must_accept_notice"] is True
    assert page.client.get(f"{API}/links").json().get("code") == "notice_not_accepted"
    assert page.send("PATCH", PREFERENCES, {"notice_accepted": True}).status_code == 200
    assert page.client.get(f"{API}/links").status_code == 200
    assert page.send("PATCH", PREFERENCES, {"notice_accepted": False}).status_code == 200
    assert page.client.get(f"{API}/links").status_code == 403
    actions = AuditRecord.objects.filter(target="nora", action__contains="notice").order_by("seq")
    assert [record.action for record in actions] == ["api:user:notice_accept", "api:user:notice_withdraw"]


def test_notifications__factor_and_codes_changed__told_to_the_user_alone_until_the_sign_in_after_next(
    anna: Page, otto: Page
) -> None:
    change(otto, OWN)
    add_app(otto)
    messages = [one["message"] for one in otto.client.get(SESSION).json()["notifications"]]
    assert "A second factor was added by you." in messages
    assert "The password was changed by you." in messages
    assert anna.client.get(SESSION).json()["notifications"] == []
    for _ in range(2):
        SignIn.objects.create(user=User.objects.get(username="otto"), session_key=f"{timezone.now().timestamp()}")
    assert otto.client.get(SESSION).json()["notifications"] == []


def test_token__that_ends_soon__told_once_as_an_event_and_to_its_user(db: None) -> None:
    user = make_user("nora", "operator", PASSWORD)
    made, ends = timezone.now() - timedelta(days=80), timezone.now() + timedelta(days=10)
    for label, digest, end in (("ci", "a", ends), ("later", "b", ends + timedelta(days=10))):
        token = ApiToken.objects.create(user=user, label=label, role="operator", digest=digest, expires_at=end)
        ApiToken.objects.filter(pk=token.pk).update(created_at=made)
    assert (token_ends.notify(), token_ends.notify()) == (1, 0)
    (event,) = Event.objects.filter(data__kind="token.ends_soon")
    page = Page()
    (notification,) = page.sign_in("nora").json()["notifications"]
    assert "“ci” of nora ends on" in notification["message"] == event.data["message"]


def test_retention__what_ended_long_ago_and_users_disabled_since__deleted_but_for_the_name(db: None) -> None:
    now = timezone.now()
    old = make_user("carl", "viewer", PASSWORD)
    User.objects.filter(pk=old.pk).update(is_active=False, created_at=now - timedelta(days=401))
    fresh = make_user("nora", "viewer", PASSWORD)
    for user in (old, fresh):
        Preferences.objects.create(user=user)
        SignIn.objects.create(user=user, session_key=user.username, last_active_at=now - timedelta(days=91))
        SignIn.objects.create(user=user, session_key=f"{user.username}-now")
    retention.forget(now)
    assert list(Preferences.objects.values_list("user__username", flat=True)) == ["nora"]
    assert list(SignIn.objects.values_list("session_key", flat=True)) == ["nora-now"]
    assert not User.objects.get(username="carl").has_usable_password()
    assert AuditRecord.objects.filter(action="console:user:erase", target="carl").count() == 1
    retention.forget(now)
    assert AuditRecord.objects.filter(action="console:user:erase").count() == 1
