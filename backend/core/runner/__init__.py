"""Walking a plan; what the walk yields; where a run stands."""

from backend.core.runner.runner import Runner
from backend.core.runner.transitions import (
    Ended,
    Intent,
    Outcome,
    Progress,
    StepDone,
    StepFailed,
    StepStarted,
    StepUndone,
    Transition,
    UndoStarted,
)

__all__ = [
    "Ended",
    "Intent",
    "Outcome",
    "Progress",
    "Runner",
    "StepDone",
    "StepFailed",
    "StepStarted",
    "StepUndone",
    "Transition",
    "UndoStarted",
]
