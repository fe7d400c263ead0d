"""What people may decide about a run: approve, abort, resume. Each is one compare-and-set."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.runs import states
from backend.runs.execution.requester_permission import requester_may_run
from backend.runs.models import Approval, Run, RunState
from backend.runs.selectors import run_get
from backend.runs.services.dispatch import dispatch_run


@retry_on_rollback
def run_approve(*, actor: str, run: Run, comment: str) -> Run:
    """A second person's yes; sends the run to the workers."""
    try:
        _check_approval(actor, run)
    except ProblemError as problem:
        _record(actor, run, "refused_approval", comment, {"code": problem.code})
        raise
    if run.plan.expires_at <= timezone.now():
        _end_unapproved(run, actor, comment)
        raise ProblemError(410, "plan_expired", "The plan expired before it was approved; nothing was sent.")
    with transaction.atomic():
        _move(run, (RunState.WAITING_APPROVAL.value,), state=RunState.QUEUED.value, dispatched_at=timezone.now())
        Approval.objects.create(run=run, approver=actor, comment=comment, at=timezone.now())
        _publish(run, actor, "approve", comment)
        transaction.on_commit(lambda: dispatch_run(run.id), robust=True)
    return run_get(run.id)


def _check_approval(actor: str, run: Run) -> None:
    if run.state != RunState.WAITING_APPROVAL:
        raise conflict("not_waiting", f"The run does not wait for approval: {run.state}.")
    if actor == run.requested_by:
        raise ProblemError(403, "own_run", "Somebody else must approve: requester and approver differ.")
    if not requester_may_run(run):
        raise conflict("requester_not_permitted", f"{run.requested_by} may no longer run plans; abort this run.")


def _end_unapproved(run: Run, actor: str, comment: str) -> None:
    with transaction.atomic():
        _move(
            run,
            (RunState.WAITING_APPROVAL.value,),
            state=RunState.ABORTED.value,
            unfinished_link=None,
            ended_at=timezone.now(),
            outcome="The plan expired before it was approved; nothing was sent.",
        )
        _publish(run, actor, "expire", comment)


@retry_on_rollback
def run_abort(*, actor: str, run: Run, comment: str) -> Run:
    """Ends a run that has not started; asks a started one to undo itself; refuses past the point
    of no return. Whichever it is, is decided in one statement.
    """
    with transaction.atomic():
        if _abort_unstarted(run, actor) or _ask_abort(run, actor):
            _publish(run, actor, "abort", comment)
            wake = Run.objects.filter(pk=run.pk, state=RunState.QUEUED.value).exists()
            if wake:
                transaction.on_commit(lambda: dispatch_run(run.id), robust=True)
            return run_get(run.id)
    run.refresh_from_db()
    _record(actor, run, "refused_abort", comment, {"state": run.state})
    raise conflict("abort_refused", states.abort_effect(run), next_action=run.next_action)


def _abort_unstarted(run: Run, actor: str) -> bool:
    fresh = Run.objects.filter(pk=run.pk, state__in=states.NOT_STARTED, started_at=None)
    return bool(
        fresh.update(
            state=RunState.ABORTED.value,
            unfinished_link=None,
            epoch=F("epoch") + 1,
            version=F("version") + 1,
            ended_at=timezone.now(),
            outcome=f"Aborted by {actor} before anything was sent.",
        )
    )


def _ask_abort(run: Run, actor: str) -> bool:
    asked: dict[str, Any] = {
        "abort_requested_by": actor,
        "abort_requested_at": timezone.now(),
        "version": F("version") + 1,
    }
    open_ = Run.objects.filter(pk=run.pk, point_of_no_return_passed=False, abort_requested_at=None)
    if open_.filter(state__in=states.CLAIMABLE).update(**asked):
        return True
    stopped = open_.filter(state=RunState.NEEDS_OPERATOR.value)
    return bool(stopped.update(**asked, state=RunState.QUEUED.value))


@retry_on_rollback
def run_resume(*, actor: str, run: Run, comment: str) -> Run:
    """Lets a run that stopped for an operator go on: it observes first, then decides."""
    with transaction.atomic():
        _move(run, (RunState.NEEDS_OPERATOR.value,), state=RunState.QUEUED.value, dispatched_at=timezone.now())
        _publish(run, actor, "resume", comment)
        transaction.on_commit(lambda: dispatch_run(run.id), robust=True)
    return run_get(run.id)


def _move(run: Run, from_states: tuple[str, ...], **changes: Any) -> None:
    moved = Run.objects.filter(pk=run.pk, state__in=from_states).update(version=F("version") + 1, **changes)
    if not moved:
        run.refresh_from_db()
        raise conflict("wrong_state", f"The run is {run.state}; this needs {' or '.join(from_states)}.")


def _publish(run: Run, actor: str, what: str, comment: str) -> None:
    run.refresh_from_db()
    events.run_updated(run_id=run.id, link_id=run.link_id, state=run.state, version=run.version)
    events.raised(
        link_id=run.link_id,
        run_id=run.id,
        kind=f"run.{what}",
        severity="info",
        message=f"{actor}: {what} run {run.id}",
        actor=actor,
    )
    _record(actor, run, what, comment, {"state": run.state})


def _record(actor: str, run: Run, what: str, comment: str, facts: dict[str, Any]) -> None:
    audit.record(
        actor=actor,
        action=f"api:run:{what}",
        link_id=run.link_id,
        run_id=run.id,
        target=run.id,
        reason=comment,
        facts=facts,
    )
