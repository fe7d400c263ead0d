"""Executes a plan step by step, with the transitions that the execution yields and the progress of a run."""

from backend.core.runner.runner import ABORTED, Runner
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
    "ABORTED",
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
