"""Decides whether a channel that stopped without an error may be started automatically now; the caller passes the time.

It is off unless a link opts in. It starts only a channel whose SQL thread ended without an error while the I/O thread
runs: after STOP SLAVE both threads are stopped. Starts per hour are limited: an operator must check a channel that
stops again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from backend.core.automation import MAX_GAP_S
from backend.core.plural import pluralize

STOPPED_FOR_S = 10.0
"""How long every poll must find the channel stopped: a short stop by an operator is left alone."""
HOUR_S = 3600.0


class StartAct(StrEnum):
    """What to do now; `held`: only the limit forbids the start, and an operator is notified."""

    NOTHING = "nothing"
    START = "start"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class StartPolicy:
    """What a link allows: the maximum number of starts within an hour."""

    is_on: bool
    most_per_hour: int


@dataclass(frozen=True, slots=True)
class StartObservation:
    """One observation of a link. `standing` names channels stopped without an error; one unknown forbids a start."""

    at_s: float
    standing: tuple[str, ...] = ()
    unknowns: tuple[str, ...] = ()
    start: str = "ready"
    unfinished_run: str | None = None


@dataclass(frozen=True, slots=True)
class StartMemory:
    """What is stored between observations; `acts_s` are the starts within the last hour (Unix time)."""

    seen_at_s: float | None = None
    standing_since_s: float | None = None
    acts_s: tuple[float, ...] = ()
    retry_at_s: float | None = None


@dataclass(frozen=True, slots=True)
class StartDecision:
    """What to do, why, and what to store of this observation."""

    act: StartAct
    reason: str
    memory: StartMemory


def decide(policy: StartPolicy, memory: StartMemory, sight: StartObservation) -> StartDecision:
    """Judge one observation; the caller adds to `acts_s` after a start."""
    watched = _watch(memory, sight)
    reason = _reason_against(policy, watched, sight)
    if reason:
        return StartDecision(StartAct.NOTHING, reason, watched)
    if len(watched.acts_s) >= policy.most_per_hour:
        times = pluralize(len(watched.acts_s), "time")
        why = f"It was started {times} within an hour and stopped again. Find out why, then start it with a plan."
        return StartDecision(StartAct.HELD, why, watched)
    why = f"{_names(sight.standing)} stopped without an error; its I/O thread still runs."
    return StartDecision(StartAct.START, why, watched)


def _names(standing: Sequence[str]) -> str:
    joined = " and ".join(standing)
    return f"{joined[:1].upper()}{joined[1:]}"


def _watch(memory: StartMemory, sight: StartObservation) -> StartMemory:
    """Since when every observation found a channel stopped, without a gap and with nothing unknown."""
    is_gap = memory.seen_at_s is None or not 0 <= sight.at_s - memory.seen_at_s <= MAX_GAP_S
    since = None
    if sight.standing and not sight.unknowns:
        since = sight.at_s if is_gap or memory.standing_since_s is None else memory.standing_since_s
    acts = tuple(at for at in memory.acts_s if 0 <= sight.at_s - at < HOUR_S)
    return replace(memory, seen_at_s=sight.at_s, standing_since_s=since, acts_s=acts)


def _reason_against(policy: StartPolicy, memory: StartMemory, sight: StartObservation) -> str:
    """The first reason to do nothing, apart from the limit; empty where there is none."""
    if not policy.is_on:
        return "Off."
    if sight.unknowns:
        return f"On hold because some state is unknown: {sight.unknowns[0]}"
    if memory.standing_since_s is None:
        return "No channel is stopped without an error."
    if sight.unfinished_run is not None:
        return f"Run {sight.unfinished_run} is unfinished on this link."
    lasted_s = sight.at_s - memory.standing_since_s
    if lasted_s < STOPPED_FOR_S:
        return f"The channel has been stopped for {lasted_s:.0f} of {STOPPED_FOR_S:.0f} s."
    if sight.start != "ready":
        return f"A start is {sight.start.replace('_', ' ')} now."
    if memory.retry_at_s is not None and sight.at_s < memory.retry_at_s:
        return f"The last plan could not be used. The next attempt is in {memory.retry_at_s - sight.at_s:.0f} s."
    return ""
