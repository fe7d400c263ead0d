"""Observes every link that opted in, and acts: a stored plan and an event, or a normal run.

It uses the same services as an operator's request, under the name `automation`; where a
link requires approval the run waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.clusters.selectors import attended_links
from backend.common.actors import AUTOMATION
from backend.common.errors import ProblemError
from backend.common.events import services as events
from backend.common.priority import Priority
from backend.core.automation import Action, Decision, Mode, decide, required_attestations
from backend.core.plans.relocate import KIND
from backend.identity.accounts.models import token_of_request
from backend.identity.accounts.second_person import names_behind
from backend.operations.automation.models import LinkAutomation
from backend.operations.automation.observations import observe, policy_of, save_state, watch_state_of
from backend.operations.runs.models import Plan, PlanState
from backend.operations.runs.planning.stored_plan import core_plan
from backend.operations.runs.services import plan_create, run_start

log = structlog.get_logger(__name__)
RETRY = timedelta(seconds=60)
"""The delay before a new plan after one that could not be used: creating one reads every server."""
MakePlan = Callable[..., Plan]


def tick(make_plan: MakePlan = plan_create) -> None:
    """Observe each link that opted in and is not in maintenance once; called by the monitor.

    An error of one link does not affect the others.
    """
    attended = attended_links(timezone.now())
    for row in LinkAutomation.objects.exclude(mode=Mode.OFF.value).filter(link__in=attended).select_related("link"):
        try:
            evaluate_link(row, timezone.now(), make_plan)
        except Exception:
            log.exception("automation.look_failed", link=row.link.name)


def evaluate_link(row: LinkAutomation, now: datetime, make_plan: MakePlan = plan_create) -> Decision:
    """Observe the link, decide, store the result, and act."""
    decision = decide(policy_of(row), watch_state_of(row), observe(row.link, now.timestamp()))
    save_state(row, decision.memory, decision.reason)
    if decision.act is not Action.NOTHING and _claim(row, now):
        _act(row, decision, now, make_plan)
    return decision


def _claim(row: LinkAutomation, now: datetime) -> bool:
    """Start the pause before acting: only one of two monitors acts, and one that fails counts as having acted."""
    same = LinkAutomation.objects.filter(pk=row.pk, acted_at=row.acted_at, mode=row.mode)
    return bool(same.update(acted_at=now))


def _act(row: LinkAutomation, decision: Decision, now: datetime, make_plan: MakePlan) -> None:
    try:
        plan = make_plan(actor=AUTOMATION, link=row.link, kind=KIND, reason=f"Automatic: {decision.reason}", options={})
    except Exception as error:
        _refuse(row, now, f"no plan could be created: {error}")
        raise
    held = why_held(plan)
    if held:
        _refuse(row, now, held, plan)
    elif decision.act is Action.PROPOSE:
        _propose(row, decision, now, plan)
    else:
        _execute(row, decision, now, plan)


def why_held(plan: Plan) -> str:
    """Why a plan is not run automatically; empty where it is ready and requires no attestation."""
    found = core_plan(plan).findings
    if plan.state != PlanState.READY:
        return next((f.message for f in found if f.refuses), "there is nothing to do.")
    return required_attestations(found)


def _refuse(row: LinkAutomation, now: datetime, why: str, plan: Plan | None = None) -> None:
    """Record a plan that was not run: nothing was sent, so no pause starts. Each reason raises one event."""
    is_news = (row.last_outcome, row.last_reason) != ("refused", why)
    LinkAutomation.objects.filter(pk=row.pk).update(acted_at=row.acted_at, retry_at=now + RETRY)
    _remember(row, now, "refused", why, plan_id=plan.id if plan else "")
    if is_news:
        _raise_event(row, "held", "warning", f"Automatic relocate is not possible: {why}")
        _record(row, "held", why, plan_id=plan.id if plan else "")


def _propose(row: LinkAutomation, decision: Decision, now: datetime, plan: Plan) -> None:
    with transaction.atomic():
        _remember(row, now, "proposed", decision.reason, plan_id=plan.id)
        message = f"{decision.reason} Plan {plan.id} is ready: {plan.body['summary']}."
        _raise_event(row, "proposed", "warning", message)
        _record(row, "propose", decision.reason, plan_id=plan.id)


def _execute(row: LinkAutomation, decision: Decision, now: datetime, plan: Plan) -> None:
    try:
        run = run_start(
            actor=AUTOMATION,
            plan=plan,
            digest=plan.digest,
            confirm=row.link.name,
            reason=f"Automatic: {decision.reason}",
            priority=Priority.AUTOMATIC,
            token_id=row.token_id,
            behind=(row.set_by, row.acknowledged_by, *(row.people_behind or ())),
        )
    except ProblemError as problem:
        _refuse(row, now, problem.detail, plan)
        return
    _remember(row, now, "started", decision.reason, plan_id=plan.id, run_id=run.id)
    _raise_event(row, "started", "warning", f"{decision.reason} Relocating automatically.", run_id=run.id)
    _record(row, "execute", decision.reason, plan_id=plan.id, run_id=run.id)


def _remember(row: LinkAutomation, now: datetime, outcome: str, reason: str, *, plan_id: str, run_id: str = "") -> None:
    LinkAutomation.objects.filter(pk=row.pk).update(
        last_at=now, last_outcome=outcome, last_reason=reason, last_plan_id=plan_id, last_run_id=run_id
    )


def _raise_event(row: LinkAutomation, what: str, severity: str, message: str, *, run_id: str = "") -> None:
    events.raised(
        link_id=row.pk,
        run_id=run_id,
        kind=f"automation.{what}",
        severity=severity,
        message=message,
        actor=AUTOMATION,
    )


def _record(row: LinkAutomation, what: str, reason: str, *, plan_id: str, run_id: str = "") -> None:
    audit.record(
        actor=AUTOMATION,
        action=f"monitor:automation:{what}",
        link_id=row.pk,
        run_id=run_id,
        target=plan_id,
        reason=reason,
        facts={"mode": row.mode, "loss_for_s": row.loss_for_s, "block_s": row.block_s},
    )


@transaction.atomic
def automation_set(*, actor: str, link: Link, mode: str, loss_for_s: int, block_s: int) -> LinkAutomation:
    """Set what the link allows; the watch state is reset, a pause remains."""
    wanted: dict[str, Any] = {"mode": mode, "loss_for_s": loss_for_s, "block_s": block_s}
    fresh: dict[str, Any] = {"set_by": actor, "watch_state": {}, "reason": "", "retry_at": None}
    fresh |= {"people_behind": names_behind([actor]), "token_id": token_of_request()}
    row, _ = LinkAutomation.objects.update_or_create(link=link, defaults=wanted | fresh)
    audit.record(actor=actor, action="api:automation:set", link_id=link.id, target=link.id, facts=wanted)
    return row


@transaction.atomic
def automation_acknowledge(*, actor: str, link: Link, comment: str) -> None:
    """Record that an operator acknowledged the last action: the next one is allowed before the pause is over."""
    row = LinkAutomation.objects.filter(pk=link.pk).first()
    behind = sorted({*names_behind([actor]), *((row and row.people_behind) or ())})
    LinkAutomation.objects.filter(pk=link.pk).update(
        acknowledged_at=timezone.now(), acknowledged_by=actor, people_behind=behind, retry_at=None
    )
    audit.record(actor=actor, action="api:automation:acknowledge", link_id=link.id, target=link.id, reason=comment)
