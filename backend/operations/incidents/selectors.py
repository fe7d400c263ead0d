"""Reads incidents in the form in which they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from backend.common.errors import not_found
from backend.common.rest.pagination import page
from backend.core.history.loss import stated_loss
from backend.core.incidents.planning import full_clusters
from backend.core.incidents.proposal import must_stop_at_failure
from backend.core.plural import pick, pluralize
from backend.core.reports.shared import loss_text
from backend.operations.incidents import wanted_plans
from backend.operations.incidents.confirmed import approval_in_force, digest_over, to_confirm
from backend.operations.incidents.items import ItemState, brief_items_of, items_of, run_of, state_of
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.incidents.scope import TouchedLink
from backend.operations.runs import states
from backend.operations.runs.asked_links import plans_that_wait
from backend.operations.runs.models import RunState
from backend.operations.runs.selectors import plan_findings

_EXPIRED: Final = "The plan has expired. Nothing was sent. Make a new plan."
_FIXED: Final = {
    ItemState.LEFT_OUT: "Left out of this incident.",
    ItemState.PLANNING: "The plan is being made.",
    ItemState.UNKNOWN: "It is unknown what became of this plan. It does not count as a success.",
}
_TURN: Final = (
    f"The plan waits for its turn: {wanted_plans.MOST_OF_A_CLUSTER} plans that search the logs of one of its clusters "
    "are being made."
)
_TO_BE_READ: Final = ("id", "name", "scope_kind", "scope_value", "scope_name", "state", "version", "at_once")
_MORE: Final = ("stop_at_failure", "reason", "created_by", "created_at", "confirmed_at", "ended_at", "outcome")


def incident_get(incident_id: str) -> Incident:
    """One incident; 404 if it does not exist."""
    found = Incident.objects.filter(pk=incident_id).first()
    if found is None:
        raise not_found("incident")
    return found


def incident_page(
    readable: Collection[str] | None, *, state: str | None, cursor: str | None, limit: int
) -> dict[str, Any]:
    """A page of the incidents of which every link is readable, newest first, without their items."""
    rows = Incident.objects.all()
    if readable is not None:
        rows = rows.exclude(items__in=IncidentItem.objects.exclude(link_id__in=list(readable)))
    if state:
        rows = rows.filter(state=state)
    return page(rows, order=("created_at", "id"), cursor=cursor, limit=limit, shape=incident_brief)


def incident_brief(incident: Incident) -> dict[str, Any]:
    """An incident in one line."""
    now = timezone.now()
    shown = [(item, state_of(item, now)) for item in brief_items_of(incident.id)]
    return _brief(incident, shown)


def _brief(incident: Incident, shown: list[tuple[IncidentItem, ItemState]]) -> dict[str, Any]:
    found = {name: getattr(incident, name) for name in (*_TO_BE_READ, *_MORE)}
    counts = Counter(state for item, state in shown if _is_counted(incident, item, state))
    return found | {
        "confirmed_by": incident.confirmed_by or None,
        "sentence": _sentence(incident, counts),
        "progress": _progress(counts),
    }


def incident_view(incident: Incident, *, shows_rows: bool) -> dict[str, Any]:
    """An incident with its items; without `shows_rows` the rows that findings quote are masked."""
    now = timezone.now()
    shown = [(item, state_of(item, now)) for item in items_of(incident.id)]
    approval, held_back = approval_in_force(incident), _held_back(shown, now)
    waiting = plans_that_wait([item.plan for item, _ in shown if item.plan is not None])
    return _brief(incident, shown) | {
        "digest": _digest(incident),
        "is_stop_fixed": must_stop_at_failure(item.kind for item, _ in shown if not item.is_left_out),
        "needs_approval": approval is None and any(_needs_approval(item, state, waiting) for item, state in shown),
        "approved_by": approval.approver if approval else None,
        "items": [
            _item(item, state, now, waiting, shows_rows=shows_rows)
            | ({"sentence": _TURN} if item.pk in held_back else {})
            for item, state in shown
        ],
    }


def _held_back(shown: list[tuple[IncidentItem, ItemState]], now: datetime) -> set[int]:
    """Items whose plan waits until fewer plans search the logs of its clusters."""
    if not any(state is ItemState.PLANNING for _, state in shown):
        return set()
    full = full_clusters(wanted_plans.under_way(now), wanted_plans.MOST_OF_A_CLUSTER)
    return {int(plan.key) for plan in wanted_plans.waiting(now) if full.intersection(plan.clusters)}


def _is_counted(incident: Incident, item: IncidentItem, state: ItemState) -> bool:
    """Before a confirmation each link with an operation; then what was confirmed, and what has a run."""
    if incident.round and incident.state != IncidentState.PLANNED:
        return item.is_confirmed or run_of(item.plan) is not None
    return state not in (ItemState.LEFT_OUT, ItemState.NO_OPERATION)


def _digest(incident: Incident) -> str:
    """Of what would be confirmed, until it was; then of what was confirmed."""
    if incident.state == IncidentState.PLANNED:
        return digest_over(incident, to_confirm(incident))
    return incident.digest


def _needs_approval(item: IncidentItem, state: ItemState, waiting: Collection[str]) -> bool:
    is_next = state is ItemState.WAITING and item.plan_id in waiting
    return item.is_confirmed and (is_next or state is ItemState.WAITING_APPROVAL)


def _progress(counts: Counter[ItemState]) -> dict[str, int]:
    failed = (ItemState.FAILED, ItemState.ABORTED, ItemState.NEEDS_OPERATOR, ItemState.UNKNOWN)
    return {
        "total": counts.total(),
        "ready": counts[ItemState.READY],
        "waiting": counts[ItemState.WAITING],
        "running": counts[ItemState.RUNNING] + counts[ItemState.WAITING_APPROVAL],
        "succeeded": counts[ItemState.SUCCEEDED],
        "failed": sum(counts[state] for state in failed),
    }


def _sentence(incident: Incident, counts: Counter[ItemState]) -> str:
    if incident.state != IncidentState.PLANNED and incident.state != IncidentState.RUNNING:
        return incident.outcome
    found = _progress(counts)
    if incident.state == IncidentState.RUNNING:
        done = f"{found['succeeded']} of {pluralize(found['total'], 'operation')} succeeded"
        return f"{done}, {found['running']} running, {found['waiting']} waiting."
    planning = counts[ItemState.PLANNING]
    if planning:
        return f"{pluralize(planning, 'plan')} of {found['total']} {pick(planning, 'is', 'are')} being made."
    return f"{found['ready']} of {pluralize(found['total'], 'operation')} can be started."


def _item(
    item: IncidentItem, state: ItemState, now: datetime, waiting: Collection[str], *, shows_rows: bool
) -> dict[str, Any]:
    plan, run = item.plan, run_of(item.plan)
    body: dict[str, Any] = plan.body if plan is not None else {}
    findings = plan_findings(plan, shows_rows=shows_rows) if plan is not None else []
    target = body.get("target") or {}
    return {
        "link_id": item.link_id,
        "link_name": item.link.name,
        "role": item.role,
        "why": item.why,
        "kind": item.kind or None,
        "label": item.label,
        "target": _target(target),
        "state": state.value,
        "sentence": _item_sentence(item, state, findings),
        "at_risk": item.at_risk,
        "outage_since": item.outage_since,
        "loss": stated_loss(body["kind"], body["loss"]) if body else None,
        "loss_text": loss_text(body["loss"]) if body else "",
        "requires_approval": item.link.requires_approval or item.plan_id in waiting,
        "findings": [one for one in findings if _is_shown(one)],
        "plan_id": item.plan_id,
        "plan_digest": plan.digest if plan is not None else None,
        "plan_expires_at": plan.expires_at if plan is not None and run is None else None,
        "is_proven": _is_proven(body),
        "run_id": run.id if run is not None else None,
        "earlier_plans": item.earlier_plans,
        "options": item.options,
    }


def _is_shown(finding: dict[str, Any]) -> bool:
    return finding["severity"] in ("blocker", "unknown") or finding["attestation"] is not None


def _target(target: dict[str, Any]) -> str:
    if target.get("active_name"):
        return f"{target['active_name']} active"
    names = [target.get("source_name"), target.get("replica_name")]
    return " → ".join(name for name in names if name)


def _is_proven(body: dict[str, Any]) -> bool | None:
    """Whether every position of the plan is proven; None for a plan that has none to prove."""
    positions = body.get("positions") or []
    return all(one["proven"] for one in positions) if positions else None


def _item_sentence(item: IncidentItem, state: ItemState, findings: Iterable[dict[str, Any]]) -> str:
    run = run_of(item.plan)
    if run is not None:
        message = run.outcome or states.SENTENCES[RunState(run.state)]
        return f"{message} {item.problem}".strip()
    if state is ItemState.NO_OPERATION:
        return item.no_operation
    if state is ItemState.REFUSED:
        return " ".join(_reasons(findings)) or "There is nothing to do."
    if state in (ItemState.NEEDS_PLAN, ItemState.NOT_PLANNED):
        return item.problem or (_EXPIRED if item.plan_id else "No plan was made.")
    if state in _FIXED:
        return _FIXED[state]
    return str(item.plan.body["summary"]) if item.plan else ""


def _reasons(findings: Iterable[dict[str, Any]]) -> Iterator[str]:
    return (one["message"] for one in findings if one["severity"] in ("blocker", "unknown"))


def given_attestations(item: IncidentItem) -> list[dict[str, Any]]:
    """What a person attested for this plan: the confirmation repeats each of them."""
    findings = plan_findings(item.plan, shows_rows=False) if item.plan is not None else []
    given = [one["attestation"] for one in findings if one["attestation"] and one["attestation"]["is_given"]]
    return list({(one["option"], one["node_id"]): one for one in given}.values())


def touched_view(touched: Iterable[TouchedLink]) -> list[dict[str, Any]]:
    """What an incident would hold, before it is opened."""
    return [
        {
            "link_id": one.link.id,
            "link_name": one.link.name,
            "role": one.touched.role.value,
            "why": one.touched.why,
            "kind": one.proposal.kind,
            "label": one.label,
            "sentence": one.no_operation or one.label,
            "at_risk": one.proposal.at_risk,
        }
        for one in touched
    ]
