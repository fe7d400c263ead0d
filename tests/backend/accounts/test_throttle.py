"""Strangers who guess slow themselves down, not the owner of the name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.identity.accounts import services, throttle
from backend.identity.accounts.models import LoginCounter, User
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import COMMAND_LINE
from tests.support.clock import stop_clock
from tests.support.console import API, PASSWORD, Caller, make_user
from tests.support.page import Page

STRANGER, ELSEWHERE = "203.0.113.5", "198.51.100.7"


@pytest.fixture
def nora(db: None, settings: Any) -> User:
    settings.HAWSER_LOGIN_LIMIT = 3
    return make_user("nora", "approver", PASSWORD)


def guess(page: Page, name: str = "nora", times: int = 4) -> list[int]:
    return [page.sign_in(name, "wrong").status_code for _ in range(times)]


def test_sign_in__a_stranger_guesses__the_owner_gets_in_from_another_address(nora: User, settings: Any) -> None:
    settings.HAWSER_LOGIN_DELAY_MAX_S = 0.0
    assert guess(Page(STRANGER)) == [401, 401, 401, 429]
    assert Page(STRANGER).sign_in("nora").status_code == 429
    assert Page(ELSEWHERE).sign_in("nora").status_code == 200


def test_sign_in__a_stranger_at_the_same_address__a_browser_known_to_the_user_gets_in(nora: User) -> None:
    page = Page(STRANGER)
    assert page.sign_in("nora").status_code == 200
    cookie = page.client.cookies["hawser_browser"]
    assert (bool(cookie["httponly"]), cookie["samesite"]) == (True, "Strict")
    for n in range(12):  # past the limit of the address too
        guess(Page(STRANGER), f"unknown{n}")
    guess(Page(STRANGER))
    assert Page(STRANGER).sign_in("nora").status_code == 429
    assert page.sign_in("nora").status_code == 200
    assert guess(page) == [401, 401, 401, 429]


def test_known_browser__another_name_or_a_new_password_or_forged__is_not_known(nora: User) -> None:
    make_user("otto", "viewer", PASSWORD)
    page = Page(STRANGER)
    page.sign_in("nora")
    known = page.client.cookies["hawser_browser"].value
    assert guess(page, "otto") == [401, 401, 401, 429]
    assert page.sign_in("otto").status_code == 429
    page.client.cookies["hawser_browser"] = known[:-2] + "xx"
    assert guess(page) == [401, 401, 401, 429]
    page.client.cookies["hawser_browser"] = known
    services.user_update(actor="test", source="cli", user=nora, password="another long password")
    assert guess(page) == [401, 401, 401, 429]
    assert not LoginCounter.objects.filter(key__startswith="browser:").exists()


def test_sign_in__shared_browser__known_to_both(nora: User) -> None:
    make_user("otto", "viewer", PASSWORD)
    page = Page(STRANGER)
    assert [page.sign_in(name).status_code for name in ("nora", "otto")] == [200, 200]
    guess(Page(STRANGER))
    guess(Page(STRANGER), "otto")
    assert [page.sign_in(name).status_code for name in ("nora", "otto")] == [200, 200]


def test_sign_in__success__does_not_forget_the_failures_of_its_address(nora: User) -> None:
    page = Page(STRANGER)
    for n in range(10):
        guess(page, f"unknown{n}", 3)
        page.sign_in("nora")
        page.client.cookies.pop("hawser_browser", None)
    assert guess(page, "someone", 1) == [429]


def test_sign_in__guesses_from_many_addresses__answered_later_and_later_never_refused(
    nora: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HAWSER_LOGIN_DELAY_MAX_S = 0.3
    clock = stop_clock(monkeypatch, throttle)
    for n in range(7):
        assert guess(Page(f"203.0.113.{n}"), times=1) == [401]
    assert clock.slept == [0.1, 0.2, 0.3, 0.3]
    assert Page(ELSEWHERE).sign_in("nora").status_code == 200


def test_delay__too_many_wait_already__503_and_not_counted(nora: User, settings: Any) -> None:
    for n in range(3):
        guess(Page(f"203.0.113.{n}"), times=1)
    held = [throttle._delayed.acquire(blocking=False) for _ in range(throttle.DELAYED_AT_ONCE)]
    try:
        before = sorted(LoginCounter.objects.values_list("failures", flat=True))
        answer = Page(ELSEWHERE).sign_in("nora")
        assert (answer.status_code, answer.json()["code"]) == (503, "sign_in_busy")
        counted = LoginCounter.objects.filter(failures__gt=0).values_list("failures", flat=True)
        assert sorted(counted) == before
    finally:
        for _ in held:
            throttle._delayed.release()


@pytest.mark.parametrize("addresses", [("2001:db8::1", "2001:db8::2:3"), ("::ffff:203.0.113.5", "203.0.113.5")])
def test_sign_in__addresses_of_one_host__counted_as_one(nora: User, addresses: tuple[str, str]) -> None:
    assert guess(Page(addresses[0]), times=3) == [401] * 3
    assert guess(Page(addresses[1]), times=1) == [429]


@pytest.mark.parametrize("unlock", ["shell", "rest", "password"])
def test_unlock__by_an_administrator__may_try_again_at_once(
    nora: User, as_role: Callable[[str], Caller], unlock: str
) -> None:
    page = Page(STRANGER)
    guess(page, "NORA" if unlock == "shell" else "nora")
    password = PASSWORD
    if unlock == "shell":
        call_command("hawser_user", "nora", "--unlock")
    elif unlock == "rest":
        assert as_role("operator").post("/users/nora/unlock").status == 403
        assert as_role("admin").post("/users/nora/unlock").body["username"] == "nora"
        assert as_role("admin").post("/users/unknown/unlock").status == 404
    else:
        password = "another long password"
        services.user_update(actor="test", source="cli", user=nora, password=password)
    assert page.sign_in("nora", password).status_code == 200
    if unlock != "password":
        record = AuditRecord.objects.get(action__endswith=":user:unlock")
        assert record.target == "nora"
        assert record.actor == ("admin-1" if unlock == "rest" else f"{COMMAND_LINE}{os_user()}")


def test_counters__window_over__begin_anew_and_are_dropped(nora: User) -> None:
    page = Page(STRANGER)
    guess(page)
    LoginCounter.objects.update(window_started_at=timezone.now() - timedelta(hours=1))
    assert guess(page, times=1) == [401]
    LoginCounter.objects.update(window_started_at=timezone.now() - timedelta(hours=1))
    throttle.forget_old()
    assert not LoginCounter.objects.exists()


def test_sign_in__refused__says_who_can_help(nora: User) -> None:
    page = Page(STRANGER)
    guess(page)
    answer = page.send("POST", f"{API}/session", {"username": "nora", "password": "x"})
    assert "administrator" in answer.json()["detail"]
    assert 0 < int(answer.headers["Retry-After"]) <= 900
