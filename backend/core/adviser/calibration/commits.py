"""What writers reached, beside what the model says of the same distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.adviser.concurrency.model import LEAST_MS, Range, commits_per_s
from backend.core.adviser.concurrency.running import distance
from backend.core.adviser.network.percentiles import percentiles_of
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.estimates import FieldError, Unknown

LEAST_COMMITS = 5
"""Fewer say nothing of a rate."""


@dataclass(frozen=True, slots=True)
class Step:
    """So many writers at a time; each commit in ms as the console waited for it."""

    writers: int
    seconds: float
    commits_ms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A step's figures and the model's; `apart` is the share by which the measured rate is beyond the model's."""

    writers: int
    commits: int
    per_s: float | Unknown
    percentiles: dict[str, float]
    model: Range | Unknown
    apart: float | Unknown


def compared(step: Step, latency: GroupLatency | Unknown, window: int | Unknown, console_ms: float) -> Compared:
    """One step. Each writer also waits for the console's round trip, which the model does not know: it is added."""
    few = Unknown(f"Only {len(step.commits_ms)} commits were made, and {LEAST_COMMITS} are needed.")
    per_s = len(step.commits_ms) / step.seconds if len(step.commits_ms) >= LEAST_COMMITS and step.seconds else few
    model = _model(step.writers, latency, window, console_ms)
    return Compared(
        step.writers, len(step.commits_ms), per_s, percentiles_of(step.commits_ms), model, _apart(per_s, model)
    )


def _model(writers: int, latency: GroupLatency | Unknown, window: int | Unknown, console_ms: float) -> Range | Unknown:
    if isinstance(latency, Unknown):
        return latency
    if isinstance(window, Unknown):
        return window
    way = distance(latency)
    if way.low < LEAST_MS:
        return Unknown(f"Below {LEAST_MS:g} ms the cluster's own rate limits, not the distance: there is no model.")
    try:
        slow, fast = (commits_per_s(writers, ms, window, None) for ms in (way.high, way.low))
    except FieldError as error:
        return Unknown(str(error))
    return Range(_with_console(slow.low, writers, console_ms), _with_console(fast.high, writers, console_ms))


def _with_console(per_s: float, writers: int, console_ms: float) -> float:
    return writers / (writers / per_s + console_ms / 1000)


def _apart(per_s: float | Unknown, model: Range | Unknown) -> float | Unknown:
    if isinstance(per_s, Unknown):
        return per_s
    if isinstance(model, Unknown):
        return model
    if per_s < model.low:
        return per_s / model.low - 1
    return max(0.0, per_s / model.high - 1)


def total(steps: Sequence[Step]) -> int:
    """Rows that were written."""
    return sum(len(step.commits_ms) for step in steps)
