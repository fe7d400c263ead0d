"""Which states of a run allow what; services, store and selectors all use this one table."""

from __future__ import annotations

from typing import Final

from backend.operations.runs.models import RESTORED_AT_EPOCH, Run, RunState

FINAL: Final = tuple(state.value for state in RunState if state.is_final)
CLAIMABLE: Final = (RunState.QUEUED.value, RunState.RUNNING.value)
NOT_STARTED: Final = (RunState.WAITING_APPROVAL.value, RunState.QUEUED.value)
STOPPED: Final = (RunState.NEEDS_OPERATOR.value, RunState.WAITING_APPROVAL.value)
"""States in which a started run waits for a user."""
ABORTABLE: Final = (*NOT_STARTED, RunState.RUNNING.value, RunState.NEEDS_OPERATOR.value)

SENTENCES: Final = {
    RunState.WAITING_APPROVAL: "Waiting for the approval of a second person.",
    RunState.QUEUED: "Waiting for a worker.",
    RunState.RUNNING: "Running.",
    RunState.SUCCEEDED: "Succeeded.",
    RunState.FAILED: "Failed.",
    RunState.ABORTED: "Aborted.",
    RunState.NEEDS_OPERATOR: "Stopped; needs a decision.",
}


def may_be_superseded(run: Run) -> bool:
    """Whether a new plan may take the place of an unfinished run.

    Not of one that a restore stopped: it may have gone on after the backup, and no worker has observed it since.
    """
    return run.state == RunState.NEEDS_OPERATOR and run.facts.get(RESTORED_AT_EPOCH) != run.epoch


def can_abort(run: Run) -> bool:
    """Whether an abort would be granted now."""
    return run.state in ABORTABLE and not run.point_of_no_return_passed and run.abort_requested_at is None


def abort_effect(run: Run) -> str:
    """What an abort would do now, or why it is refused."""
    if run.state in FINAL:
        return "The run has ended."
    if run.abort_requested_at is not None:
        return f"{run.abort_requested_by} requested an abort; completed steps are being reverted."
    if run.point_of_no_return_passed:
        return (
            "The point of no return has been passed; the previous channels cannot be restored. Let "
            "the run finish, resume it if it stopped, or create a new plan."
        )
    if run.started_at is None:
        return "Nothing has been sent yet. The run ends and changes nothing."
    return "Reverts the completed steps and restores the previous channels with all their options."
