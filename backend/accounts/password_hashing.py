"""Argon2id with limited memory per hash and a limited number of hashes at a time in a process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher

from backend.common.errors import ProblemError

WAITING_FOR_EACH: Final = 4
"""A waiting request occupies a thread. More than this many per hash in progress are refused at once."""


class _Hashing:
    """Hashes in threads of its own.

    Their number is a setting: malloc keeps the memory of a hash for each thread that ever made one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pending = 0

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """The result of the function; raises 503 if it cannot start in time."""
        with self._lock:
            if self._pending >= settings.HAWSER_PASSWORD_HASHES * (1 + WAITING_FOR_EACH):
                raise _busy()
            self._pending += 1
        try:
            return self._run(function, *args)
        finally:
            with self._lock:
                self._pending -= 1

    def _run(self, function: Callable[..., Any], *args: Any) -> Any:
        future = hash_threads(settings.HAWSER_PASSWORD_HASHES).submit(function, *args)
        try:
            return future.result(timeout=settings.HAWSER_PASSWORD_HASH_WAIT_S)
        except TimeoutError as error:
            if future.cancel():
                raise _busy() from error
        return future.result()  # it has started and will end soon


@cache
def hash_threads(size: int) -> ThreadPoolExecutor:
    """The threads that hash."""
    return ThreadPoolExecutor(size, "hash")


_hashing = _Hashing()


class BoundedArgon2Hasher(Argon2PasswordHasher):
    """OWASP's parameters. A hash with other parameters is replaced at the user's next sign-in."""

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """A hash, once a thread is free."""
        return str(_hashing.run(super().encode, password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password is right, once a thread is free."""
        return bool(_hashing.run(super().verify, password, encoded))


def _busy() -> ProblemError:
    detail = "Too many passwords are being checked at once. Retry in a few seconds."
    return ProblemError(503, "sign_in_busy", detail, headers={"Retry-After": "2"})
