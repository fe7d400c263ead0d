"""Where the time of a run went: waiting to start, waiting for servers, database or a processor, and computing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Annotated, Protocol

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
    """Where the time of an ended step went, from the end of the one before; the five parts are its `total_s`."""

    index: int
    total_s: float
    servers_s: Annotated[
        float,
        "Waiting for the database servers: connections, reads, statements, and what the step waits to see.",
    ]
    database_s: Annotated[float, "Waiting for the console's own database while storing the step."]
    processor_wait_s: Annotated[
        float, "The worker was ready to continue and had no processor: its host was busy with other work."
    ]
    computing_s: Annotated[float, "Processor time of the worker."]
    other_s: Annotated[float, "Not measured: undo, earlier attempts, and time without a worker."]
    server_trips: Annotated[
        int | None,
        "Round trips to the database servers, some at the same time; null where they were not counted.",
    ] = None


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Where the time of a run went, from its confirmation until its end or its last ended step."""

    total_s: float
    waiting_approval_s: Annotated[float, "From the confirmation until the approval before the start."]
    queued_s: Annotated[float, "From then until a worker started the run."]
    servers_s: Annotated[float, "Sum over the steps, as each of the following."]
    database_s: float
    processor_wait_s: float
    computing_s: float
    other_s: Annotated[
        float,
        "Not measured: the start and end of the run, undo, earlier attempts, and time without a worker.",
    ]
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
