"""What an incident starts next, given its order, its limit and what became of what it started.

Only a success is a success. Whatever else a run became counts as a failure, and so does an unknown state: with the
stop rule nothing new is started after it, and what runs ends by its own rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

MOST_AT_ONCE = 8


class Progress(StrEnum):
    """What became of one operation of the sequence."""

    WAITING = "waiting"
    STARTED = "started"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    NOT_STARTED = "not_started"
    NEEDS_OPERATOR = "needs_operator"
    UNKNOWN = "unknown"


IN_FLIGHT = frozenset({Progress.STARTED, Progress.NEEDS_OPERATOR, Progress.UNKNOWN})
"""These count against the limit: they may still send statements."""
FAILURES = frozenset(Progress) - {Progress.WAITING, Progress.STARTED, Progress.SUCCEEDED}


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the sequence, by the key of its item."""

    key: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class Rules:
    """How many may run at once, and whether the first failure stops the sequence."""

    limit: int = 1
    stop_at_failure: bool = True


class Verdict(StrEnum):
    """What is to be done with the sequence."""

    START = "start"
    WAIT = "wait"
    STOP = "stop"
    END = "end"


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict, and what to start now, in order; `because` names what stopped the sequence."""

    verdict: Verdict
    start: tuple[str, ...] = ()
    because: str | None = None


def decide(operations: Sequence[Operation], rules: Rules) -> Decision:
    """Start, wait, stop or end; the order of the operations is the order of their start."""
    waiting = [one.key for one in operations if one.progress is Progress.WAITING]
    failed = next((one.key for one in operations if one.progress in FAILURES), None)
    if failed is not None and rules.stop_at_failure:
        return Decision(Verdict.STOP, because=failed)
    running = sum(one.progress in IN_FLIGHT for one in operations)
    free = min(rules.limit, MOST_AT_ONCE) - running
    if waiting and free > 0:
        return Decision(Verdict.START, start=tuple(waiting[:free]))
    return Decision(Verdict.WAIT if waiting or running else Verdict.END)
