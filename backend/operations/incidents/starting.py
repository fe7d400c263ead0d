"""Starts one item by the service that starts any run, and passes the approval of all on to its run.

A worker that is killed here leaves an item that either has its run or can be started again.
"""

from __future__ import annotations

from functools import partial

import structlog
from django.db import transaction
from django.db.models import F

from backend.common.errors import ProblemError, conflict
from backend.common.priority import Priority
from backend.common.roles import Permission
from backend.common.transaction_retry import retry_on_rollback
from backend.operations.incidents.confirmed import approval_in_force, is_genuine, plan_of
from backend.operations.incidents.items import items_of, run_of
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.incidents.sequence import decision_of, notify
from backend.operations.runs.execution.authorization import requester_lost
from backend.operations.runs.held_permissions import refusing_user, user_who_may
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.selectors import run_get
from backend.operations.runs.services import has_approved, run_approve, run_start

log = structlog.get_logger(__name__)


class NotDueError(Exception):
    """The item is not to be started now: the incident was stopped, or others come first."""


def start_item(item_id: int) -> None:
    """Start the item if its turn has come, and approve its run if the incident was approved."""
    item = _item(item_id)
    if item is None or item.incident.state != IncidentState.RUNNING or not item.is_confirmed or item.problem_code:
        return
    run = run_of(item.plan)
    try:
        run = run or _start(item)
        _approve(item, run)
        IncidentItem.objects.filter(pk=item.pk).update(dispatched_until=None)
    except NotDueError:
        log.info("incident.not_due", incident_id=item.incident_id, link_id=item.link_id)
    except ProblemError as problem:
        _store(item, problem, has_run=run is not None)


def _item(item_id: int) -> IncidentItem | None:
    found = IncidentItem.objects.filter(pk=item_id).values_list("incident_id", flat=True).first()
    return None if found is None else items_of(found).filter(pk=item_id).first()


def _start(item: IncidentItem) -> Run:
    incident, plan = item.incident, plan_of(item)
    token_id = incident.token_id
    if (link := refusing_user(incident.confirmed_by, Permission.RUN, plan, token_id=token_id)) is not None:
        raise conflict("requester_not_permitted", f"{requester_lost(incident.confirmed_by, link)} Nothing was sent.")
    return run_start(
        actor=incident.confirmed_by,
        plan=plan,
        digest=plan.digest,
        confirm=item.link.name,
        reason=f"{incident.reason} (incident {incident.name})",
        token_id=incident.token_id,
        guard=partial(_check_due, item),
        priority=Priority.AUTOMATIC,
        behind=incident.people_behind or (),
    )


def _check_due(item: IncidentItem) -> None:
    """Decide again in the transaction that creates the run, with the incident's row locked."""
    incident = Incident.objects.select_for_update().get(pk=item.incident_id)
    if str(item.pk) not in decision_of(incident).start:
        raise NotDueError(item.pk)
    if not is_genuine(incident):
        raise conflict(
            "incident_altered",
            "What was confirmed of this incident is not what is stored now. Nothing was sent. Make new plans and "
            "confirm them.",
        )


def _approve(item: IncidentItem, run: Run) -> None:
    """Approve the run as the second person who approved all; every rule of a single approval holds."""
    approval = approval_in_force(item.incident)
    if approval is None or run.state != RunState.WAITING_APPROVAL or run.started_at is not None:
        return
    if has_approved(approval.approver, run):
        return  # the link asks for more than one, and the others are still missing
    user = user_who_may(approval.approver, Permission.APPROVE, item.link_id, token_id=approval.token_id)
    if user is None:
        raise conflict(
            "approver_not_permitted",
            f"{approval.approver} is no longer permitted to approve runs, or the token of the approval has ended. "
            f"Another user must approve run {run.id}.",
        )
    comment = f"{approval.comment} (incident {item.incident.name})"
    run_approve(user=user, run=run_get(run.id), digest=plan_of(item).digest, comment=comment)


@retry_on_rollback
def _store(item: IncidentItem, problem: ProblemError, *, has_run: bool) -> None:
    """Keep the problem, unless another worker has started or approved the run meanwhile: that is what counts then."""
    with transaction.atomic():
        incident = Incident.objects.select_for_update().get(pk=item.incident_id)
        run = Run.objects.filter(plan=item.plan).first()
        if run is not None and not (has_run and run.state == RunState.WAITING_APPROVAL):
            return
        same = IncidentItem.objects.filter(pk=item.pk, plan=item.plan, is_confirmed=True)
        if same.update(problem_code=problem.code, problem=problem.detail):
            Incident.objects.filter(pk=incident.pk).update(version=F("version") + 1)
            incident.refresh_from_db()
            notify(incident)
