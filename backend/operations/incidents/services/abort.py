"""Ends an incident: nothing new is started. Runs that have started end by their own rules."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.incidents.sequence import change_state, confirmed_items, withdraw_unstarted
from backend.operations.incidents.services.locked import locked


@retry_on_rollback
def incident_abort(*, actor: str, incident: Incident, comment: str) -> Incident:
    """Start nothing more, and end the runs of which nothing was sent yet."""
    with transaction.atomic():
        found = locked(incident, IncidentState.PLANNED, IncidentState.RUNNING, IncidentState.STOPPED)
        outcome = f"Aborted by {actor}. Nothing new is started."
        IncidentItem.objects.filter(incident=found).update(planning=False)
        change_state(found, IncidentState.ABORTED, outcome=outcome, ended_at=timezone.now())
        withdraw_unstarted(found, actor)
        for item in confirmed_items(found.id):
            events.raised(
                link_id=item.link_id,
                kind="incident.aborted",
                severity="info",
                message=f"{actor} aborted incident {found.name}. Nothing new is started.",
                actor=actor,
            )
        audit.record(
            actor=actor, action="api:incident:abort", target=found.id, reason=comment, facts={"name": found.name}
        )
    return found
