"""Opens an incident: the touched links, their proposed operations and order, and a plan of each."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import invalid
from backend.core.incidents.scope import ScopeKind
from backend.monitoring.times import from_unix
from backend.operations.incidents.dispatch import dispatch_plans
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.incidents.scope import TouchedLink, scope_name, touched_links
from backend.operations.incidents.sequence import notify
from backend.operations.incidents.services.order import check_stop_rule

MOST_LINKS = 200


def incident_create(
    *,
    actor: str,
    scope_kind: str,
    scope_value: str = "",
    link_ids: Sequence[str] = (),
    allowed: Collection[str] | None = None,
    name: str = "",
    at_once: int = 1,
    stop_at_failure: bool = True,
) -> Incident:
    """The incident, of the links that are `allowed` (None: all); its plans are made by workers at once."""
    touched = touched_links(scope_kind, scope_value, link_ids, allowed=allowed)
    if not touched:
        raise invalid("node", "No link has a node on the host of this node. Name a node of a link.")
    if len(touched) > MOST_LINKS:
        raise invalid("links", f"The loss touches {len(touched)} links; an incident has at most {MOST_LINKS}.")
    check_stop_rule([one.proposal.kind or "" for one in touched], is_on=stop_at_failure)
    with transaction.atomic():
        incident = Incident.objects.create(
            name=name or _name(scope_kind, scope_value),
            scope_kind=scope_kind,
            scope_value=scope_value,
            scope_name=scope_name(scope_kind, scope_value),
            state=IncidentState.PLANNED.value,
            at_once=at_once,
            stop_at_failure=stop_at_failure,
            created_by=actor,
            created_at=timezone.now(),
        )
        items = [_item(incident, position, one, actor) for position, one in enumerate(touched)]
        IncidentItem.objects.bulk_create(items)
        notify(incident)
        _record(incident, items)
        transaction.on_commit(dispatch_plans, robust=True)
    return incident


def _name(scope_kind: str, scope_value: str) -> str:
    lost = scope_name(scope_kind, scope_value)
    return f"Loss of {lost}"[:63] if scope_kind != ScopeKind.LINKS else f"Incident {timezone.now():%Y-%m-%d %H.%M}"


def _item(incident: Incident, position: int, one: TouchedLink, actor: str) -> IncidentItem:
    since_s = one.proposal.outage_since_s
    has_operation = one.proposal.kind is not None
    return IncidentItem(
        incident=incident,
        link=one.link,
        position=position,
        role=one.touched.role.value,
        why=one.touched.why,
        kind=one.proposal.kind or "",
        label=one.label[:200],
        no_operation=one.no_operation,
        options=one.options,
        at_risk=one.proposal.at_risk,
        outage_since=None if since_s is None else from_unix(since_s),
        planning=has_operation,
        planning_round=int(has_operation),
        planned_by=actor,
    )


def _record(incident: Incident, items: Sequence[IncidentItem]) -> None:
    audit.record(
        actor=incident.created_by,
        action="api:incident:create",
        target=incident.id,
        facts={
            "name": incident.name,
            "scope": f"{incident.scope_kind} {incident.scope_name}".strip(),
            "operations": {item.link.name: item.kind or None for item in items},
            "at_once": incident.at_once,
            "stop_at_failure": incident.stop_at_failure,
        },
    )
