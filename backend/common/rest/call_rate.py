"""How many calls one caller may make in a minute: a user by name, a caller without a sign-in by address."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from django.conf import settings
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from backend.common.errors import ProblemError
from backend.common.request_context import current

WINDOW_S: Final = 60.0
MAX_CALLERS: Final = 10_000
"""Callers beyond them share one count: addresses are cheap, and the memory of a web process is not."""
_OTHERS: Final = "others"


class CallRate:
    """Calls of this process in the last minute: those of the present one, and of the one before in proportion."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._window = 0
        self._before: Counter[str] = Counter()
        self._now: Counter[str] = Counter()

    def wait_s(self, caller: str, per_minute: int) -> float:
        """Count one more call; 0, or the seconds until the caller may call again, and then it is not counted."""
        with self._lock:
            passed = self._turn()
            key = caller if caller in self._now or len(self._now) < MAX_CALLERS else _OTHERS
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
        _count(f"user {request.user.get_username()}", settings.HAWSER_CALLS_PER_MINUTE)
    else:
        _count_address()


def _count_address() -> None:
    _count(f"address {current.get().source_ip}", settings.HAWSER_ANONYMOUS_CALLS_PER_MINUTE)


def _count(caller: str, per_minute: int) -> None:
    wait_s = math.ceil(rate.wait_s(caller, per_minute))
    if wait_s:
        detail = f"More than {per_minute} calls in a minute. Nothing was done. Call again in {wait_s} s."
        raise ProblemError(429, "throttled", detail, headers={"Retry-After": str(wait_s)})
