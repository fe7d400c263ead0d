"""Argon2id with limited memory per hash and a limited number of hashes at a time in a process."""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, BasePasswordHasher

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


class PepperedArgon2Hasher(BasePasswordHasher):
    """Argon2id over a MAC of the password, under a key that is not in the database (ASVS 2.4.5).

    A hash names its key by the beginning of the key's own hash. One under an older key is replaced at the next sign-in.
    """

    algorithm = "hawser_argon2"
    _inner = BoundedArgon2Hasher()

    def salt(self) -> str:
        """Argon2's own."""
        return self._inner.salt()

    def encode(self, password: str, salt: str) -> str:
        """A hash under the first key."""
        key = settings.HAWSER_PASSWORD_PEPPERS[0]
        return f"{self.algorithm}${_name_of(key)}${self._inner.encode(_keyed(key, password), salt)}"

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password is right. Under a key that is not listed any more none is."""
        _, name, inner = encoded.split("$", 2)
        key = next((one for one in settings.HAWSER_PASSWORD_PEPPERS if _name_of(one) == name), None)
        return key is not None and self._inner.verify(_keyed(key, password), inner)

    def must_update(self, encoded: str) -> bool:
        """Whether the hash has another key or other parameters than a new one."""
        _, name, inner = encoded.split("$", 2)
        return name != _name_of(settings.HAWSER_PASSWORD_PEPPERS[0]) or self._inner.must_update(inner)

    def harden_runtime(self, password: str, encoded: str) -> None:
        """Nothing: all take the same time."""

    def decode(self, encoded: str) -> Any:
        """The parts of the inner hash."""
        return self._inner.decode(encoded.split("$", 2)[2])

    def safe_summary(self, encoded: str) -> Any:
        """What can be shown of it."""
        return self._inner.safe_summary(encoded.split("$", 2)[2])


def _name_of(key: str) -> str:
    return hashlib.sha256(b"hawser.pepper." + key.encode()).hexdigest()[:8]


def _keyed(key: str, password: str) -> str:
    return hmac.new(key.encode(), password.encode(), hashlib.sha256).hexdigest()


def _busy() -> ProblemError:
    detail = "Too many passwords are being checked at once. Retry in a few seconds."
    return ProblemError(503, "sign_in_busy", detail, headers={"Retry-After": "2"})
