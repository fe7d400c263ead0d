"""The rejection of a run that waits for approvals, and the reminder when half of its time is over."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from backend.common.errors import ProblemError
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.plural import pluralize
from backend.identity.accounts.models import User
from backend.operations.runs.execution.authorization import missing_approvals
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.selectors import run_get
from backend.operations.runs.services.approval import check_in_time, check_round, end_waiting
from backend.operations.runs.services.approvers import why_not_decide
from backend.operations.runs.services.decisions import publish, record


def run_reject(*, user: User, run: Run, digest: str, comment: str) -> Run:
    """End the waiting run with the comment: one rejection is enough, whatever approvals it has."""
    check_in_time(run, user.username)
    try:
        check_round(run, digest)
        if (problem := why_not_decide(user, run)) is not None:
            raise problem
    except ProblemError as problem:
        record(user.username, run, "refused_approval", comment, {"code": problem.code})
        raise
    _reject(run, user.username, comment)
    return run_get(run.id)


@retry_on_rollback
def _reject(run: Run, actor: str, comment: str) -> None:
    outcome = f"{actor} rejected the run: {comment}"
    with transaction.atomic():
        end_waiting(run, outcome)
        publish(run, actor, "reject", comment, outcome, severity="warning")


def remind_approvers() -> int:
    """Raise an event for each run half of whose time is over; returns their number. The monitor calls it."""
    now = timezone.now()
    waiting = Run.objects.filter(state=RunState.WAITING_APPROVAL.value, approval_reminded_at=None)
    due = [run for run in waiting.select_related("plan") if _is_half_over(run, now)]
    return sum(_remind(run) for run in due)


def _is_half_over(run: Run, now: datetime) -> bool:
    begins, ends = run.approval_requested_at, run.approval_expires_at
    return begins is not None and ends is not None and begins + (ends - begins) / 2 <= now < ends


def _remind(run: Run) -> bool:
    """Two monitors remind once: the update decides."""
    fresh = Run.objects.filter(pk=run.pk, state=RunState.WAITING_APPROVAL.value, approval_reminded_at=None)
    if not fresh.update(approval_reminded_at=timezone.now()):
        return False
    missing = pluralize(missing_approvals(run), "approval")
    until = f"{run.approval_expires_at:%H:%M} UTC"
    events.raised(
        link_id=run.link_id,
        run_id=run.id,
        kind="run.approval_reminder",
        severity="warning",
        message=f"Still {missing} missing, until {until}: {run.plan.body['summary']}",
        actor=run.resumed_by or run.requested_by,
    )
    return True
