"""Where the time of a run went: waiting to start, waiting for servers, database or a processor, and computing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Protocol

PARTS = ("servers_s", "database_s", "processor_wait_s", "computing_s")
"""What a worker measures of a step; together with `other_s` they are its time."""


class MeasuredStep(Protocol):
    """What is read of a step of a run."""

    @property
    def index(self) -> int:
        """Its place in the plan."""
        ...

    @property
    def ended_at(self) -> datetime | None:
        """When it was done, undone or failed."""
        ...

    @property
    def time_spent(self) -> Mapping[str, float] | None:
        """The parts of its last attempt; None where none was measured."""
        ...


@dataclass(frozen=True, slots=True)
class StepTime:
    """The time from the end of the step before, or the start of the run, to the end of this one.

    `other_s` was not measured: undo, earlier attempts, and time without a worker. `server_trips` are the round trips
    to the servers, of all sessions, some at the same time; None where they were not counted.
    """

    index: int
    total_s: float
    servers_s: float
    database_s: float
    processor_wait_s: float
    computing_s: float
    other_s: float
    server_trips: int | None = None


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """The time of a run from its confirmation on; the parts are sums over its steps."""

    total_s: float
    waiting_approval_s: float
    queued_s: float
    servers_s: float
    database_s: float
    processor_wait_s: float
    computing_s: float
    other_s: float
    steps: tuple[StepTime, ...]


def time_spent(
    steps: Iterable[MeasuredStep],
    *,
    created_at: datetime,
    approved_at: datetime | None,
    started_at: datetime | None,
    ended_at: datetime | None,
) -> TimeSpent | None:
    """Where the time of a run went until its end, or until its last ended step; None before a worker has started it."""
    if started_at is None:
        return None
    known = list(steps)
    until = ended_at or max((step.ended_at for step in known if step.ended_at), default=started_at)
    released_at = created_at if approved_at is None else min(approved_at, started_at)
    waits = {"waiting_approval_s": _between(created_at, released_at), "queued_s": _between(released_at, started_at)}
    shown = tuple(_step_times(known, started_at))
    parts = {name: round(sum(getattr(step, name) for step in shown), 3) for name in PARTS}
    total_s = _between(created_at, until)
    other_s = _rest(total_s, *waits.values(), *parts.values())
    return TimeSpent(total_s=total_s, **waits, **parts, other_s=other_s, steps=shown)


def _step_times(steps: Iterable[MeasuredStep], started_at: datetime) -> Iterator[StepTime]:
    """Of the ended steps, in the order of their ends: an undo goes from the last to the first."""
    since = started_at
    ends = ((step.ended_at, step) for step in steps if step.ended_at)
    for ended_at, step in sorted(ends, key=itemgetter(0)):
        total_s, measured = _between(since, ended_at), step.time_spent or {}
        parts = {name: float(measured.get(name, 0.0)) for name in PARTS}
        made = measured.get("server_trips")
        trips = None if made is None else int(made)
        other_s = _rest(total_s, *parts.values())
        yield StepTime(index=step.index, total_s=total_s, **parts, other_s=other_s, server_trips=trips)
        since = max(since, ended_at)


def _between(start: datetime, end: datetime) -> float:
    return max(0.0, round((end - start).total_seconds(), 3))


def _rest(total_s: float, *parts_s: float) -> float:
    return max(0.0, round(total_s - sum(parts_s), 3))
