"""Decisions of users on a run: abort and resume. Each is one compare-and-set."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import conflict
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.approvals import ApprovalRule
from backend.operations.approval_rules.selectors import rule_over
from backend.operations.runs import states
from backend.operations.runs.asked_links import asked_links
from backend.operations.runs.execution.authorization import approval_in_force, authorization_of, people_behind
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.selectors import run_get
from backend.operations.runs.services.dispatch import dispatch_run
from backend.operations.runs.services.start import announce_waiting, approval_expiry, facts_behind


@retry_on_rollback
def run_abort(*, actor: str, run: Run, comment: str) -> Run:
    """End a run that has not started, or request the abort of one that has; refused after the point of no return.

    One statement decides which of the three it is.
    """
    with transaction.atomic():
        if _abort_unstarted(run, actor) or _ask_abort(run, actor):
            publish(run, actor, "abort", comment)
            wake = Run.objects.filter(pk=run.pk, state=RunState.QUEUED.value).exists()
            if wake:
                transaction.on_commit(lambda: dispatch_run(run.id), robust=True)
            return run_get(run.id)
    run.refresh_from_db()
    record(actor, run, "refused_abort", comment, {"state": run.state})
    raise conflict("abort_refused", states.abort_effect(run), next_action=run.next_action)


@retry_on_rollback
def run_withdraw(*, actor: str, run: Run, comment: str) -> bool:
    """End a run of which nothing was sent yet; one that has started is left alone. Whether it was ended."""
    with transaction.atomic():
        if not _abort_unstarted(run, actor):
            return False
        publish(run, actor, "abort", comment)
    return True


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
    stopped = open_.filter(state__in=states.STOPPED, started_at__isnull=False)
    return bool(stopped.update(**asked, state=RunState.QUEUED.value, **_released_to_undo(run)))


def _released_to_undo(run: Run) -> dict[str, Any]:
    """What lets a worker claim a stopped run in order to revert it. Reverting needs no approval."""
    run.needs_approval = False
    return {"needs_approval": False, "authorization": authorization_of(run, epoch=run.epoch)}


@retry_on_rollback
def run_resume(*, actor: str, run: Run, comment: str, token_id: str = "") -> Run:
    """Resume a run that stopped for an operator: the worker observes first, then decides.

    If one of the links needs a second person and the last approval is too old, or its approver may not approve any
    more, the run waits for another approval. `token_id`: the token with which it is resumed.
    """
    stopped = (RunState.NEEDS_OPERATOR.value,)
    asker = {"resumed_by": actor, "token_id": token_id}
    with transaction.atomic():
        run = Run.objects.select_for_update().select_related("plan", "link").get(pk=run.pk)
        rule = _rule_of(run)
        if rule is not None and _is_approval_old(run):
            now = timezone.now()
            asked = {"approval_requested_at": now, "approval_expires_at": approval_expiry(now)}
            round_ = {"needs_approval": True, "approval_round": F("approval_round") + 1, "authorization": ""}
            round_ |= {"approval_reminded_at": None, "approval_rule": rule.to_json()}
            round_ |= {"facts": run.facts | facts_behind([actor], people_behind(run))}
            move(run, stopped, state=RunState.WAITING_APPROVAL.value, **asker, **asked, **round_)
            publish(run, actor, "resume", comment)
            announce_waiting(run, actor, f"resume {run.plan.body['summary']}")
        else:
            move(run, stopped, state=RunState.QUEUED.value, dispatched_at=timezone.now(), **asker)
            release(run)
            publish(run, actor, "resume", comment)
            transaction.on_commit(lambda: dispatch_run(run.id), robust=True)
    return run_get(run.id)


def _rule_of(run: Run) -> ApprovalRule | None:
    """The rule of the links as it is now; where none requires approval any more, that of the run."""
    found = rule_over(asked_links(run.plan))
    return ApprovalRule.from_json(run.approval_rule) if found is None and run.needs_approval else found


def _is_approval_old(run: Run) -> bool:
    approval = approval_in_force(run)
    oldest = timezone.now() - timedelta(seconds=settings.HAWSER_APPROVAL_REUSE_S)
    return approval is None or approval.at < oldest


def release(run: Run) -> None:
    """Let a worker claim the run at its current epoch."""
    run.refresh_from_db()
    Run.objects.filter(pk=run.pk).update(authorization=authorization_of(run, epoch=run.epoch))


def move(run: Run, from_states: tuple[str, ...], **changes: Any) -> None:
    """Change the run if it is in one of these states; 409 otherwise."""
    moved = Run.objects.filter(pk=run.pk, state__in=from_states).update(version=F("version") + 1, **changes)
    if not moved:
        run.refresh_from_db()
        raise conflict(
            "wrong_state",
            f"The state of the run is {run.state}; this needs {' or '.join(from_states)}. Nothing was changed.",
        )


def publish(run: Run, actor: str, what: str, comment: str, detail: str = "", *, severity: str = "info") -> None:
    """Raise an event and write an audit record of a user's decision; the event tells `detail` as well."""
    run.refresh_from_db()
    events.run_updated(run_id=run.id, link_id=run.link_id, state=run.state, version=run.version)
    decision = f"{actor}: {what} run {run.id}"
    events.raised(
        link_id=run.link_id,
        run_id=run.id,
        kind=f"run.{what}",
        severity=severity,
        message=f"{decision}. {detail}" if detail else decision,
        actor=actor,
    )
    record(actor, run, what, comment, {"state": run.state})


def record(actor: str, run: Run, what: str, comment: str, facts: dict[str, Any]) -> None:
    """Write an audit record of a decision on the run."""
    audit.record(
        actor=actor,
        action=f"api:run:{what}",
        link_id=run.link_id,
        run_id=run.id,
        target=run.id,
        reason=comment,
        facts=facts,
    )
