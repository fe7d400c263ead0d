"""Asks for new plans, with the options and attestations that an operator gives by link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import ProblemError, invalid
from backend.operations.incidents.dispatch import dispatch_plans
from backend.operations.incidents.items import UNFINISHED, ItemState, items_of, state_of
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.incidents.sequence import change_state
from backend.operations.incidents.services.locked import locked
from backend.operations.runs.services import check_options

_PLANNED_AGAIN = frozenset(ItemState) - {*UNFINISHED, ItemState.SUCCEEDED, ItemState.NEEDS_OPERATOR}
"""Without a choice. A link whose run stopped for an operator gets a new plan, which supersedes it, only by name."""


def plans_request(*, actor: str, incident: Incident, options: Mapping[str, Mapping[str, Any] | None]) -> Incident:
    """Ask for new plans of these links, with these options where given; without links, of all that can have one.

    What was confirmed of them is void: the incident has to be confirmed again.
    """
    with transaction.atomic():
        found = locked(incident, IncidentState.PLANNED, IncidentState.STOPPED, IncidentState.ENDED)
        wanted = _wanted(found, options)
        for item in wanted:
            _ask(item, actor, options.get(item.link_id))
        change_state(found, IncidentState.PLANNED, outcome="", ended_at=None)
        audit.record(
            actor=actor,
            action="api:incident:plan",
            target=found.id,
            facts={
                "name": found.name,
                "links": [item.link.name for item in wanted],
                "options": {item.link.name: item.options for item in wanted},
            },
        )
        transaction.on_commit(dispatch_plans, robust=True)
    return found


def _wanted(incident: Incident, options: Mapping[str, Any]) -> list[IncidentItem]:
    now = timezone.now()
    states = {item: state_of(item, now) for item in items_of(incident.id)}
    if not options:
        return [item for item, state in states.items() if item.kind and state in _PLANNED_AGAIN]
    by_link = {item.link_id: item for item in states}
    if unknown := set(options) - set(by_link):
        raise invalid("items", f"{', '.join(sorted(unknown))} is no link of this incident. Name links of it only.")
    chosen = [by_link[link_id] for link_id in options]
    for item in chosen:
        _check(item, states[item])
    return chosen


def _check(item: IncidentItem, state: ItemState) -> None:
    if not item.kind:
        raise invalid("items", f"{item.link.name}: {item.no_operation}")
    if state in UNFINISHED or state is ItemState.SUCCEEDED:
        raise invalid("items", f"{item.link.name} is {state.value}. Leave it out of the request.")


def _ask(item: IncidentItem, actor: str, options: Mapping[str, Any] | None) -> None:
    """The earlier plan stays readable; it is no plan of the incident any more."""
    if options is not None:
        _check_options(item, options)
        item.options = dict(options)
    if item.plan_id is not None:
        item.earlier_plans = [*item.earlier_plans, item.plan_id]
    item.plan, item.is_confirmed = None, False
    item.planning, item.planned_by, item.planning_round = True, actor, item.planning_round + 1
    item.planning_until = item.dispatched_until = None
    item.problem_code = item.problem = ""
    item.save()


def _check_options(item: IncidentItem, options: Mapping[str, Any]) -> None:
    try:
        check_options(item.link, options)
    except ProblemError as problem:
        raise invalid("items", f"{item.link.name}: {problem.detail}") from problem
