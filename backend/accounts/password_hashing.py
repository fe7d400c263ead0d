"""Argon2id at a bounded cost: so much memory a hash, so many hashes at once in a process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher

from backend.common.errors import ProblemError

WAITING_FOR_EACH: Final = 4
"""A request that waits holds its thread; more than so many for each hash under way are refused at once."""


class _Slots:
    """Permission to hash, for as many threads at once as the settings say."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = 0
        self._waiting = 0

    @contextmanager
    def taken(self) -> Iterator[None]:
        """One of the slots; raises 503 where none becomes free in time."""
        with self._changed:
            if not self._may_wait() or not self._wait():
                raise _busy()
            self._taken += 1
        try:
            yield
        finally:
            with self._changed:
                self._taken -= 1
                self._changed.notify()

    def _may_wait(self) -> bool:
        return self._is_free() or self._waiting < WAITING_FOR_EACH * settings.HAWSER_PASSWORD_HASHES

    def _wait(self) -> bool:
        self._waiting += 1
        try:
            return self._changed.wait_for(self._is_free, timeout=settings.HAWSER_PASSWORD_HASH_WAIT_S)
        finally:
            self._waiting -= 1

    def _is_free(self) -> bool:
        return bool(self._taken < settings.HAWSER_PASSWORD_HASHES)


_slots = _Slots()


class BoundedArgon2Hasher(Argon2PasswordHasher):
    """OWASP's parameters. A hash made with others is made anew at the user's next sign-in."""

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """A hash, once there is a slot."""
        with _slots.taken():
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password is right, once there is a slot."""
        with _slots.taken():
            return bool(super().verify(password, encoded))


def _busy() -> ProblemError:
    detail = "Too many sign-ins at once; try again in a few seconds."
    return ProblemError(503, "sign_in_busy", detail, headers={"Retry-After": "2"})
