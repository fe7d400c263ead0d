"""What became of an item, read from its plan and the run of that plan."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet

from backend.core.incidents.sequence import Progress
from backend.operations.incidents.models import IncidentItem, IncidentState
from backend.operations.runs.models import Plan, PlanState, Run, RunState
from backend.operations.runs.selectors import plan_state


class ItemState(StrEnum):
    """State of an item as it is shown."""

    LEFT_OUT = "left_out"
    NO_OPERATION = "no_operation"
    PLANNING = "planning"
    NOT_PLANNED = "not_planned"
    REFUSED = "refused"
    READY = "ready"
    NEEDS_PLAN = "needs_plan"
    WAITING = "waiting"
    WAITING_APPROVAL = "waiting_approval"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ABORTED = "aborted"
    NEEDS_OPERATOR = "needs_operator"
    UNKNOWN = "unknown"


_OF_RUN: Final[Mapping[str, ItemState]] = {
    RunState.WAITING_APPROVAL: ItemState.WAITING_APPROVAL,
    RunState.QUEUED: ItemState.RUNNING,
    RunState.RUNNING: ItemState.RUNNING,
    RunState.SUCCEEDED: ItemState.SUCCEEDED,
    RunState.FAILED: ItemState.FAILED,
    RunState.ABORTED: ItemState.ABORTED,
    RunState.NEEDS_OPERATOR: ItemState.NEEDS_OPERATOR,
}
_PROGRESS: Final[Mapping[ItemState, Progress]] = {
    ItemState.WAITING: Progress.WAITING,
    ItemState.WAITING_APPROVAL: Progress.STARTED,
    ItemState.RUNNING: Progress.STARTED,
    ItemState.SUCCEEDED: Progress.SUCCEEDED,
    ItemState.FAILED: Progress.FAILED,
    ItemState.ABORTED: Progress.FAILED,
    ItemState.NEEDS_OPERATOR: Progress.NEEDS_OPERATOR,
    ItemState.NEEDS_PLAN: Progress.NOT_STARTED,
}
UNFINISHED: Final = (ItemState.WAITING_APPROVAL, ItemState.RUNNING)


def items_of(incident_id: str) -> QuerySet[IncidentItem]:
    """The items of an incident in their order, with their plans and runs."""
    rows = IncidentItem.objects.select_related("incident", "link", "plan", "plan__link", "plan__run")
    return rows.filter(incident_id=incident_id)


def brief_items_of(incident_id: str) -> QuerySet[IncidentItem]:
    """The same without the large columns, for what only needs the states."""
    return items_of(incident_id).defer("plan__body", "plan__run__facts", "plan__run__verification")


def run_of(plan: Plan | None) -> Run | None:
    """The run of a plan; None where it was not started."""
    if plan is None:
        return None
    try:
        return plan.run
    except ObjectDoesNotExist:
        return None


def state_of(item: IncidentItem, now: datetime) -> ItemState:
    """The state of an item. What became of a used plan without a run is unknown, and no success."""
    run = run_of(item.plan)
    if run is not None:
        return _OF_RUN.get(run.state, ItemState.UNKNOWN)
    if item.is_left_out:
        return ItemState.LEFT_OUT
    if not item.kind:
        return ItemState.NO_OPERATION
    if item.planning:
        return ItemState.PLANNING
    if item.plan is None:
        return ItemState.NOT_PLANNED
    return _of_plan(item, plan_state(item.plan, now))


def _of_plan(item: IncidentItem, state: PlanState) -> ItemState:
    if state == PlanState.REFUSED:
        return ItemState.REFUSED
    if state == PlanState.USED:
        return ItemState.UNKNOWN
    if item.problem_code or state == PlanState.EXPIRED:
        return ItemState.NEEDS_PLAN
    is_in_turn = item.is_confirmed and item.incident.state == IncidentState.RUNNING
    return ItemState.WAITING if is_in_turn else ItemState.READY


def progress_of(item: IncidentItem, now: datetime) -> Progress:
    """The progress of a confirmed item, as the sequence counts it."""
    return _PROGRESS.get(state_of(item, now), Progress.UNKNOWN)
