"""What one anonymous sign-in may cost, and how many at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2 import low_level as argon2
from django.contrib.auth.hashers import check_password, make_password

from backend.common.errors import ProblemError
from backend.identity.accounts.models import User
from backend.identity.accounts.password_hashing import WAITING_FOR_EACH, hash_threads
from tests.support.concurrently import concurrently
from tests.support.console import PASSWORD, make_user
from tests.support.page import Page


@pytest.fixture(autouse=True)
def weak_hashes() -> None:
    """None here: the product's own parameters are what is tested."""


def test_make_password__new_hash__takes_between_19_and_46_mib() -> None:
    made = extract_parameters(make_password(PASSWORD).partition("$argon2")[2])
    assert (made.memory_cost, made.time_cost, made.parallelism) == (19_456, 2, 1)


def test_sign_in__old_hash__accepted_and_made_anew(db: None) -> None:
    user = make_user("nora", "operator")
    User.objects.filter(pk=user.pk).update(password="argon2" + PasswordHasher(2, 102_400, 8).hash(PASSWORD))
    assert Page().sign_in("nora").status_code == 200
    user.refresh_from_db()
    assert extract_parameters(user.password.partition("$argon2")[2]).memory_cost == 19_456


def test_hash__copied_with_the_database__is_not_opened_without_the_key(settings: Any) -> None:
    old, new = "0" * 43 + "=", "1" * 43 + "="
    settings.HAWSER_PASSWORD_PEPPERS = [old]
    made = make_password(PASSWORD)
    inner = "argon2" + made.partition("$argon2")[2]
    assert check_password(PASSWORD, made)
    assert not check_password(PASSWORD, inner)
    settings.HAWSER_PASSWORD_PEPPERS = [new, old]
    replaced: list[str] = []
    assert check_password(PASSWORD, made, setter=replaced.append)
    assert replaced == [PASSWORD]
    settings.HAWSER_PASSWORD_PEPPERS = [new]
    assert not check_password(PASSWORD, made)


def test_hashes__many_at_once__no_more_than_the_setting_run(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.HAWSER_PASSWORD_HASHES, settings.HAWSER_PASSWORD_HASH_WAIT_S = 2, 30.0
    counted = _Counted()
    monkeypatch.setattr(argon2, "hash_secret", counted.around(argon2.hash_secret))
    concurrently(*[lambda: make_password(PASSWORD)] * 8)
    assert (counted.most, counted.threads) == (2, 2)


def test_sign_in__no_thread_free_in_time__503_says_when_and_no_attempt_is_counted(db: None, settings: Any) -> None:
    settings.HAWSER_PASSWORD_HASHES, settings.HAWSER_PASSWORD_HASH_WAIT_S, settings.HAWSER_LOGIN_LIMIT = 2, 0.05, 1
    page = Page()
    with all_hashing(2):
        answers = [page.sign_in("nora") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [503] * 3
    assert answers[0].json()["code"] == "sign_in_busy"
    assert int(answers[0].headers["Retry-After"]) > 0
    assert page.sign_in("nora").status_code == 401


def test_hashes__too_many_wait_already__refused_at_once(settings: Any) -> None:
    settings.HAWSER_PASSWORD_HASHES, settings.HAWSER_PASSWORD_HASH_WAIT_S = 1, 60.0
    with ThreadPoolExecutor(2 + WAITING_FOR_EACH) as callers:
        with all_hashing(1):
            calls = [callers.submit(make_password, PASSWORD) for _ in range(2 + WAITING_FOR_EACH)]
            ended, waiting = wait(calls, timeout=30, return_when=FIRST_COMPLETED)
        assert [len(ended), len(waiting)] == [1, 1 + WAITING_FOR_EACH]
        with pytest.raises(ProblemError, match="Too many passwords are being checked"):
            ended.pop().result()
        assert all(call.result(30) for call in waiting)


@contextmanager
def all_hashing(size: int) -> Iterator[None]:
    """Every thread that hashes is at it."""
    ended = threading.Event()
    for _ in range(size):
        hash_threads(size).submit(ended.wait, 20)
    try:
        yield
    finally:
        ended.set()


class _Counted:
    """How many calls ran at once, and in how many threads; none goes on before another has begun."""

    def __init__(self) -> None:
        self.most = self._now = 0
        self._seen: set[int] = set()
        self._lock = threading.Lock()
        self._pair = threading.Barrier(2)

    @property
    def threads(self) -> int:
        """How many threads ever made one."""
        return len(self._seen)

    def around(self, function: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            with self._lock:
                self._now += 1
                self._seen.add(threading.get_ident())
                self.most = max(self.most, self._now)
            try:
                self._pair.wait(30)
                return function(*args, **kwargs)
            finally:
                with self._lock:
                    self._now -= 1

        return call
