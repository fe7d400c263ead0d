"""How late a row that is written on one side is seen on the other, by the servers' clocks.

A clock is compared with the console's as NTP does: a server answers between the question and its return, so its clock
is known to half of that round trip. A row arrives between the last look that did not show it and the first that did.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.core.estimates import Unknown

BEATS = 20
PAUSE_S = 0.2
LEAST_BEATS = 5


@dataclass(frozen=True, slots=True)
class Look:
    """One question to a server: console's clock before and after, and the server's; all in seconds."""

    sent_s: float
    answered_s: float
    server_s: float


@dataclass(frozen=True, slots=True)
class Clock:
    """How far a server's clock is ahead of the console's, and the most that this can be wrong."""

    ahead_s: float
    error_s: float


@dataclass(frozen=True, slots=True)
class Poll:
    """The newest row that a replica showed between two moments of its clock; None: none yet."""

    newest: int | None
    began_s: float
    ended_s: float


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Milliseconds from the write to the first sight; the median can be wrong by `error_ms` either way."""

    median_ms: float
    least_ms: float
    most_ms: float
    error_ms: float
    seen: int
    missed: int

    @property
    def is_bound(self) -> bool:
        """Whether only an upper bound is known: the error is not smaller than the figure."""
        return self.error_ms >= self.median_ms


def clock_of(looks: Sequence[Look]) -> Clock | Unknown:
    """By the question that returned soonest."""
    if not looks:
        return Unknown("The server's clock could not be read.")
    best = min(looks, key=lambda one: one.answered_s - one.sent_s)
    middle = (best.sent_s + best.answered_s) / 2
    return Clock(best.server_s - middle, (best.answered_s - best.sent_s) / 2)


def heartbeat(
    written: Mapping[int, float], polls: Sequence[Poll], source: Clock | Unknown, replica: Clock | Unknown
) -> Heartbeat | Unknown:
    """From the times at which rows were written, by the source's clock, and what a replica showed."""
    if isinstance(source, Unknown):
        return source
    if isinstance(replica, Unknown):
        return replica
    spans = {number: span for number in written if (span := _arrival(number, polls)) is not None}
    if len(spans) < LEAST_BEATS:
        return Unknown(
            f"{len(spans)} of {len(written)} rows were seen in time, and {LEAST_BEATS} are needed. "
            "See whether the channel runs, and how far it is behind."
        )
    ahead = replica.ahead_s - source.ahead_s
    lows, highs = (
        sorted((span[end] - ahead - written[number]) * 1000 for number, span in spans.items()) for end in (0, 1)
    )
    # Each true time lies between its own two, so their median lies between the medians of both.
    middle = math.ceil(len(lows) / 2) - 1
    clocks_ms = (source.error_s + replica.error_s) * 1000
    return Heartbeat(
        median_ms=(lows[middle] + highs[middle]) / 2,
        least_ms=(lows[0] + highs[0]) / 2,
        most_ms=(lows[-1] + highs[-1]) / 2,
        error_ms=(highs[middle] - lows[middle]) / 2 + clocks_ms,
        seen=len(spans),
        missed=len(written) - len(spans),
    )


def _arrival(number: int, polls: Sequence[Poll]) -> tuple[float, float] | None:
    """Between which moments of the replica's clock the row appeared; None where no poll came before it, or after."""
    before: Poll | None = None
    for poll in polls:
        if poll.newest is not None and poll.newest >= number:
            return None if before is None else (before.began_s, poll.ended_s)
        before = poll
    return None
