"""Which states of a run allow what; services, store and selectors all read this one table."""

from __future__ import annotations

from typing import Final

from backend.runs.models import Run, RunState

FINAL: Final = tuple(state.value for state in RunState if state.is_final)
CLAIMABLE: Final = (RunState.QUEUED.value, RunState.RUNNING.value)
NOT_STARTED: Final = (RunState.WAITING_APPROVAL.value, RunState.QUEUED.value)
STOPPED: Final = (RunState.NEEDS_OPERATOR.value, RunState.WAITING_APPROVAL.value)
"""Where a run that has begun waits for a person."""
ABORTABLE: Final = (*NOT_STARTED, RunState.RUNNING.value, RunState.NEEDS_OPERATOR.value)

SENTENCES: Final = {
    RunState.WAITING_APPROVAL: "Waits for a second person to approve it.",
    RunState.QUEUED: "Waits for a worker.",
    RunState.RUNNING: "Runs.",
    RunState.SUCCEEDED: "Succeeded.",
    RunState.FAILED: "Failed.",
    RunState.ABORTED: "Was aborted.",
    RunState.NEEDS_OPERATOR: "Stopped and needs a decision.",
}


def can_abort(run: Run) -> bool:
    """Whether an abort asked for now would be taken."""
    return run.state in ABORTABLE and not run.point_of_no_return_passed and run.abort_requested_at is None


def abort_effect(run: Run) -> str:
    """What an abort would do now, or why there is none."""
    if run.state in FINAL:
        return "The run has ended."
    if run.abort_requested_at is not None:
        return f"{run.abort_requested_by} asked to abort; steps done so far are being undone."
    if run.point_of_no_return_passed:
        return (
            "The point of no return is passed: the earlier channels cannot be restored. "
            "Let it finish, resume it if it stopped, or make a new plan."
        )
    if run.started_at is None:
        return "Nothing was sent yet; the run ends and changes nothing."
    return "Undoes the steps done so far and restores the earlier channels with all their options."
