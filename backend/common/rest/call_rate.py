"""How many calls one caller may make in a minute: a user by name, a caller without a sign-in by address."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from django.conf import settings
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from backend.common.client_networks import networks_of
from backend.common.errors import ProblemError
from backend.common.request_context import current

WINDOW_S: Final = 60.0
MAX_CALLERS: Final = 10_000
"""Addresses beyond so many, and wider networks, share a count: they are cheap, and the memory of a web process is not.
Users are as many as there are."""
_OTHERS: Final = "others"


class CallRate:
    """Calls of this process in the last minute: those of the present one, and of the one before in proportion."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._window = 0
        self._before: Counter[str] = Counter()
        self._now: Counter[str] = Counter()
        self._strangers: Counter[int] = Counter()

    def wait_s(self, caller: str, per_minute: int) -> float:
        """Count one more call of a user; 0, or the seconds until the next one may come: then it is not counted."""
        with self._lock:
            return self._count(caller, per_minute, self._turn())

    def stranger_wait_s(self, networks: Sequence[str], per_minute: int) -> float:
        """The same of a caller without a sign-in, by the narrowest of its networks that is known or has room."""
        with self._lock:
            passed = self._turn()
            return self._count(self._known_network(networks), per_minute, passed)

    def _known_network(self, networks: Sequence[str]) -> str:
        for width, network in enumerate(networks):
            if network in self._now:
                return network
            if self._strangers[width] < MAX_CALLERS:
                self._strangers[width] += 1
                return network
        return _OTHERS

    def _count(self, key: str, per_minute: int, passed: float) -> float:
        if self._now[key] + self._before[key] * (1 - passed) >= per_minute:
            return WINDOW_S * max(1 - passed, 1 / WINDOW_S)
        self._now[key] += 1
        return 0.0

    def _turn(self) -> float:
        """Begin a new minute if it is time; how much of it has passed, from 0 to 1."""
        window, passed = divmod(self._clock() / WINDOW_S, 1)
        if window != self._window:
            self._before = self._now if window == self._window + 1 else Counter()
            self._now, self._window = Counter(), int(window)
            self._strangers.clear()
        return passed


rate = CallRate()


def count_call(request: Request) -> None:
    """Count a call before anything is done for it; raises 429 `throttled` beyond the rate.

    Wrong credentials count for the address: else a caller could try any number of tokens.
    """
    try:
        is_signed_in = request.user.is_authenticated
    except AuthenticationFailed:
        _count_address()
        raise
    if is_signed_in:
        per_minute = settings.HAWSER_CALLS_PER_MINUTE
        _refuse_beyond(per_minute, rate.wait_s(f"user {request.user.get_username()}", per_minute))
    else:
        _count_address()


def _count_address() -> None:
    per_minute, networks = settings.HAWSER_ANONYMOUS_CALLS_PER_MINUTE, networks_of(current.get().source_ip)
    _refuse_beyond(per_minute, rate.stranger_wait_s([f"network {one}" for one in networks], per_minute))


def _refuse_beyond(per_minute: int, pause_s: float) -> None:
    wait_s = math.ceil(pause_s)
    if wait_s:
        detail = f"More than {per_minute} calls in a minute. Nothing was done. Call again in {wait_s} s."
        raise ProblemError(429, "throttled", detail, headers={"Retry-After": str(wait_s)})
