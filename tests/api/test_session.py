"""Sign-in, sign-out, CSRF, and what slows down guessing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.audit.aggregation import refusals
from backend.audit.models import AuditRecord
from backend.identity.accounts import services
from backend.identity.accounts.models import SignIn, User
from tests.support.concurrently import concurrently
from tests.support.console import API, PASSWORD, Caller, make_user
from tests.support.page import SESSION, Page


@pytest.fixture
def user(db: None) -> User:
    return make_user("nora", "operator", PASSWORD)


def test_session__read_signed_out__401_and_csrf_cookie(db: None) -> None:
    page = Page()
    assert page.first.status_code == 401
    assert page.client.cookies["csrftoken"].value
    assert not page.client.cookies["csrftoken"]["httponly"]


def test_sign_in__right_password__me_and_new_session_id(user: User) -> None:
    page = Page()
    page.client.cookies["hawser_session"] = "planted-by-another-user-0000000"
    answer = page.sign_in("nora")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["username"], body["role"], body["demo"]) == ("nora", "operator", False)
    assert {"plan", "run", "lookup"} <= set(body["permissions"])
    assert "approve" not in body["permissions"]
    cookie = page.client.cookies["hawser_session"]
    assert cookie.value != "planted-by-another-user-0000000"
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"
    assert page.client.get(SESSION).json()["username"] == "nora"


def test_sign_in__over_a_living_session_of_the_same_user__another_session_id(user: User) -> None:
    page = Page()
    page.sign_in("nora")
    before = page.client.cookies["hawser_session"].value
    assert page.sign_in("nora").status_code == 200
    assert page.client.cookies["hawser_session"].value != before
    assert SignIn.objects.filter(ended_at=None).count() == 1


@pytest.mark.parametrize("csrf", ["", "x" * 32, "forged"])
def test_sign_in__missing_or_forged_csrf__403_with_remedy(user: User, csrf: str) -> None:
    answer = Page().send("POST", SESSION, {"username": "nora", "password": PASSWORD}, csrf=csrf)
    assert answer.status_code == 403
    assert answer.json()["code"] == "csrf_failed"
    assert "X-CSRFToken" in answer.json()["detail"]


def test_unsafe_call__session_without_csrf__403(user: User) -> None:
    page = Page()
    page.sign_in("nora")
    assert page.send("POST", f"{API}/tokens", {"label": "t"}, csrf="").json()["code"] == "csrf_failed"
    assert page.send("POST", f"{API}/tokens", {"label": "t"}).status_code == 201


def test_sign_in__wrong_name_and_wrong_password__look_the_same(user: User) -> None:
    answers = [Page().sign_in("nora", "wrong"), Page().sign_in("unknown", "wrong")]
    assert [a.status_code for a in answers] == [401, 401]
    bodies = [{k: v for k, v in a.json().items() if k != "request_id"} for a in answers]
    assert bodies[0] == bodies[1]
    failed = AuditRecord.objects.filter(action="session:user:sign_in_failed")
    assert [(record.actor, record.target) for record in failed.order_by("seq")] == [
        ("anonymous", "nora"),
        ("anonymous", "unknown"),
    ]


def test_sign_out__old_cookie__is_dead(user: User) -> None:
    page = Page()
    page.sign_in("nora")
    old = page.client.cookies["hawser_session"].value
    assert page.send("DELETE", SESSION).status_code == 204
    page.client.cookies["hawser_session"] = old
    assert page.client.get(SESSION).status_code == 401
    actions = list(AuditRecord.objects.order_by("seq").values_list("action", flat=True))
    assert actions[-2:] == ["session:user:sign_in", "session:user:sign_out"]


def test_session__user_disabled_or_demoted__takes_effect_at_once(user: User) -> None:
    page = Page()
    page.sign_in("nora")
    services.user_update(actor="test", source="cli", user=user, role="viewer")
    assert page.client.get(SESSION).status_code == 401
    page = Page()
    page.sign_in("nora")
    assert page.client.get(SESSION).json()["role"] == "viewer"
    services.user_update(actor="test", source="cli", user=user, is_active=False)
    assert page.client.get(SESSION).status_code == 401


def test_session__password_changed__other_sessions_die(user: User) -> None:
    page = Page()
    page.sign_in("nora")
    user.refresh_from_db()
    services.user_update(actor="test", source="cli", user=user, password="another long password")
    assert page.client.get(SESSION).status_code == 401


def test_sign_in__too_many_failures__429_even_with_the_right_password(user: User, settings: Any) -> None:
    settings.HAWSER_LOGIN_LIMIT = 3
    page = Page()
    statuses = [page.sign_in("nora", "wrong").status_code for _ in range(4)]
    assert statuses == [401, 401, 401, 429]
    refused = page.sign_in("nora")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert not AuditRecord.objects.filter(action="session:user:throttled").exists()
    refusals.flush()
    throttled = AuditRecord.objects.get(action="session:user:throttled")
    assert (throttled.actor, throttled.target, throttled.facts["count"]) == ("anonymous", "nora", 2)


def test_sign_in__success__clears_the_count(user: User, settings: Any) -> None:
    settings.HAWSER_LOGIN_LIMIT = 3
    page = Page()
    for _ in range(3):
        assert page.sign_in("nora", "wrong").status_code == 401
        settings.HAWSER_LOGIN_LIMIT += 2
        assert page.sign_in("nora").status_code == 200
        settings.HAWSER_LOGIN_LIMIT -= 2


def test_sign_in__parallel_guesses__no_more_than_the_limit_are_looked_at(
    emptied: None, settings: Any, as_role: Callable[[str], Caller]
) -> None:
    settings.HAWSER_LOGIN_LIMIT = 5
    make_user("otto", "viewer", PASSWORD)
    seen: list[int] = []

    def guess() -> None:
        seen.append(Page().sign_in("otto", "wrong").status_code)

    concurrently(*[guess] * 20)
    assert len(seen) == 20
    assert seen.count(401) == 5
    assert seen.count(429) == 15
