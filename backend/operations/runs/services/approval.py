"""The approvals of a run by other persons, the exception without them, its review, and expired approvals."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from backend.common.errors import ProblemError, conflict, forbidden, invalid
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.plural import pluralize
from backend.identity.accounts.models import User
from backend.identity.accounts.second_person import names_behind, why_behind
from backend.operations.runs.execution.authorization import (
    approval_mac,
    missing_approvals,
    people_behind,
    requester_lost,
)
from backend.operations.runs.held_permissions import refusing_requester
from backend.operations.runs.models import EXCEPTION_BEHIND, Approval, Run, RunState
from backend.operations.runs.planning.stored_plan import is_current_version
from backend.operations.runs.selectors import run_get
from backend.operations.runs.services.approvers import check_person, why_not_approve
from backend.operations.runs.services.calendar import check_calendar
from backend.operations.runs.services.decisions import move, publish, record, release
from backend.operations.runs.services.dispatch import dispatch_run
from backend.operations.runs.services.start import check_facts, check_registration

WAITING = (RunState.WAITING_APPROVAL.value,)


def run_approve(*, user: User, run: Run, digest: str, comment: str, at_shell_of: str = "") -> Run:
    """Approve exactly the plan that the user reviewed; the last approval that was missing dispatches the run.

    The servers are compared with the plan again, so an approval may come after the plan has expired.
    `at_shell_of` is the user of the shell at which the approver entered the password or token.
    """
    check_in_time(run, user.username)
    try:
        check_round(run, digest)
        if (problem := why_not_approve(user, run)) is not None:
            raise problem
        if run.started_at is None:
            _check_unchanged(run)
    except ProblemError as problem:
        record(user.username, run, "refused_approval", comment, {"code": problem.code})
        raise
    said_by = f"{user.username} ({at_shell_of})" if at_shell_of else user.username
    return _store(run, Approval(approver=user.username, token_id=user.token_id), comment, said_by, user=user)


def _check_unchanged(run: Run) -> None:
    check_registration(run.plan)
    check_facts(run.plan)
    check_calendar(run)


def run_except(*, actor: str, run: Run, digest: str, comment: str) -> Run:
    """Let the run start without a second person for some minutes; all users see it, and it must be reviewed."""
    check_round(run, digest)
    if run.started_at is None:
        _check_unchanged(run)
    until = timezone.now() + timedelta(seconds=settings.HAWSER_EXCEPTION_S)
    done = _store(run, Approval(approver=actor, is_exception=True, expires_at=until), comment, actor)
    events.raised(
        link_id=run.link_id,
        run_id=run.id,
        kind="run.approval_exception",
        severity="blocker",
        message=(f"{actor} let run {run.id} start WITHOUT a second person: {comment} Another user must review it."),
        actor=actor,
    )
    return done


@transaction.atomic
def exception_review(*, user: User, run: Run, comment: str) -> Run:
    """Record another user's review of an exception."""
    approval = Approval.objects.select_for_update().filter(run=run, is_exception=True, reviewed_at=None).first()
    if approval is None:
        raise conflict(
            "nothing_to_review", "This run has no exception that is waiting for a review. Nothing was recorded."
        )
    run = run_get(run.id)
    asked_by = (approval.approver, *run.facts.get(EXCEPTION_BEHIND, ()), run.requested_by, run.resumed_by)
    if (problem := why_behind(user, people_behind(run))) is not None:
        raise problem
    own = "You requested the run or made the exception. Another user with the approver role must review it."
    check_person(user, asked_by, own=forbidden("own_exception", own), since=timezone.now())
    approval.reviewed_by, approval.reviewed_at, approval.review_comment = user.username, timezone.now(), comment
    approval.save(update_fields=["reviewed_by", "reviewed_at", "review_comment"])
    Run.objects.filter(pk=run.pk).update(version=run.version + 1)
    publish(run, user.username, "review_exception", comment)
    return run_get(run.id)


def end_unapproved() -> int:
    """End runs whose approval time is over; returns their number. The monitor calls it every few seconds."""
    late = Run.objects.filter(state__in=WAITING, approval_expires_at__lte=timezone.now())
    for run in late:
        _end_unapproved(run, "")
    return len(late)


_LATE = "The run was not approved in time. Nothing was sent. Create a new plan."


def check_in_time(run: Run, actor: str) -> None:
    """Raise 410 and end the run if the time for its approval is over."""
    expires = run.approval_expires_at
    if run.state == RunState.WAITING_APPROVAL and expires is not None and expires <= timezone.now():
        _end_unapproved(run, actor)
        raise ProblemError(410, "approval_expired", _LATE)


def check_round(run: Run, digest: str) -> None:
    if run.state != RunState.WAITING_APPROVAL:
        raise conflict(
            "not_waiting", f"The run is not waiting for approval; its state is {run.state}. Nothing was changed."
        )
    if digest != run.plan.digest:
        message = (
            "The digest does not match this plan. The run was not approved. Send the digest of the plan you reviewed."
        )
        raise invalid("digest", message, code="wrong_digest", status=422)
    if not is_current_version(run.plan):
        raise conflict(
            "plan_version_mismatch",
            "Hawser was upgraded after this plan was created. Abort this run, then create a new plan.",
        )
    if (link := refusing_requester(run)) is not None:
        raise conflict("requester_not_permitted", f"{requester_lost(run.asked_by, link)} Abort this run.")


@retry_on_rollback
def _store(run: Run, approval: Approval, comment: str, actor: str, *, user: User | None = None) -> Run:
    with transaction.atomic():
        run = Run.objects.select_for_update().select_related("plan", "link").get(pk=run.pk)
        _check_still_waiting(run, user)
        approval.run, approval.round, approval.digest = run, run.approval_round, run.plan.digest
        approval.comment, approval.at = comment, timezone.now()
        approval.mac = approval_mac(approval)
        # One that does not count any more gives way to the new one of the same person.
        Approval.objects.filter(run=run, round=approval.round, approver=approval.approver).delete()
        approval.save(force_insert=True)
        if approval.is_exception:
            Run.objects.filter(pk=run.pk).update(facts=run.facts | {EXCEPTION_BEHIND: names_behind([actor])})
            _release(run)
            publish(run, actor, "approve_exception", comment)
        elif missing_approvals(run) == 0:
            _release(run)
            publish(run, actor, "approve", comment)
        else:
            move(run, WAITING)
            left = pluralize(missing_approvals(run), "approval")
            publish(run, actor, "approve_partly", comment, f"Still missing: {left}")
    return run_get(run.id)


def _check_still_waiting(run: Run, user: User | None) -> None:
    """Two approvals at the same moment: the second one finds what the first one stored."""
    check_round(run, run.plan.digest)
    if user is not None and (problem := why_not_approve(user, run)) is not None:
        raise problem


def _release(run: Run) -> None:
    move(run, WAITING, state=RunState.QUEUED.value, dispatched_at=timezone.now())
    release(run)
    transaction.on_commit(lambda: dispatch_run(run.id), robust=True)


@retry_on_rollback
def _end_unapproved(run: Run, actor: str) -> None:
    with transaction.atomic():
        end_waiting(run, _LATE)
        publish(run, actor or "console", "expire", "", _LATE, severity="warning")


def end_waiting(run: Run, outcome: str) -> None:
    """End a run that has not started; one that was to be resumed stays with the operator."""
    if run.started_at is None:
        changes = {"state": RunState.ABORTED.value, "unfinished_link": None, "ended_at": timezone.now()}
        changes["outcome"] = outcome
    else:
        changes = {"state": RunState.NEEDS_OPERATOR.value}
    move(run, WAITING, **changes)
