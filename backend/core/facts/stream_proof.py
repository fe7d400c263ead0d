"""When the account of a stream stood, and when not and why: the proof of one direction over time.

A time is proven once the account of it was shown within the bound that `protected` has. What was caught up with later
is known to be on both sides, and was not when it mattered: it stays a gap. Unknown is never proven.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from backend.core.stream_account import StreamAccount


class Cause(StrEnum):
    """Why a time is not proven."""

    NOBODY_LOOKED = "nobody_looked"
    UNACCOUNTED = "unaccounted"
    DIVERGED = "diverged"
    NO_CHANNEL = "no_channel"
    UNREACHABLE = "unreachable"
    LOG_CHANGED = "log_changed"
    LOG_UNREAD = "log_unread"
    BEGUN_ANEW = "begun_anew"


_FOLLOWS: Final = frozenset({Cause.LOG_UNREAD, Cause.BEGUN_ANEW})
"""What the account does after each other cause, too: it is none of its own then."""
SENTENCES: Final = {
    Cause.NOBODY_LOOKED: "No monitor observed the link, or what it saw could not be stored.",
    Cause.UNACCOUNTED: "Transactions were not on both sides, and nobody had settled them.",
    Cause.DIVERGED: "The sides had diverged by a failover.",
    Cause.NO_CHANNEL: "No channel from {source} to {receiving} was seen.",
    Cause.UNREACHABLE: "A node at an end of the channel did not respond.",
    Cause.LOG_CHANGED: "A log at an end of the channel became another one.",
    Cause.LOG_UNREAD: "The logs at both ends of the channel were not read to their end in time.",
    Cause.BEGUN_ANEW: "The account began anew: the channel was moved, or a log was not read on from where it stood.",
}


def sentence(cause: Cause, source: str, receiving: str) -> str:
    """The cause as a sentence; with the names of both clusters."""
    return SENTENCES[cause].format(source=source, receiving=receiving)


@dataclass(frozen=True, slots=True)
class Period:
    """A time of one kind; `cause` None: proven. `ended_s` of the latest one is until when it was shown.

    `since_s`: begin of the account's span that proved it.
    """

    cause: Cause | None
    began_s: float
    ended_s: float
    since_s: float | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a direction at `now_s`; `cause` counts where the account does not stand.

    `looked_s`: when anybody looked before; None: nobody did. `within_s`: for how long a proof stands.
    """

    account: StreamAccount
    cause: Cause
    now_s: float
    looked_s: float | None
    within_s: float

    @property
    def is_missed(self) -> bool:
        """Whether nobody looked for longer than a proof stands."""
        return self.looked_s is not None and self.now_s - self.looked_s > self.within_s

    @property
    def is_open(self) -> bool:
        """Whether transactions are not accounted for."""
        return bool(self.account.unaccounted or self.account.more)

    @property
    def until_s(self) -> float | None:
        """Until when all is accounted for; None where that is unknown or not so."""
        return None if self.is_open or self.account.since_s is None else self.account.until_s

    @property
    def is_late(self) -> bool:
        """Whether the account did not stand for longer than a proof does."""
        return self.until_s is None or self.now_s - self.until_s > self.within_s


def followed(last: Period | None, look: Look) -> tuple[Period, ...]:
    """The latest period as it is after this look, and those that began since; a first one begins now."""
    if last is not None and look.is_missed:
        missed = Period(Cause.NOBODY_LOOKED, last.ended_s, max(last.ended_s, look.now_s))
        return last, *_next(missed, look)
    return _next(last, look)


def _next(last: Period | None, look: Look) -> tuple[Period, ...]:
    if look.is_late or look.until_s is None:
        return _not_proven(last, look)
    until_s, since_s = look.until_s, look.account.since_s
    if last is None:
        return (Period(None, until_s, until_s, since_s),)
    if last.cause is None and last.since_s == since_s and until_s - last.ended_s <= look.within_s:
        return (replace(last, ended_s=max(last.ended_s, until_s)),)
    now_s = max(last.ended_s, look.now_s)
    proven = Period(None, now_s, now_s, since_s)
    if last.cause is not None:
        return replace(last, ended_s=now_s), proven
    cause = Cause.LOG_UNREAD if last.since_s == since_s else Cause.BEGUN_ANEW
    return last, Period(cause, last.ended_s, now_s), proven


def _not_proven(last: Period | None, look: Look) -> tuple[Period, ...]:
    """Its cause is the first one, until another one that is no consequence is there; at most one in `within_s`."""
    if last is None:
        return (Period(look.cause, look.now_s, look.now_s),)
    ended_s = max(last.ended_s, look.now_s)
    is_same = look.cause in (last.cause, *_FOLLOWS) or last.ended_s - last.began_s < look.within_s
    if last.cause is not None and is_same:
        return (replace(last, ended_s=ended_s),)
    return last, Period(look.cause, last.ended_s, ended_s)
