"""Makes the plan of one item by the service that makes any plan, in a worker: the plans of many links take a while."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from backend.clusters.versions import check_not_retired
from backend.common.errors import ProblemError
from backend.core.incidents.proposal import Proposal, ranked
from backend.operations.incidents.items import items_of
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.incidents.sequence import notify
from backend.operations.incidents.wanted_plans import due
from backend.operations.runs.models import Plan, PlanState
from backend.operations.runs.services import plan_create

LEASE = timedelta(seconds=90)
"""A worker that makes a plan is taken for dead after this. A second plan of a slow one replaces the first."""


def plan_item(item_id: int) -> None:
    """Make the plan that is wanted, ready or refused; a refused plan stays with its reasons."""
    now = timezone.now()
    taken = IncidentItem.objects.filter(due(now), pk=item_id)
    if not taken.update(planning_until=now + LEASE):
        return
    item = IncidentItem.objects.select_related("incident", "link").get(pk=item_id)
    try:
        check_not_retired(item.link)
        plan = plan_create(
            actor=item.planned_by,
            link=item.link,
            kind=item.kind,
            reason=f"Incident {item.incident.name}",
            options=item.options,
            limit_s=settings.HAWSER_PLAN_LIMIT_S,
        )
    except ProblemError as problem:
        _store(item, None, problem.code, problem.detail)
    except Exception as error:
        _store(item, None, "internal_error", f"No plan could be made: {error}")
        raise
    else:
        _store(item, plan, "", "")


@transaction.atomic
def _store(item: IncidentItem, plan: Plan | None, code: str, detail: str) -> None:
    """Store the answer to the last request; an answer to an earlier one is dropped."""
    incident = Incident.objects.select_for_update().get(pk=item.incident_id)
    asked = IncidentItem.objects.filter(pk=item.pk, planning=True, planning_round=item.planning_round)
    if not asked.update(
        plan=plan, planning=False, planning_until=None, dispatched_until=None, problem_code=code, problem=detail
    ):
        return
    _rank_again(incident)
    Incident.objects.filter(pk=incident.pk).update(version=F("version") + 1)
    incident.refresh_from_db()
    notify(incident)


def _rank_again(incident: Incident) -> None:
    """Refused plans go last, as long as no operator chose the order and nothing was started."""
    items = {item.link_id: item for item in items_of(incident.id)}
    is_free = incident.state == IncidentState.PLANNED and incident.round == 0 and not incident.is_ordered
    if not is_free or any(item.planning for item in items.values()):
        return
    for position, one in enumerate(ranked(map(_proposal, items.values()))):
        IncidentItem.objects.filter(pk=items[one.link_id].pk).update(position=position)


def _proposal(item: IncidentItem) -> Proposal:
    is_ready = item.plan is not None and item.plan.state == PlanState.READY
    return Proposal(
        link_id=item.link_id,
        link_name=item.link.name,
        kind=item.kind or None,
        at_risk=item.at_risk,
        outage_since_s=item.outage_since.timestamp() if item.outage_since else None,
        refused="" if is_ready else "refused",
    )
