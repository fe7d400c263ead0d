"""Wakes workers for what incidents need next. Redis only wakes them; whatever it loses is dispatched again."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog
from celery import current_app
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from backend.core.incidents.planning import next_plans
from backend.core.incidents.sequence import Verdict
from backend.operations.incidents import planning, wanted_plans
from backend.operations.incidents.confirmed import approval_in_force
from backend.operations.incidents.items import run_of
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.incidents.sequence import confirmed_items, resolve
from backend.operations.runs.models import RunState
from backend.operations.runs.services import has_approved

log = structlog.get_logger(__name__)
PLAN: Final = "incidents.plan_item"
START: Final = "incidents.start_item"
EXPIRES_S: Final = {PLAN: 120, START: 60}
START_LEASE = timedelta(seconds=15)
"""A worker that starts an item reads both clusters first. After this another one may start it; one of them does."""
MOST_PLANNING = 8
"""Plans at a time in the whole console: what the incidents start next waits behind no more than these."""
PLAN_LEASE = timedelta(seconds=20)
"""A message for a plan that no worker has taken is sent again after this."""


def tick() -> None:
    """Do what is next in every incident; the monitor calls it each second."""
    for incident_id in Incident.objects.filter(state=IncidentState.RUNNING.value).values_list("pk", flat=True):
        try:
            advance(incident_id)
        except Exception:
            log.exception("incident.advance_failed", incident_id=incident_id)
    dispatch_plans()


def dispatch_plans() -> None:
    """Wake a worker for each plan that is wanted; each is taken by one caller per interval."""
    now = timezone.now()
    chosen = next_plans(
        wanted_plans.waiting(now),
        wanted_plans.under_way(now),
        most=MOST_PLANNING,
        most_of_a_cluster=wanted_plans.MOST_OF_A_CLUSTER,
    )
    for item_id in map(int, chosen):
        if _take(item_id, PLAN_LEASE):
            _send(PLAN, item_id)


def make_plan(item_id: int) -> None:
    """Make the plan of an item in this worker, and wake a worker for the next one whatever became of it."""
    try:
        planning.plan_item(item_id)
    finally:
        dispatch_plans()


def advance(incident_id: str) -> None:
    """Stop, end, or start what is next."""
    decision = resolve(incident_id)
    wanted = [int(key) for key in decision.start] if decision.verdict is Verdict.START else []
    for item_id in (*wanted, *_to_approve(incident_id)):
        if _take(item_id, START_LEASE):
            _send(START, item_id)


def _to_approve(incident_id: str) -> list[int]:
    """Items whose run waits for an approval that was given for all."""
    incident = Incident.objects.get(pk=incident_id)
    approval = approval_in_force(incident)
    if incident.state != IncidentState.RUNNING or approval is None:
        return []
    items = [item for item in confirmed_items(incident_id) if not item.problem_code]
    return [item.pk for item in items if _waits_for(item, approval.approver)]


def _waits_for(item: IncidentItem, approver: str) -> bool:
    run = run_of(item.plan)
    is_waiting = run is not None and run.state == RunState.WAITING_APPROVAL and run.started_at is None
    return run is not None and is_waiting and not has_approved(approver, run)


def _take(item_id: int, lease: timedelta) -> bool:
    now = timezone.now()
    free = Q(dispatched_until=None) | Q(dispatched_until__lt=now)
    return bool(IncidentItem.objects.filter(free, pk=item_id).update(dispatched_until=now + lease))


def _send(task: str, item_id: int) -> None:
    try:
        current_app.send_task(task, args=(item_id,), expires=EXPIRES_S[task], retry=False)
    except OperationalError as error:
        log.warning("incident.dispatch_failed", task=task, item_id=item_id, error=str(error))
