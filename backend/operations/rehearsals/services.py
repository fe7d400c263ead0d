"""Runs rehearsals on demand and when they are due; a failed one raises an event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common import heartbeats
from backend.common.actors import SCHEDULE
from backend.common.errors import ProblemError
from backend.common.events import services as events
from backend.operations.change_calendar.selectors import calendar_objections
from backend.operations.rehearsals.execution import RehearsalResult, run_rehearsal
from backend.operations.rehearsals.models import Rehearsal, RehearsalSchedule, RehearsalState
from backend.operations.runs.masking import all_masked
from backend.operations.runs.models import Run
from backend.operations.runs.services import check_options

log = structlog.get_logger(__name__)
ACTOR = SCHEDULE
CLAIM = timedelta(minutes=5)


def rehearsal_create(*, actor: str, link: Link, kind: str, options: Mapping[str, Any]) -> Rehearsal:
    """Rehearse and store the result; a failed rehearsal is a result, too."""
    check_options(link, options)
    held = run_rehearsal(link=link, kind=kind, options=options, actor=actor)
    with transaction.atomic():
        rehearsal = _store(held, actor, link, kind, options)
        if not held.is_passed:
            _raise_failed(rehearsal)
        _record(rehearsal)
    return rehearsal


def _store(held: RehearsalResult, actor: str, link: Link, kind: str, options: Mapping[str, Any]) -> Rehearsal:
    plan = held.plan
    return Rehearsal.objects.create(
        link=link,
        kind=kind,
        state=RehearsalState.PASSED if held.is_passed else RehearsalState.FAILED,
        at=timezone.now(),
        actor=actor,
        options=dict(options),
        summary=plan.summary,
        sentence=held.sentence,
        duration_ms=held.duration_ms,
        timings=[{"check": p.check, "ms": p.ms, "ok": p.is_ok, "sentence": p.sentence} for p in held.parts],
        estimate_s=held.estimate_s,
        loss=dict(plan.loss),
        findings=[finding.to_json() for finding in plan.findings],
        positions=[dict(position) for position in plan.positions],
        steps=[_shown(step.to_json()) for step in plan.steps],
    )


def _shown(step: dict[str, Any]) -> dict[str, Any]:
    return {**step, "sql": all_masked(step["sql"]), "undo": all_masked(step["undo"])}


def _raise_failed(rehearsal: Rehearsal) -> None:
    events.raised(
        link_id=rehearsal.link_id,
        kind="rehearsal.failed",
        severity="warning",
        message=f"The rehearsal of a {rehearsal.kind} failed: {rehearsal.sentence}",
        actor=rehearsal.actor,
    )


def _record(rehearsal: Rehearsal) -> None:
    audit.record(
        actor=rehearsal.actor,
        action="api:rehearsal:hold" if rehearsal.actor != ACTOR else "worker:rehearsal:hold",
        link_id=rehearsal.link_id,
        target=rehearsal.id,
        facts={"kind": rehearsal.kind, "state": rehearsal.state, "duration_ms": rehearsal.duration_ms},
    )


@transaction.atomic
def schedule_set(*, actor: str, link: Link, enabled: bool, every_hours: int, kinds: list[str]) -> RehearsalSchedule:
    """Set when the link is rehearsed automatically."""
    wanted = {"enabled": enabled, "every_hours": every_hours, "kinds": kinds}
    schedule, _ = RehearsalSchedule.objects.update_or_create(link=link, defaults=wanted)
    audit.record(actor=actor, action="api:rehearsal:schedule", link_id=link.id, target=link.id, facts=wanted)
    return schedule


def is_due(schedule: RehearsalSchedule, kind: str, now: datetime) -> bool:
    """Whether the last rehearsal of the kind, manual or scheduled, is older than the schedule's interval."""
    if not schedule.enabled or kind not in schedule.kinds:
        return False
    recent = Rehearsal.objects.filter(
        link_id=schedule.pk, kind=kind, at__gt=now - timedelta(hours=schedule.every_hours)
    )
    if recent.exists() or Run.objects.filter(unfinished_link=schedule.pk).exists():
        return False
    return not calendar_objections(schedule.pk, "rehearsal")


def rehearse_due(link_id: str, kind: str) -> Rehearsal | None:
    """Rehearse in a worker, where it is still due and no other worker does it already."""
    schedule = RehearsalSchedule.objects.select_related("link").filter(pk=link_id).first()
    if schedule is None or not is_due(schedule, kind, timezone.now()):
        return None
    if not heartbeats.is_due(f"rehearsing {link_id} {kind}", CLAIM):
        return None
    with bound_contextvars(link_id=schedule.link_id, requested_by=ACTOR):
        try:
            return rehearsal_create(actor=ACTOR, link=schedule.link, kind=kind, options={})
        except ProblemError as problem:
            log.warning("rehearsal.refused", kind=kind, code=problem.code, detail=problem.detail)
            return None
