"""A second person's yes to a run, the exception made without one, its review, and runs nobody approved in time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.accounts.persons import are_one_person, is_unknown
from backend.accounts.second_person import unknown_shell_user, why_not_second_person, why_own_account
from backend.common.errors import ProblemError, conflict, forbidden, invalid
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.runs.execution.authorization import approval_mac
from backend.runs.execution.requester_permission import requester_may_run
from backend.runs.models import Approval, Run, RunState
from backend.runs.planning.stored_plan import is_current_version
from backend.runs.selectors import run_get
from backend.runs.services.decisions import move, publish, record, release
from backend.runs.services.dispatch import dispatch_run
from backend.runs.services.start import check_facts

_WAITING = (RunState.WAITING_APPROVAL.value,)


def run_approve(*, user: User, run: Run, digest: str, comment: str, at_shell_of: str = "") -> Run:
    """A second person's yes to exactly the plan he read; sends the run to the workers.

    The servers are compared with the plan once more, so that an approval may come later than a plan lives.
    `at_shell_of` is who runs the shell where the approver gave his password or token there.
    """
    if _is_late(run):
        _end_unapproved(run, user.username)
        raise ProblemError(410, "approval_expired", _LATE)
    try:
        _check_round(run, digest)
        own = forbidden("own_run", "Somebody else must approve: requester and approver differ.")
        since = run.approval_requested_at or run.created_at
        _check_person(user, (run.requested_by, run.resumed_by), own=own, since=since)
        if run.started_at is None:
            check_facts(run.plan)
    except ProblemError as problem:
        record(user.username, run, "refused_approval", comment, {"code": problem.code})
        raise
    said_by = f"{user.username} ({at_shell_of})" if at_shell_of else user.username
    return _store(run, Approval(approver=user.username), comment, said_by)


def run_except(*, actor: str, run: Run, digest: str, comment: str) -> Run:
    """Let the run begin without a second person: loud, for some minutes, and to be reviewed by somebody else later."""
    _check_round(run, digest)
    if run.started_at is None:
        check_facts(run.plan)
    until = timezone.now() + timedelta(seconds=settings.HAWSER_EXCEPTION_S)
    done = _store(run, Approval(approver=actor, is_exception=True, expires_at=until), comment, actor)
    events.raised(
        link_id=run.link_id,
        run_id=run.id,
        kind="run.approval_exception",
        severity="blocker",
        message=f"{actor} let run {run.id} begin WITHOUT a second person: {comment} Somebody else must review it.",
        actor=actor,
    )
    return done


@transaction.atomic
def exception_review(*, user: User, run: Run, comment: str) -> Run:
    """Somebody else looked at an exception afterwards, and says what he found."""
    approval = Approval.objects.select_for_update().filter(run=run, is_exception=True, reviewed_at=None).first()
    if approval is None:
        raise conflict("nothing_to_review", "This run has no exception that waits for a review.")
    asked_by = (approval.approver, run.requested_by, run.resumed_by)
    own = "Somebody else must review it: you asked for the run or made the exception."
    _check_person(user, asked_by, own=forbidden("own_exception", own), since=timezone.now())
    approval.reviewed_by, approval.reviewed_at, approval.review_comment = user.username, timezone.now(), comment
    approval.save(update_fields=["reviewed_by", "reviewed_at", "review_comment"])
    Run.objects.filter(pk=run.pk).update(version=run.version + 1)
    publish(run, user.username, "review_exception", comment)
    return run_get(run.id)


def end_unapproved() -> int:
    """End runs whose time for an approval is over; how many. The monitor calls it every few seconds."""
    late = Run.objects.filter(state__in=_WAITING, approval_expires_at__lte=timezone.now())
    for run in late:
        _end_unapproved(run, "")
    return len(late)


_LATE = "Nobody approved it in time; nothing was sent. Make a new plan."


def _is_late(run: Run) -> bool:
    expires = run.approval_expires_at
    return run.state == RunState.WAITING_APPROVAL and expires is not None and expires <= timezone.now()


def _check_round(run: Run, digest: str) -> None:
    if run.state != RunState.WAITING_APPROVAL:
        raise conflict("not_waiting", f"The run does not wait for approval: {run.state}.")
    if digest != run.plan.digest:
        message = "Send the digest of the plan you read; this one differs."
        raise invalid("digest", message, code="wrong_digest", status=422)
    if not is_current_version(run.plan):
        raise conflict("plan_version_mismatch", "The console was upgraded since this plan was made; abort this run.")
    if not requester_may_run(run):
        raise conflict("requester_not_permitted", f"{run.requested_by} may no longer run plans; abort this run.")


def _check_person(user: User, askers: Sequence[str], *, own: ProblemError, since: datetime) -> None:
    """Raise where the user is, may be or holds the account of one of those who asked, or does not count since then."""
    named = [asker for asker in askers if asker]
    if any(are_one_person(user.username, asker) for asker in named):
        raise own
    for asker in named:
        if is_unknown(asker):
            raise unknown_shell_user(asker)
        if (problem := why_own_account(user, asker)) is not None:
            raise problem
    if (problem := why_not_second_person(user, since=since)) is not None:
        raise problem


@retry_on_rollback
def _store(run: Run, approval: Approval, comment: str, actor: str) -> Run:
    with transaction.atomic():
        move(run, _WAITING, state=RunState.QUEUED.value, dispatched_at=timezone.now())
        run.refresh_from_db()
        approval.run, approval.round, approval.digest = run, run.approval_round, run.plan.digest
        approval.comment, approval.at = comment, timezone.now()
        approval.mac = approval_mac(approval)
        approval.save(force_insert=True)
        release(run)
        publish(run, actor, "approve_exception" if approval.is_exception else "approve", comment)
        transaction.on_commit(lambda: dispatch_run(run.id), robust=True)
    return run_get(run.id)


@retry_on_rollback
def _end_unapproved(run: Run, actor: str) -> None:
    """A run that has not begun ends; one that was to be resumed stays with the operator."""
    if run.started_at is None:
        changes = {"state": RunState.ABORTED.value, "unfinished_link": None, "ended_at": timezone.now()}
        changes["outcome"] = _LATE
    else:
        changes = {"state": RunState.NEEDS_OPERATOR.value}
    with transaction.atomic():
        move(run, _WAITING, **changes)
        publish(run, actor or "console", "expire", "")
