"""The approval of an incident by a second person. It counts for a run only where it would count for that run alone."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict, forbidden, invalid
from backend.common.events import services as events
from backend.identity.accounts.models import User
from backend.identity.accounts.second_person import why_behind
from backend.operations.incidents.confirmed import approval_in_force, approval_mac, plan_of
from backend.operations.incidents.dispatch import advance
from backend.operations.incidents.items import ItemState, state_of
from backend.operations.incidents.models import Incident, IncidentApproval, IncidentItem, IncidentState
from backend.operations.incidents.sequence import change_state, confirmed_items
from backend.operations.incidents.services.locked import locked
from backend.operations.runs.asked_links import plans_that_wait
from backend.operations.runs.services import check_person


def incident_approve(*, user: User, incident: Incident, digest: str, comment: str) -> Incident:
    """Approve what was confirmed; each run is approved, by all rules of a single approval, when its turn comes."""
    try:
        return _approve(user, incident, digest, comment)
    except ProblemError as problem:
        audit.record(
            actor=user.username,
            action="api:incident:refused_approval",
            target=incident.id,
            reason=comment,
            facts={"code": problem.code},
        )
        raise


def _approve(user: User, incident: Incident, digest: str, comment: str) -> Incident:
    with transaction.atomic():
        found = locked(incident, IncidentState.RUNNING)
        waiting = to_approve(found)
        if not waiting or approval_in_force(found) is not None:
            raise conflict("not_waiting", "No operation of this incident is waiting for an approval of all.")
        if digest != found.digest:
            message = "The digest is not the one that was confirmed. Nothing was approved. Read the incident again."
            raise invalid("digest", message, code="wrong_digest", status=422)
        own = forbidden("own_run", "You confirmed this incident. Another user with the approver role must approve it.")
        behind = found.people_behind or ()
        if (problem := why_behind(user, behind)) is not None:
            raise problem
        check_person(user, (found.confirmed_by, *behind), own=own, since=found.confirmed_at or found.created_at)
        _store(found, user, comment)
        IncidentItem.objects.filter(pk__in=[item.pk for item in waiting]).update(dispatched_until=None)
        change_state(found, IncidentState.RUNNING)
        for item in waiting:
            events.raised(
                link_id=item.link_id,
                kind="incident.approved",
                severity="info",
                message=f"{user.username} approved incident {found.name}, and with it: {item.label}.",
                actor=user.username,
            )
        audit.record(
            actor=user.username,
            action="api:incident:approve",
            target=found.id,
            reason=comment,
            facts={"name": found.name, "digest": found.digest, "links": [item.link.name for item in waiting]},
        )
        transaction.on_commit(lambda: advance(found.id), robust=True)
    return found


def to_approve(incident: Incident) -> list[IncidentItem]:
    """Items that wait for a second person, or will when their turn comes."""
    now = timezone.now()
    states = {item: state_of(item, now) for item in confirmed_items(incident.id)}
    waiting = plans_that_wait([plan_of(item) for item, state in states.items() if state is ItemState.WAITING])
    return [item for item, state in states.items() if state is ItemState.WAITING_APPROVAL or item.plan_id in waiting]


def _store(incident: Incident, user: User, comment: str) -> None:
    approval = IncidentApproval(
        incident=incident,
        round=incident.round,
        digest=incident.digest,
        approver=user.username,
        token_id=user.token_id,
        comment=comment,
        at=timezone.now(),
    )
    approval.mac = approval_mac(approval)
    approval.save(force_insert=True)
