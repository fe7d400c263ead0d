"""One confirmation by the digest of all: the operator has read every plan and what each of them loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.events import services as events
from backend.core.plural import pluralize
from backend.core.reports.shared import loss_text
from backend.identity.accounts.second_person import names_behind
from backend.operations.incidents.confirmed import confirmation_mac, digest_over, plan_of, to_confirm
from backend.operations.incidents.dispatch import advance
from backend.operations.incidents.items import UNFINISHED, items_of, state_of
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.incidents.selectors import given_attestations
from backend.operations.incidents.sequence import change_state
from backend.operations.incidents.services.locked import locked
from backend.operations.runs.services import check_confirmed

Attested = Sequence[Mapping[str, Any]]


def incident_confirm(
    *,
    actor: str,
    incident: Incident,
    digest: str,
    confirm: str,
    reason: str,
    attestations: Attested,
    token_id: str = "",
) -> Incident:
    """Start the sequence. Each plan is checked now, and again with the servers when its turn comes.

    `token_id`: the token with which it is confirmed; each run needs it until a worker begins.
    """
    try:
        return _confirm(actor, incident, digest, confirm, reason, attestations, token_id)
    except ProblemError as problem:
        audit.record(
            actor=actor,
            action="api:incident:refused",
            target=incident.id,
            reason=reason,
            facts={"code": problem.code, "detail": problem.detail},
        )
        raise


def _confirm(
    actor: str, incident: Incident, digest: str, confirm: str, reason: str, attestations: Attested, token_id: str
) -> Incident:
    with transaction.atomic():
        found = locked(incident, IncidentState.PLANNED)
        items = to_confirm(found)
        _check(found, items, digest, confirm)
        _check_attestations(items, attestations)
        found.token_id = token_id
        _store(found, items, actor, digest, reason)
        for number, item in enumerate(items, 1):
            number_of = f"number {number} of {pluralize(len(items), 'operation')}"
            events.raised(
                link_id=item.link_id,
                kind="incident.confirmed",
                severity="warning",
                message=f"{actor} confirmed incident {found.name}. {item.link.name} is {number_of}: {item.label}.",
                actor=actor,
            )
        audit.record(
            actor=actor,
            action="api:incident:confirm",
            target=found.id,
            reason=reason,
            facts=_facts(found, items, attestations),
        )
        transaction.on_commit(lambda: advance(found.id), robust=True)
    return found


def _check(incident: Incident, items: Sequence[IncidentItem], digest: str, confirm: str) -> None:
    if not items:
        raise conflict("nothing_to_start", "No link of this incident has a plan that can be started. Make plans first.")
    if digest != digest_over(incident, items):
        message = (
            "The digest does not match what is planned now: a plan, the order or a limit has changed. Nothing was "
            "sent. Read the incident again and send its digest."
        )
        raise invalid("digest", message, code="wrong_digest", status=422)
    if confirm != incident.name:
        message = f"The confirmation does not match. Nothing was sent. Type the incident's name: {incident.name}"
        raise invalid("confirm", message, code="wrong_confirmation", status=422)
    now = timezone.now()
    running = [item for item in items_of(incident.id) if state_of(item, now) in UNFINISHED]
    if running:
        names = ", ".join(item.link.name for item in running)
        raise conflict(
            "incident_runs_unfinished",
            f"Runs of this incident are unfinished: {names}. Nothing was sent. Wait for them, or abort them.",
        )
    for item in items:
        _check_startable(item)


def _check_startable(item: IncidentItem) -> None:
    """Whatever would refuse the single plan refuses the incident, and names the link."""
    plan = plan_of(item)
    try:
        check_confirmed(plan, plan.digest, plan.link.name)
    except ProblemError as problem:
        problem.detail = f"{item.link.name}: {problem.detail}"
        raise


def _check_attestations(items: Sequence[IncidentItem], given: Attested) -> None:
    """Every attestation of every plan is repeated, by link; none is assumed, and none is added."""
    needed = {(item.link_id, one["option"], one["node_id"]): item for item in items for one in given_attestations(item)}
    got = {(one["link_id"], one["option"], one.get("node_id")) for one in given}
    missing = [f"{item.link.name} {key[1]}" for key, item in needed.items() if key not in got]
    if missing:
        message = (
            f"These attestations are missing: {', '.join(missing)}. Nothing was sent. Repeat each of them by link."
        )
        raise invalid("attestations", message, code="attestation_missing", status=422)
    if got - set(needed):
        message = "Some attestations belong to none of the plans. Nothing was sent. Repeat those of the plans only."
        raise invalid("attestations", message, code="attestation_missing", status=422)


def _store(incident: Incident, items: Sequence[IncidentItem], actor: str, digest: str, reason: str) -> None:
    incident.round += 1
    incident.digest, incident.reason = digest, reason
    incident.confirmed_by, incident.confirmed_at = actor, timezone.now()
    IncidentItem.objects.filter(incident=incident).update(is_confirmed=False)
    IncidentItem.objects.filter(pk__in=[item.pk for item in items]).update(is_confirmed=True, dispatched_until=None)
    change_state(
        incident,
        IncidentState.RUNNING,
        round=incident.round,
        digest=digest,
        reason=reason,
        confirmed_by=actor,
        people_behind=names_behind([actor]),
        token_id=incident.token_id,
        confirmed_at=incident.confirmed_at,
        mac=confirmation_mac(incident),
        outcome="",
    )


def _facts(incident: Incident, items: Sequence[IncidentItem], attestations: Attested) -> dict[str, Any]:
    return {
        "name": incident.name,
        "digest": incident.digest,
        "plans": {item.link.name: plan_of(item).id for item in items},
        "loss": {item.link.name: loss_text(plan_of(item).body["loss"]) for item in items},
        "attestations": [dict(one) for one in attestations],
        "at_once": incident.at_once,
        "stop_at_failure": incident.stop_at_failure,
    }
