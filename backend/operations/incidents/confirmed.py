"""What a confirmation covers, and the console's proof that it and its approval were made by the console."""

from __future__ import annotations

from collections.abc import Iterable

from backend.common.keyed_mac import is_mac_of, mac_of
from backend.core.incidents.digest import PlannedItem, incident_digest
from backend.core.reports.shared import loss_text
from backend.operations.incidents.items import items_of, run_of
from backend.operations.incidents.models import Incident, IncidentApproval, IncidentItem
from backend.operations.runs.execution.authorization import token_parts
from backend.operations.runs.models import Plan, PlanState


def plan_of(item: IncidentItem) -> Plan:
    """The plan of an item that has one."""
    if item.plan is None:
        raise ValueError(f"link {item.link_id} of incident {item.incident_id} has no plan")
    return item.plan


def to_confirm(incident: Incident) -> list[IncidentItem]:
    """The items that a confirmation starts, in order: those with a ready plan that was not started yet."""
    return [item for item in items_of(incident.id) if _can_be_confirmed(item)]


def _can_be_confirmed(item: IncidentItem) -> bool:
    is_wanted = not item.is_left_out and not item.planning and not item.problem_code
    is_ready = item.plan is not None and item.plan.state == PlanState.READY
    return is_wanted and is_ready and run_of(item.plan) is None


def digest_over(incident: Incident, items: Iterable[IncidentItem]) -> str:
    """The digest of these items under the incident's rules."""
    return incident_digest(incident.id, [_planned(item) for item in items], incident.rules)


def _planned(item: IncidentItem) -> PlannedItem:
    plan = plan_of(item)
    return PlannedItem(item.link_id, plan.id, plan.digest, loss_text(plan.body["loss"]))


def confirmation_mac(incident: Incident) -> str:
    """The MAC of a confirmation, over incident, round, digest, who, when and why."""
    return mac_of("incident", *_parts(incident))


def is_genuine(incident: Incident) -> bool:
    """Whether the console confirmed exactly these items, in this order and under these rules."""
    confirmed = [item for item in items_of(incident.id) if item.is_confirmed]
    is_same = digest_over(incident, confirmed) == incident.digest
    return is_same and is_mac_of(incident.mac, "incident", *_parts(incident))


def _parts(incident: Incident) -> tuple[object, ...]:
    at = incident.confirmed_at.isoformat() if incident.confirmed_at else ""
    bound = (incident.id, incident.round, incident.digest, incident.confirmed_by, at, incident.reason)
    return (*bound, *token_parts(incident.token_id))


def approval_mac(approval: IncidentApproval) -> str:
    """The MAC of an approval, over incident, round, digest, approver and time."""
    return mac_of("incident approval", *_approval_parts(approval))


def approval_in_force(incident: Incident) -> IncidentApproval | None:
    """The approval of the last confirmation, if it is genuine and for its digest."""
    found = IncidentApproval.objects.filter(incident=incident, round=incident.round).first()
    if found is None or found.digest != incident.digest:
        return None
    return found if is_mac_of(found.mac, "incident approval", *_approval_parts(found)) else None


def _approval_parts(approval: IncidentApproval) -> tuple[object, ...]:
    at = approval.at.isoformat()
    bound = (approval.incident_id, approval.round, approval.digest, approval.approver, at)
    return (*bound, *token_parts(approval.token_id))
