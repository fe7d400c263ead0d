"""What one anonymous sign-in may cost, and how many at once."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2 import low_level as argon2
from django.contrib.auth.hashers import check_password, make_password

from backend.accounts.models import User
from backend.common.errors import ProblemError
from tests.support.concurrently import concurrently
from tests.support.console import PASSWORD, make_user
from tests.support.page import Page


def test_make_password__new_hash__takes_between_19_and_46_mib() -> None:
    made = extract_parameters(make_password(PASSWORD).removeprefix("argon2"))
    assert (made.memory_cost, made.time_cost, made.parallelism) == (19_456, 2, 1)


def test_sign_in__old_hash__accepted_and_made_anew(db: None) -> None:
    user = make_user("nora", "operator")
    User.objects.filter(pk=user.pk).update(password="argon2" + PasswordHasher(2, 102_400, 8).hash(PASSWORD))
    assert Page().sign_in("nora").status_code == 200
    user.refresh_from_db()
    assert extract_parameters(user.password.removeprefix("argon2")).memory_cost == 19_456


def test_hashes__many_at_once__no_more_than_the_setting_run(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.HAWSER_PASSWORD_HASHES, settings.HAWSER_PASSWORD_HASH_WAIT_S = 2, 30.0
    counted = _Counted()
    monkeypatch.setattr(argon2, "hash_secret", counted.around(argon2.hash_secret))
    concurrently(*[lambda: make_password(PASSWORD)] * 8)
    assert counted.most == 2


def test_sign_in__no_slot_in_time__503_says_when_and_no_attempt_is_counted(db: None, settings: Any) -> None:
    settings.HAWSER_PASSWORD_HASHES, settings.HAWSER_PASSWORD_HASH_WAIT_S = 0, 0.05
    page = Page()
    settings.HAWSER_LOGIN_LIMIT = 1
    answers = [page.sign_in("nora") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [503] * 3
    assert answers[0].json()["code"] == "sign_in_busy"
    assert int(answers[0].headers["Retry-After"]) > 0


def test_hashes__too_many_wait_already__refused_at_once(settings: Any) -> None:
    settings.HAWSER_PASSWORD_HASHES, settings.HAWSER_PASSWORD_HASH_WAIT_S = 1, 30.0
    encoded = make_password(PASSWORD)
    settings.HAWSER_PASSWORD_HASHES, settings.HAWSER_PASSWORD_HASH_WAIT_S = 0, 3.0
    began = time.monotonic()
    with pytest.raises(ProblemError, match="Too many sign-ins"):
        check_password(PASSWORD, encoded)
    assert time.monotonic() - began < 1


class _Counted:
    """How many calls ran at once."""

    def __init__(self) -> None:
        self.most = self._now = 0
        self._lock = threading.Lock()

    def around(self, function: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            with self._lock:
                self._now += 1
                self.most = max(self.most, self._now)
            try:
                time.sleep(0.02)
                return function(*args, **kwargs)
            finally:
                with self._lock:
                    self._now -= 1

        return call
