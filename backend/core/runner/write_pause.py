"""How long a run kept the applications from writing, told by its steps: from the first fence to the last opening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

OPENING = frozenset({"swap_roles", "unfence", "accept_queries"})
"""Once all of these are done, the other side accepts writes."""


class PauseState(StrEnum):
    """Whether writes are still paused; unknown where the run ended without opening a side or undoing its fences."""

    ONGOING = "ongoing"
    ENDED = "ended"
    UNKNOWN = "unknown"


class PauseEnd(StrEnum):
    """What ended the pause: the other side was opened, or the run undid its fences."""

    OPENED = "opened"
    REVERTED = "reverted"


class TimedStep(Protocol):
    """What is read of a step of a run."""

    @property
    def code(self) -> str:
        """Its kind."""
        ...

    @property
    def state(self) -> str:
        """Where it stands."""
        ...

    @property
    def started_at(self) -> datetime | None:
        """When it was first entered."""
        ...

    @property
    def ended_at(self) -> datetime | None:
        """When it was done, undone or failed."""
        ...


@dataclass(frozen=True, slots=True)
class WritePause:
    """When writes were paused, and until when; `ended_at` is None while they are, or if it is unknown."""

    started_at: datetime
    state: PauseState
    ended_at: datetime | None = None
    ended_by: PauseEnd | None = None

    @property
    def duration_s(self) -> float | None:
        """Its length; None while there is no end."""
        if self.ended_at is None:
            return None
        return max(0.0, round((self.ended_at - self.started_at).total_seconds(), 3))


def write_pause(steps: Iterable[TimedStep], *, is_over: bool, is_reverted: bool) -> WritePause | None:
    """The write pause of a run with these steps; None where its plan opens no side, or no fence was begun.

    `is_over`: nothing of the run can happen any more. `is_reverted`: it ended and all that it did was undone.
    """
    known = list(steps)
    fences = [step for step in known if step.code == "fence" and step.started_at]
    opening = [step for step in known if step.code in OPENING]
    if not fences or not opening:
        return None
    started_at = min(step.started_at for step in fences if step.started_at)
    opened = [step.ended_at for step in opening if step.state == "succeeded" and step.ended_at]
    if len(opened) == len(opening):
        return WritePause(started_at, PauseState.ENDED, max(opened), PauseEnd.OPENED)
    undone = [step.ended_at for step in fences if step.state == "undone" and step.ended_at]
    if is_reverted and not undone:
        return None
    if undone and (is_reverted or len(undone) == len(fences)):
        return WritePause(started_at, PauseState.ENDED, max(undone), PauseEnd.REVERTED)
    return WritePause(started_at, PauseState.UNKNOWN if is_over else PauseState.ONGOING)
