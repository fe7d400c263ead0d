"""What an incident starts next, and its end; a pause between two calls, or a killed process, changes nothing."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from backend.audit import services as audit
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.incidents.sequence import Decision, Operation, Verdict, decide
from backend.core.plural import pluralize
from backend.operations.incidents.items import ItemState, brief_items_of, progress_of, run_of, state_of
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.runs.models import Run
from backend.operations.runs.services import run_withdraw

CONSOLE: Final = "console"
_BECAUSE: Final = {
    ItemState.FAILED: "failed",
    ItemState.ABORTED: "was aborted",
    ItemState.NEEDS_OPERATOR: "needs an operator",
    ItemState.NEEDS_PLAN: "could not be started",
}


def confirmed_items(incident_id: str) -> list[IncidentItem]:
    """The items that the last confirmation covers, in their order; without the bodies of their plans."""
    return [item for item in brief_items_of(incident_id) if item.is_confirmed]


def decision_of(incident: Incident) -> Decision:
    """What is to be done now; nothing where the incident does not run."""
    if incident.state != IncidentState.RUNNING:
        return Decision(Verdict.WAIT)
    now = timezone.now()
    operations = [Operation(str(item.pk), progress_of(item, now)) for item in confirmed_items(incident.id)]
    return decide(operations, incident.rules)


@retry_on_rollback
def resolve(incident_id: str) -> Decision:
    """The decision; one that stops or ends the incident is stored with its events and records."""
    with transaction.atomic():
        incident = Incident.objects.select_for_update().get(pk=incident_id)
        decision = decision_of(incident)
        if decision.verdict is Verdict.STOP:
            _stop(incident, decision)
        elif decision.verdict is Verdict.END:
            _end(incident)
    return decision


def _stop(incident: Incident, decision: Decision) -> None:
    failed = next(item for item in confirmed_items(incident.id) if str(item.pk) == decision.because)
    state = state_of(failed, timezone.now())
    because = _BECAUSE.get(state, "is in an unknown state")
    change_state(incident, IncidentState.STOPPED, outcome=_stopped(failed.link.name, because, incident))
    withdraw_unstarted(incident, CONSOLE)
    for item in confirmed_items(incident.id):
        # Who reads the events of one link may not read the others of the incident.
        name = failed.link.name if item.link_id == failed.link_id else "another link"
        events.raised(
            link_id=item.link_id,
            kind="incident.stopped",
            severity="blocker",
            message=f"Incident {incident.name}: {_stopped(name, because, incident)}",
            actor=CONSOLE,
        )
    audit.record(
        actor=CONSOLE,
        action="console:incident:stop",
        target=incident.id,
        facts={"name": incident.name, "because": failed.link_id, "item_state": state.value},
    )


def _stopped(link: str, because: str, incident: Incident) -> str:
    return f"Stopped because {link} {because}. Nothing new is started. {_tally(incident)}"


def _end(incident: Incident) -> None:
    outcome = _tally(incident)
    change_state(incident, IncidentState.ENDED, outcome=outcome, ended_at=timezone.now())
    for item in confirmed_items(incident.id):
        events.raised(
            link_id=item.link_id,
            kind="incident.ended",
            severity="info",
            message=f"Incident {incident.name} ended: {outcome}",
            actor=CONSOLE,
        )
    audit.record(
        actor=CONSOLE,
        action="console:incident:end",
        target=incident.id,
        facts={"name": incident.name, "outcome": outcome},
    )


def _tally(incident: Incident) -> str:
    states = [state_of(item, timezone.now()) for item in confirmed_items(incident.id)]
    done = states.count(ItemState.SUCCEEDED)
    return f"{done} of {pluralize(len(states), 'operation')} succeeded."


def withdraw_unstarted(incident: Incident, actor: str) -> None:
    """End the incident's runs of which nothing was sent yet; what has started ends by its own rules.

    In the transaction that stops the incident: a run that still waits could be approved afterwards.
    """
    for item in confirmed_items(incident.id):
        run = run_of(item.plan)
        if run is not None and not run.started_at and not _is_final(run):
            run_withdraw(actor=actor, run=run, comment=f"Incident {incident.name} starts nothing more.")


def _is_final(run: Run) -> bool:
    return run.ended_at is not None


def change_state(incident: Incident, state: IncidentState, **changes: object) -> None:
    """Store the state with these changes; the caller holds the row's lock."""
    Incident.objects.filter(pk=incident.pk).update(state=state.value, version=F("version") + 1, **changes)
    incident.refresh_from_db()
    notify(incident)


def notify(incident: Incident) -> None:
    """Tell open pages that the incident changed."""
    links = incident.items.order_by("link_id").values_list("link_id", flat=True)
    events.incident_updated(
        incident_id=incident.id, link_ids=list(links), state=incident.state, version=incident.version
    )
