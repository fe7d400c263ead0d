"""Measures what the worker's thread does in a step: waits for servers, database or a processor, or computes."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from backend.core.runner.time_spent import PARTS
from backend.gateway.connection import trips

_SCHEDULE = Path("/proc/thread-self/schedstat")

Awaited = Literal["servers_s", "database_s"]


class _Reading(NamedTuple):
    """Seconds of the clock, of the thread's processor time, and of its wait for a processor."""

    clock_s: float
    computing_s: float
    queue_s: float


class StepWatch:
    """Adds up the parts of the time since the last step ended.

    Where the kernel tells no wait for a processor, it counts as what was awaited.
    """

    def __init__(self) -> None:
        self._spent = dict.fromkeys(PARTS, 0.0)
        self._last = _read()
        self._trips = trips.total()

    def lap(self, awaited: Awaited) -> None:
        """Count the time since the last lap; `awaited` is what the thread slept for in it."""
        now = _read()
        clock_s, computing_s, queue_s = (new - old for new, old in zip(now, self._last, strict=True))
        self._spent["computing_s"] += computing_s
        self._spent["processor_wait_s"] += queue_s
        self._spent[awaited] += max(0.0, clock_s - computing_s - queue_s)
        self._last = now

    def take(self) -> dict[str, float]:
        """The parts until now, in s, and the round trips to servers; the next step begins."""
        taken, self._spent = self._spent, dict.fromkeys(PARTS, 0.0)
        made, self._trips = trips.total() - self._trips, trips.total()
        return {name: round(seconds, 3) for name, seconds in taken.items()} | {"server_trips": made}


def _read() -> _Reading:
    return _Reading(time.monotonic(), time.thread_time(), _waited_for_processor_s())


def _waited_for_processor_s() -> float:
    """How long this thread was ready to run without a processor, by the kernel (sched-stats: the second number)."""
    with suppress(OSError, IndexError, ValueError):
        return int(_SCHEDULE.read_text().split()[1]) / 1e9
    return 0.0
