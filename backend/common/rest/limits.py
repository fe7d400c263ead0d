"""Limits for calls that occupy a thread or a connection for long, per caller and in total."""

from __future__ import annotations

import functools
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.conf import settings
from rest_framework.request import Request

from backend.common.errors import ProblemError

M = TypeVar("M", bound=Callable[..., Any])


class CallerLimit:
    """Counts the calls of this process; `per_caller` and `in_all` are names of settings."""

    def __init__(self, code: str, detail: str, *, per_caller: str, in_all: str | None = None) -> None:
        self._code, self._detail = code, detail
        self._per_caller, self._in_all = per_caller, in_all
        self._lock = threading.Lock()
        self._held: Counter[str] = Counter()

    def acquire(self, caller: str) -> None:
        """Count one more call of this caller; raises 429 beyond the limit."""
        with self._lock:
            if self._is_full(caller):
                raise ProblemError(429, self._code, self._detail, headers={"Retry-After": "5"})
            self._held[caller] += 1

    def release(self, caller: str) -> None:
        """Count one call less."""
        with self._lock:
            self._held[caller] -= 1
            if not self._held[caller]:
                del self._held[caller]

    def _is_full(self, caller: str) -> bool:
        if self._held[caller] >= getattr(settings, self._per_caller):
            return True
        return self._in_all is not None and self._held.total() >= getattr(settings, self._in_all)


slow_calls = CallerLimit(
    "too_many_calls",
    "Too many slow calls (plans, scans, lookups, webhook tests) are in progress. Nothing was done. "
    "Wait until one has ended.",
    per_caller="HAWSER_SLOW_CALLS_PER_CALLER",
    in_all="HAWSER_SLOW_CALLS",
)
decisions = CallerLimit(
    "too_many_calls",
    "Too many starts and approvals are in progress. Nothing was done. Wait until one has ended.",
    per_caller="HAWSER_SLOW_CALLS_PER_CALLER",
    in_all="HAWSER_SLOW_CALLS_PER_CALLER",
)
streams = CallerLimit(
    "too_many_streams",
    "You have too many event streams open. Close one and connect again.",
    per_caller="HAWSER_STREAMS_PER_CALLER",
)


def _limited_by(limit: CallerLimit) -> Callable[[M], M]:
    def decorate(method: M) -> M:
        @functools.wraps(method)
        def limited(self: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
            caller = request.user.get_username()
            limit.acquire(caller)
            try:
                return method(self, request, *args, **kwargs)
            finally:
                limit.release(caller)

        limited.is_limited = True  # type: ignore[attr-defined]
        return cast("M", limited)

    return decorate


slow_call = _limited_by(slow_calls)
"""Marks a view's method that may occupy its thread for minutes, because it waits for other machines."""
decision = _limited_by(decisions)
"""The same for a start or an approval, which slow calls of others must not keep from a thread."""
