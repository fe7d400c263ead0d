"""Runs one contender over and over beside the committing client and keeps what both saw."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from bench.committer import Committer, Latency


@dataclass(frozen=True)
class Answer:
    """What a contender found: where the group with the Xid ends, and how much it read for it."""

    end: int
    events: int | None = None


@dataclass(frozen=True)
class Contender:
    """A way to find a Xid. `find` raises where it does not."""

    name: str
    find: Callable[[], Answer]
    repeats: int = 1


@dataclass(frozen=True)
class Measured:
    """One contender's times in s and the commits meanwhile.

    `error` says why it did not finish; `gave_up` that its time limit was the reason.
    """

    name: str
    seconds: tuple[float, ...]
    commits: Latency
    answer: Answer | None
    error: str = ""
    gave_up: bool = False

    @property
    def median_s(self) -> float:
        """The middle of its times."""
        return statistics.median(self.seconds)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"median_s": self.median_s}


def measure(contender: Contender, committer: Committer) -> Measured:
    """Time every repetition; an error is a result, not the end of the run."""
    seconds: list[float] = []
    answer: Answer | None = None
    error, gave_up = "", False
    begun = time.monotonic()
    for _ in range(contender.repeats):
        started = time.monotonic()
        try:
            answer = contender.find()
        except Exception as fault:  # noqa: BLE001 - whatever a foreign tool raises is its result
            error = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
            gave_up = isinstance(fault, TimeoutError | subprocess.TimeoutExpired)
        seconds.append(time.monotonic() - started)
        if error:
            break
        time.sleep(0.05)  # as between two questions: commits that waited go through
    return Measured(contender.name, tuple(seconds), committer.between(begun, time.monotonic()), answer, error, gave_up)


def measure_idle(committer: Committer, seconds: float) -> Latency:
    """Commits while nobody searches."""
    begun = time.monotonic()
    time.sleep(seconds)
    return committer.between(begun, time.monotonic())
