"""Sets the order, the links that are left out, how many run at once, and the stop rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction

from backend.audit import services as audit
from backend.common.errors import invalid
from backend.core.incidents.proposal import must_stop_at_failure
from backend.operations.incidents.items import items_of
from backend.operations.incidents.models import Incident, IncidentState
from backend.operations.incidents.sequence import change_state
from backend.operations.incidents.services.locked import locked


def order_set(
    *,
    actor: str,
    incident: Incident,
    links: Sequence[str] | None = None,
    at_once: int | None = None,
    stop_at_failure: bool | None = None,
) -> Incident:
    """Set what is given. `links` are those to start, in their order; the others are left out."""
    with transaction.atomic():
        found = locked(incident, IncidentState.PLANNED)
        if links is not None:
            _set_positions(found, links)
        kinds = [item.kind for item in items_of(found.id) if not item.is_left_out]
        rules = {
            "at_once": found.at_once if at_once is None else at_once,
            "stop_at_failure": found.stop_at_failure if stop_at_failure is None else stop_at_failure,
        }
        check_stop_rule(kinds, is_on=bool(rules["stop_at_failure"]))
        change_state(found, IncidentState.PLANNED, is_ordered=found.is_ordered or links is not None, **rules)
        names = [item.link.name for item in items_of(found.id) if not item.is_left_out]
        audit.record(
            actor=actor,
            action="api:incident:order",
            target=found.id,
            facts={"name": found.name, "order": names, **rules},
        )
    return found


def _set_positions(incident: Incident, links: Sequence[str]) -> None:
    items = {item.link_id: item for item in items_of(incident.id)}
    if len(set(links)) != len(links) or not set(links) <= set(items):
        raise invalid("links", "Name each link of the incident at most once, and no other link.")
    left_out = [link_id for link_id in items if link_id not in links]
    for position, link_id in enumerate([*links, *left_out]):
        items[link_id].position, items[link_id].is_left_out = position, link_id in left_out
        items[link_id].save(update_fields=["position", "is_left_out"])


def check_stop_rule(kinds: Iterable[str], *, is_on: bool) -> None:
    """Refuse to switch the stop rule off for operations that give up data."""
    if not is_on and must_stop_at_failure(kinds):
        raise invalid(
            "stop_at_failure",
            "A failover or reprotect that fails can mean that the site is not lost, or not fenced, for the other "
            "links either. The incident therefore stops at the first failure. Leave this on, or leave these links out.",
        )
