"""The transitions that a walk yields, and the progress of a run; the caller stores all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.core.plan import Plan, Step


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step is entered, for the first time or again.

    `is_followed`: its intent or the point of no return follows, nothing is read in between, and both may be stored
    together.
    """

    step: Step
    is_followed: bool = False


@dataclass(frozen=True, slots=True)
class Intent:
    """The walk is about to send `sql` (secrets as placeholders) over this connection; store it, then resume.

    `is_followed`: another intent follows before anything is sent, and both may be stored together.
    """

    step: Step
    sql: str
    connection_id: int
    state_before: Mapping[str, Any]
    is_undo: bool = False
    is_followed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of the step's last intent: ok, failed or indeterminate."""

    step: Step
    state: str
    warnings: tuple[str, ...] = ()
    error: str = ""
    duration_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step's proof holds."""

    step: Step
    sentence: str
    facts: Mapping[str, Any]
    observed_after_crash: bool = False


@dataclass(frozen=True, slots=True)
class StepFailed:
    """A step's precondition, statement or proof failed; the reason is for the operator."""

    step: Step
    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepUndone:
    """A step's effect was reverted."""

    step: Step
    sentence: str


@dataclass(frozen=True, slots=True)
class UndoStarted:
    """The walk starts to revert its steps; store it, because a successor continues the undo."""

    reason: str
    is_abort: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The walk is over: succeeded, failed, aborted or needs_operator."""

    state: str
    sentence: str
    next_action: str = ""


Transition = StepStarted | Intent | Outcome | StepDone | StepFailed | StepUndone | UndoStarted | Ended


@dataclass(slots=True)
class Progress:
    """The stored progress of a run: finished steps, intents, and whether its steps are being reverted.

    `is_return_closed`: an earlier worker was granted the point of no return.
    """

    done: set[int] = field(default_factory=set)
    intended: set[int] = field(default_factory=set)
    undone: set[int] = field(default_factory=set)
    undo_reason: str | None = None
    is_abort: bool = False
    is_return_closed: bool = False

    def is_past_return(self, plan: Plan) -> bool:
        """Whether the point of no return was granted, or a statement after it intended."""
        if self.is_return_closed:
            return True
        first = next((s.index for s in plan.steps if s.point_of_no_return), None)
        return first is not None and any(index >= first for index in self.intended)
