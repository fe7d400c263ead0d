"""Starts runs: the confirmed plan is run once, and as the only unfinished run of its link."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.events import services as events
from backend.common.priority import Priority
from backend.common.request_context import current
from backend.common.transaction_retry import retry_on_rollback
from backend.core.approvals import ApprovalRule
from backend.core.plural import pluralize
from backend.identity.accounts.second_person import names_behind
from backend.monitoring import link_roles
from backend.operations.approval_rules.selectors import rule_over
from backend.operations.runs import states
from backend.operations.runs.asked_links import asked_links
from backend.operations.runs.execution.authorization import authorization_of, missing_approvals
from backend.operations.runs.models import PEOPLE_BEHIND, SUPERSEDED_BY, Plan, PlanState, Run, RunState, RunStep
from backend.operations.runs.planning.planner import fact_changes
from backend.operations.runs.planning.registration_changes import registration_changed, registration_changes
from backend.operations.runs.planning.stored_plan import is_current_version
from backend.operations.runs.selectors import plan_state
from backend.operations.runs.services.calendar import CalendarDecision, calendar_to_override, override_calendar_of
from backend.operations.runs.services.dispatch import dispatch_run, with_priority


def run_start(
    *,
    actor: str,
    plan: Plan,
    digest: str,
    confirm: str,
    reason: str,
    idempotency_key: str = "",
    is_approved: bool = False,
    override_calendar: str = "",
    token_id: str = "",
    guard: Callable[[], None] | None = None,
    priority: Priority = Priority.OPERATORS,
    behind: Collection[str] = (),
) -> Run:
    """A queued run, or one that waits for approval; raises with 409, 410 or 422 otherwise.

    `is_approved`: a second person approved it as part of another run, so that it waits for no approval.
    `override_calendar`: why a permitted person lets it start in spite of the change calendar.
    `token_id`: the token with which it is requested; the run needs it until a worker begins.
    `guard` is called in the transaction that creates the run; if it raises, no run is created.
    `behind`: who set what starts it without a person, and who was behind them then; none of them can approve it.
    `priority`: the place of the run among what waits for a worker.
    """
    earlier = _earlier(actor, plan, idempotency_key)
    if earlier is not None:
        return earlier
    try:
        check_confirmed(plan, digest, confirm)
        check_facts(plan)
        overridden = calendar_to_override(plan, override_calendar)
        rule = None if is_approved else rule_over(asked_links(plan))
        facts = overridden.facts(actor) | with_priority(priority) | facts_behind([actor, *behind], behind)
        run = _create(actor, plan, reason, idempotency_key, guard, overridden, facts, token_id, rule)
    except ProblemError as problem:
        _record_refusal(actor, plan, reason, problem)
        raise
    return run


def _earlier(actor: str, plan: Plan, key: str) -> Run | None:
    """The run that an interrupted first call with this key created."""
    if not key:
        return None
    return Run.objects.filter(plan=plan, requested_by=actor, idempotency_key=key).first()


def check_confirmed(plan: Plan, digest: str, confirm: str) -> None:
    """Raise unless a run of exactly this plan could be created now; the servers are not compared yet."""
    state = plan_state(plan, timezone.now())
    if state == PlanState.EXPIRED:
        raise ProblemError(410, "plan_expired", "This plan has expired. Nothing was sent. Create a new plan.")
    if state == PlanState.REFUSED:
        raise conflict(
            "plan_refused",
            "This plan was refused; its findings give the reasons. Nothing "
            "was sent. Resolve them and create a new plan.",
        )
    if not is_current_version(plan):
        raise conflict(
            "plan_version_mismatch",
            "Hawser was upgraded after this plan was created. Nothing was sent. Create a new plan.",
        )
    if digest != plan.digest:
        message = "The digest does not match this plan. Nothing was sent. Send the digest of the plan you reviewed."
        raise invalid("digest", message, code="wrong_digest", status=422)
    if confirm != plan.link.name:
        message = f"The confirmation does not match. Nothing was sent. Type the link's name exactly: {plan.link.name}"
        raise invalid("confirm", message, code="wrong_confirmation", status=422)
    check_registration(plan)
    _check_unfinished(plan)
    if state == PlanState.USED:
        raise conflict("plan_used", "This plan has already been run. Create a new plan.", run_id=plan.run.id)


def check_registration(plan: Plan) -> None:
    """Raise 409 `registration_changed` if the link, one of its clusters or a webhook is not as the plan found it."""
    if changes := registration_changes(plan):
        raise conflict("registration_changed", registration_changed(changes), changes=changes)


def _check_unfinished(plan: Plan) -> None:
    holder = Run.objects.filter(unfinished_link=plan.link_id).first()
    if holder is not None and holder.state != RunState.NEEDS_OPERATOR:
        raise _unfinished(holder)


def _unfinished(holder: Run) -> ProblemError:
    state = "is unfinished"
    if holder.state == RunState.WAITING_APPROVAL:
        needed = ApprovalRule.from_json(holder.approval_rule).needed
        given = needed - missing_approvals(holder)
        state = f"has {given} of {pluralize(needed, 'approval')} and starts with the last one"
    detail = (
        f"Run {holder.id} ({holder.kind}, by {holder.requested_by}) of this link {state}. "
        "Nothing was sent. Wait for it, or abort it."
    )
    return conflict("run_unfinished", detail, run_id=holder.id)


def check_facts(plan: Plan) -> None:
    """Raise 409 `facts_changed` if the servers are not as the plan found them."""
    changes = list(fact_changes(plan))
    if changes:
        names = ", ".join(str(change["fact"]) for change in changes)
        detail = f"Changed since the plan was created: {names}. Nothing was sent. Create a new plan."
        raise conflict("facts_changed", detail, changes=changes)


@retry_on_rollback
def _create(
    actor: str,
    plan: Plan,
    reason: str,
    key: str,
    guard: Callable[[], None] | None,
    overridden: CalendarDecision,
    facts: dict[str, Any],
    token_id: str,
    rule: ApprovalRule | None,
) -> Run:
    try:
        with transaction.atomic():
            link_roles.lock_link(plan.link_id)  # a change of the registration locks it as well
            check_registration(plan)
            if guard is not None:
                guard()
            _take_plan(plan)
            _supersede(plan, actor)
            run = _insert(actor, plan, reason, key, facts, token_id, rule)
            override_calendar_of(run, overridden)
            transaction.on_commit(lambda: _dispatch(run), robust=True)
    except IntegrityError as error:
        holder = Run.objects.filter(unfinished_link=plan.link_id).first()
        if holder is None:
            raise
        raise _unfinished(holder) from error
    return run


def _dispatch(run: Run) -> None:
    if run.state == RunState.QUEUED:
        dispatch_run(run.id)


def _take_plan(plan: Plan) -> None:
    """Exactly one caller turns the plan from ready to used."""
    ready = Plan.objects.filter(pk=plan.pk, state=PlanState.READY.value, expires_at__gt=timezone.now())
    if ready.update(state=PlanState.USED.value):
        return
    holder = Run.objects.filter(unfinished_link=plan.link_id).first()
    if holder is not None:
        raise _unfinished(holder)
    raise conflict("plan_used", "This plan has already been run. Create a new plan.")


def _supersede(plan: Plan, actor: str) -> None:
    """End a run that stopped for an operator, because the operator decided for a new plan."""
    stopped = Run.objects.filter(unfinished_link=plan.link_id, state=RunState.NEEDS_OPERATOR.value)
    for run in filter(states.may_be_superseded, stopped):
        Run.objects.filter(pk=run.pk, state=RunState.NEEDS_OPERATOR.value).update(
            state=RunState.FAILED.value,
            unfinished_link=None,
            epoch=F("epoch") + 1,
            version=F("version") + 1,
            ended_at=timezone.now(),
            facts={**run.facts, SUPERSEDED_BY: plan.id},
            outcome=f"{run.outcome} Superseded by a new plan ({plan.id}) of {actor}.".strip(),
        )
        run.refresh_from_db()
        events.run_updated(run_id=run.id, link_id=run.link_id, state=run.state, version=run.version)


def _insert(
    actor: str,
    plan: Plan,
    reason: str,
    key: str,
    facts: dict[str, Any],
    token_id: str,
    rule: ApprovalRule | None,
) -> Run:
    waits = rule is not None
    state = RunState.WAITING_APPROVAL if waits else RunState.QUEUED
    now = timezone.now()
    run = Run.objects.create(
        plan=plan,
        link=plan.link,
        unfinished_link=plan.link_id,
        kind=plan.kind,
        state=state.value,
        reason=reason,
        requested_by=actor,
        token_id=token_id,
        request_id=current.get().request_id,
        idempotency_key=key,
        created_at=now,
        dispatched_at=None if waits else now,
        facts=facts,
        needs_approval=waits,
        approval_requested_at=now if waits else None,
        approval_expires_at=approval_expiry(now) if waits else None,
        approval_rule=None if rule is None else rule.to_json(),
    )
    if not waits:
        run.authorization = authorization_of(run, epoch=run.epoch)
        run.save(update_fields=["authorization"])
    RunStep.objects.bulk_create(_steps(run, plan.body["steps"]))
    events.run_updated(run_id=run.id, link_id=run.link_id, state=run.state, version=run.version)
    message = f"{actor} started: {plan.body['summary']}"
    if waits:
        announce_waiting(run, actor, plan.body["summary"])
    else:
        events.raised(
            link_id=run.link_id, run_id=run.id, kind="run.started", severity="info", message=message, actor=actor
        )
    audit.record(
        actor=actor,
        action="api:run:start",
        link_id=run.link_id,
        run_id=run.id,
        target=plan.id,
        reason=reason,
        facts={"kind": plan.kind, "digest": plan.digest, "state": run.state},
    )
    return run


def facts_behind(askers: Iterable[str], known: Iterable[str] = ()) -> dict[str, Any]:
    """Who is behind these askers now, beside those known."""
    found = {*known, *names_behind(askers)} - {""}
    return {PEOPLE_BEHIND: sorted(found)} if found else {}


def approval_expiry(now: datetime) -> datetime:
    """Until when a run that starts to wait at `now` can be approved."""
    return now + timedelta(seconds=settings.HAWSER_APPROVAL_WAIT_S)


def announce_waiting(run: Run, actor: str, summary: str) -> None:
    """Raise the event that a second person is needed: a warning, which webhooks deliver."""
    until = f"{run.approval_expires_at:%H:%M} UTC" if run.approval_expires_at else "it is aborted"
    needed = ApprovalRule.from_json(run.approval_rule).needed
    persons = "A second person" if needed == 1 else f"{needed} other persons"
    message = f"{persons} must approve until {until}. {actor} requests: {summary}"
    events.raised(
        link_id=run.link_id,
        run_id=run.id,
        kind="run.waiting_approval",
        severity="warning",
        message=message,
        actor=actor,
    )


def _steps(run: Run, steps: list[dict[str, Any]]) -> list[RunStep]:
    return [
        RunStep(
            run=run,
            index=step["index"],
            code=step["code"],
            title=step["title"][:200],
            node=step["node"] or "",
            point_of_no_return=step["point_of_no_return"],
        )
        for step in steps
    ]


def _record_refusal(actor: str, plan: Plan, reason: str, problem: ProblemError) -> None:
    audit.record(
        actor=actor,
        action="api:run:refused",
        link_id=plan.link_id,
        target=plan.id,
        reason=reason,
        facts={"code": problem.code, "detail": problem.detail},
    )
