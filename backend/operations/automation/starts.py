"""Starts channels that stopped without an error, on links that opted in, by the services of an operator's request."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.clusters.selectors import attended_links
from backend.common.actors import AUTOMATION
from backend.common.errors import ProblemError
from backend.common.events import services as events
from backend.common.priority import Priority
from backend.core.automatic_start import StartAct, StartDecision, StartMemory, StartPolicy, decide
from backend.core.plans.start_channel import KIND
from backend.identity.accounts.models import token_of_request
from backend.identity.accounts.second_person import names_behind
from backend.monitoring.times import from_unix
from backend.operations.automation.models import AutomaticStart
from backend.operations.automation.observations import observe_standing
from backend.operations.automation.services import RETRY, MakePlan, why_held
from backend.operations.runs.models import Plan
from backend.operations.runs.services import plan_create, run_start

log = structlog.get_logger(__name__)


def tick(make_plan: MakePlan = plan_create) -> None:
    """Observe each link that opted in and is not in maintenance once; called by the monitor.

    An error of one link does not affect the others.
    """
    attended = attended_links(timezone.now())
    for row in AutomaticStart.objects.filter(enabled=True, link__in=attended).select_related("link"):
        try:
            evaluate_link(row, timezone.now(), make_plan)
        except Exception:
            log.exception("automatic_start.look_failed", link=row.link.name)


def evaluate_link(row: AutomaticStart, now: datetime, make_plan: MakePlan = plan_create) -> StartDecision:
    """Observe the link, decide, store the result, and act."""
    policy = StartPolicy(row.enabled, row.most_per_hour)
    decision = decide(policy, _memory_of(row), observe_standing(row.link, now.timestamp()))
    if decision.act is StartAct.START:
        if _save(row, decision, acts=[*decision.memory.acts_s, now.timestamp()]):
            _start(row, decision, now, make_plan)
    elif _save(row, decision, acts=list(decision.memory.acts_s)) and decision.act is StartAct.HELD:
        _report_held(row, now, decision.reason)
    return decision


def _memory_of(row: AutomaticStart) -> StartMemory:
    return StartMemory(
        seen_at_s=row.watch_state.get("seen_at_s"),
        standing_since_s=row.watch_state.get("standing_since_s"),
        acts_s=tuple(row.acts),
        retry_at_s=row.retry_at.timestamp() if row.retry_at else None,
    )


def _save(row: AutomaticStart, decision: StartDecision, *, acts: list[float]) -> bool:
    """Store the observation, with an action counted before it starts; False where another monitor stored one."""
    memory = decision.memory
    same = AutomaticStart.objects.filter(pk=row.pk, version=row.version, enabled=row.enabled)
    return bool(
        same.update(
            version=F("version") + 1,
            watch_state={"seen_at_s": memory.seen_at_s, "standing_since_s": memory.standing_since_s},
            acts=acts,
            reason=decision.reason,
            observed_at=from_unix(memory.seen_at_s) if memory.seen_at_s is not None else None,
        )
    )


def _start(row: AutomaticStart, decision: StartDecision, now: datetime, make_plan: MakePlan) -> None:
    reason = f"Automatic: {decision.reason}"
    try:
        plan = make_plan(actor=AUTOMATION, link=row.link, kind=KIND, reason=reason, options={})
    except Exception as error:
        _refuse(row, now, f"no plan could be created: {error}")
        raise
    held = why_held(plan)
    if held:
        _refuse(row, now, held, plan)
        return
    try:
        run = run_start(
            actor=AUTOMATION,
            plan=plan,
            digest=plan.digest,
            confirm=row.link.name,
            reason=reason,
            priority=Priority.AUTOMATIC,
            token_id=row.token_id,
            behind=(row.set_by, *(row.people_behind or ())),
        )
    except ProblemError as problem:
        _refuse(row, now, problem.detail, plan)
        return
    _report(row, now, "started", f"{decision.reason} Starting it at its position.", plan_id=plan.id, run_id=run.id)


def _refuse(row: AutomaticStart, now: datetime, why: str, plan: Plan | None = None) -> None:
    """Record a plan that was not run: nothing was sent, so it does not count against the limit."""
    AutomaticStart.objects.filter(pk=row.pk).update(acts=row.acts, retry_at=now + RETRY)
    _report_held(row, now, why, plan_id=plan.id if plan else "")


def _report_held(row: AutomaticStart, now: datetime, why: str, *, plan_id: str = "") -> None:
    if (row.last_outcome, row.last_reason) != ("held", why):
        _report(row, now, "held", why, plan_id=plan_id)


def _report(row: AutomaticStart, now: datetime, outcome: str, why: str, *, plan_id: str = "", run_id: str = "") -> None:
    """Store what was done, raise an event, write the audit record."""
    with transaction.atomic():
        AutomaticStart.objects.filter(pk=row.pk).update(
            last_at=now, last_outcome=outcome, last_reason=why, last_plan_id=plan_id, last_run_id=run_id
        )
        events.raised(
            link_id=row.pk,
            run_id=run_id,
            kind=f"automatic_start.{outcome}",
            severity="warning",
            message=why if outcome == "started" else f"Automatic start is not possible: {why}",
            actor=AUTOMATION,
        )
        audit.record(
            actor=AUTOMATION,
            action=f"monitor:automatic_start:{outcome}",
            link_id=row.pk,
            run_id=run_id,
            target=plan_id,
            reason=why,
            facts={"most_per_hour": row.most_per_hour},
        )


@transaction.atomic
def automatic_start_set(*, actor: str, link: Link, enabled: bool, most_per_hour: int) -> AutomaticStart:
    """Set what the link allows; the watch state is reset, starts of the last hour still count."""
    wanted: dict[str, Any] = {"enabled": enabled, "most_per_hour": most_per_hour}
    fresh: dict[str, Any] = {"set_by": actor, "watch_state": {}, "reason": "", "retry_at": None}
    fresh |= {"people_behind": names_behind([actor]), "token_id": token_of_request()}
    row, _ = AutomaticStart.objects.update_or_create(link=link, defaults=wanted | fresh)
    audit.record(actor=actor, action="api:automatic_start:set", link_id=link.id, target=link.id, facts=wanted)
    return row
