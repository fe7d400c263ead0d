"""Reads plans and runs in the form in which they are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.errors import not_found
from backend.common.rest.pagination import rows_of_page
from backend.core.approvals import ApprovalRule
from backend.core.dialects.known_defects import changes_channels
from backend.core.history.loss import loss_of, stated_loss
from backend.core.steps.registry import carries_rows
from backend.operations.approval_rules.selectors import rule_of
from backend.operations.runs import states
from backend.operations.runs.asked_links import asked_links
from backend.operations.runs.derived_fields import (
    accepted_servers,
    effects_and_proofs,
    roles_after,
    shown_time_spent,
    shown_write_pause,
    with_attestations,
)
from backend.operations.runs.held_permissions import approver_may_approve
from backend.operations.runs.masking import ROWS_MASK, all_masked, rows_masked, values_masked
from backend.operations.runs.models import (
    CALENDAR_OVERRIDE,
    Approval,
    Plan,
    PlanState,
    Run,
    RunState,
    RunStep,
    Statement,
    StatementState,
    StepState,
)
from backend.operations.runs.stored_run import stored_run

_NO_TARGET: dict[str, Any] = {
    "source_node": None,
    "source_name": "",
    "replica_node": None,
    "replica_name": "",
}
_NO_SITUATION: dict[str, Any] = {"sentence": "", "old_source_name": "", "old_replica_name": "", "lost": []}

SHOWN_STATEMENTS = 200
"""The latest statements of a step. A replay of orphaned transactions may send thousands; all are in the export."""


CHANNELS_CHANGE_S = 180.0
"""A statement on a channel is answered, or its session ended, long before."""


def nodes_with_channel_statement(except_run: str = "") -> frozenset[str]:
    """Nodes (ids) on whose channels a statement of an unfinished run is under way.

    One without an answer may be: a STOP SLAVE that waits for its applier goes on though its session was killed
    (measured).
    """
    rows = Statement.objects.filter(
        step__run__unfinished_link__isnull=False,
        state__in=(StatementState.INTENDED.value, StatementState.INDETERMINATE.value),
        sent_at__gt=timezone.now() - timedelta(seconds=CHANNELS_CHANGE_S),
    ).exclude(step__run_id=except_run)
    return frozenset(node_id for node_id, sql in rows.values_list("node_id", "sql") if changes_channels(sql))


def plan_get(plan_id: str) -> Plan:
    """One plan; 404 if it does not exist."""
    plan = Plan.objects.select_related("link").filter(pk=plan_id).first()
    if plan is None:
        raise not_found("plan")
    return plan


def plan_state(plan: Plan, now: datetime) -> PlanState:
    """The stored state, or expired once its time is over."""
    if plan.state == PlanState.READY and plan.expires_at <= now:
        return PlanState.EXPIRED
    return PlanState(plan.state)


def plan_view(plan: Plan, *, shows_rows: bool) -> dict[str, Any]:
    """A plan view with secrets masked; without `shows_rows` also the rows of orphaned transactions."""
    now = timezone.now()
    body = plan.body
    target = body.get("target") or {}
    situation = body.get("situation") or target.get("situation") or {}
    options = body.get("options") or plan.options
    return {
        "id": plan.id,
        "link_id": plan.link_id,
        "link_name": plan.link.name,
        "kind": plan.kind,
        "state": plan_state(plan, now).value,
        "reason": plan.reason,
        "summary": body["summary"],
        "digest": plan.digest,
        "created_at": plan.created_at,
        "expires_at": plan.expires_at,
        "expires_in_s": max(0.0, (plan.expires_at - now).total_seconds()),
        "created_by": plan.created_by,
        "findings": plan_findings(plan, shows_rows=shows_rows),
        "positions": body["positions"],
        "loss": stated_loss(plan.kind, body["loss"]),
        "steps": [
            _step_shown(step, shows_rows=shows_rows) | derived
            for step, derived in zip(body["steps"], effects_and_proofs(body["steps"], target), strict=True)
        ],
        "target": {**_NO_TARGET, **target},
        "situation": {**_NO_SITUATION, **(situation if shows_rows else values_masked(situation))},
        "options": options,
        "asked_links": asked_links_view(plan),
    }


def asked_links_view(plan: Plan) -> list[dict[str, Any]]:
    """The links that a run of the plan asks, each with its rule as it is now."""
    return [_asked_link(link, rule_of(link.pk)) for link in asked_links(plan)]


def _asked_link(link: Link, rule: ApprovalRule) -> dict[str, Any]:
    return {
        "link_id": link.pk,
        "link_name": link.name,
        "requires_approval": link.requires_approval,
        "approvals_needed": rule.needed,
        "approvers": list(rule.approvers),
    }


def plan_findings(plan: Plan, *, shows_rows: bool) -> list[dict[str, Any]]:
    """A plan's findings, each with what a person may attest about it or attested."""
    findings = plan.body["findings"] if shows_rows else values_masked(plan.body["findings"])
    return list(with_attestations(findings, plan.body.get("options") or plan.options))


def _step_shown(step: dict[str, Any], *, shows_rows: bool) -> dict[str, Any]:
    show = all_masked if shows_rows or not carries_rows(step["code"]) else rows_masked
    return {**step, "sql": show(step["sql"]), "undo": show(step["undo"])}


def run_get(run_id: str) -> Run:
    """One run; 404 if it does not exist."""
    run = _runs().filter(pk=run_id).first()
    if run is None:
        raise not_found("run")
    return run


def unknown_runs(run_ids: Collection[str]) -> set[str]:
    """The ids among them of which no run is recorded."""
    return set(run_ids) - set(Run.objects.filter(pk__in=run_ids).values_list("pk", flat=True))


def run_mark(run_id: str) -> Run:
    """The marks of a run that show whether it changed; 404 if it does not exist."""
    run = _run_versions().filter(pk=run_id).first()
    if run is None:
        raise not_found("run")
    return run


def run_marks(
    *,
    readable: Collection[str] | None,
    link_id: str | None,
    plan_id: str | None,
    state: str | None,
    cursor: str | None,
    limit: int,
) -> tuple[list[Run], str | None]:
    """A page of marks of the readable links, newest first, and the cursor of the next page."""
    rows = _run_versions().filter(of_links(readable))
    if link_id:
        rows = rows.filter(link_id=link_id)
    if plan_id:
        rows = rows.filter(plan_id=plan_id)
    if state:
        rows = rows.filter(state=state)
    return rows_of_page(rows, order=("created_at", "id"), cursor=cursor, limit=limit)


def of_links(readable: Collection[str] | None, field: str = "link_id") -> Q:
    """The condition for rows of these links; none for all links."""
    return Q() if readable is None else Q(**{f"{field}__in": list(readable)})


def runs_whole(run_ids: Iterable[str]) -> QuerySet[Run]:
    """These runs with everything that is shown of them."""
    return _runs().filter(pk__in=run_ids)


def _run_versions() -> QuerySet[Run]:
    names = ("id", "created_at", "version", "epoch", "state", "ended_at", "link__name")
    return Run.objects.select_related("link").only(*names)


def run_brief(run: Run) -> dict[str, Any]:
    """A run in one line."""
    names = ("id", "kind", "state", "requested_by", "created_at", "started_at", "ended_at")
    return {name: getattr(run, name) for name in names}


def other_runs_on(cluster_id: str) -> QuerySet[Run]:
    """The unfinished runs of every link of a cluster."""
    of_cluster = Q(link__active_cluster=cluster_id) | Q(link__standby_cluster=cluster_id)
    return Run.objects.select_related("link").exclude(unfinished_link=None).filter(of_cluster).order_by("created_at")


def unfinished_run(link_id: str) -> dict[str, Any] | None:
    """The link's unfinished run in one line."""
    run = Run.objects.filter(unfinished_link=link_id).first()
    return run_brief(run) if run else None


def unfinished_runs() -> dict[str, dict[str, Any]]:
    """The unfinished run of each link that has one, in one line, by link."""
    return {run.link_id: run_brief(run) for run in Run.objects.exclude(unfinished_link=None)}


def _runs() -> QuerySet[Run]:
    latest = Statement.objects.order_by("-id")[:SHOWN_STATEMENTS]
    steps = RunStep.objects.prefetch_related(Prefetch("statements", latest, to_attr="latest"))
    return Run.objects.select_related("plan", "link").prefetch_related("approvals", Prefetch("steps", steps))


def run_view(run: Run, *, shows_rows: bool) -> dict[str, Any]:
    """A run view; without `shows_rows` the rows of orphaned transactions are masked."""
    approvals = list(run.approvals.all())
    steps = list(run.steps.all())
    return {
        "id": run.id,
        "link_id": run.link_id,
        "link_name": run.link.name,
        "plan_id": run.plan_id,
        "kind": run.kind,
        "state": run.state,
        "version": run.version,
        "reason": run.reason,
        "requested_by": run.requested_by,
        "approved_by": _approved_by(approvals),
        "approvals": [_approval(one, run) for one in approvals],
        "approvals_needed": approvals_needed(run),
        "approvals_missing": approvals_missing(run, approvals),
        "calendar_override": run.facts.get(CALENDAR_OVERRIDE),
        "approval_expires_at": run.approval_expires_at if run.state == RunState.WAITING_APPROVAL else None,
        "plan_digest": run.plan.digest,
        "request_id": run.request_id,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "server_time": timezone.now(),
        "epoch": run.epoch,
        "steps": [_run_step(step, shows_rows=shows_rows) for step in steps],
        "durations": durations(run, steps),
        "verification": run.verification,
        "outcome": run.outcome or states.SENTENCES[RunState(run.state)],
        "next_action": run.next_action,
        "can_abort": states.can_abort(run),
        "abort_effect": states.abort_effect(run),
        "point_of_no_return_passed": run.point_of_no_return_passed,
        "summary": run.plan.body["summary"],
        "target": {**_NO_TARGET, **(run.plan.body.get("target") or {})},
        "loss": asdict(loss_of(stored_run(run))),
        "accepted_servers": accepted_servers(run.plan.body["findings"]),
        "write_pause": shown_write_pause(run, steps),
        "roles_after": roles_after(run, steps),
        "time_spent": shown_time_spent(run, steps, approvals),
    }


def _approved_by(approvals: list[Approval]) -> str | None:
    """The names of the last round."""
    return ", ".join(one.approver for one in approvals if one.round == approvals[-1].round) or None


def _approval(approval: Approval, run: Run) -> dict[str, Any]:
    names = ("round", "approver", "comment", "at", "is_exception", "reviewed_by", "reviewed_at", "review_comment")
    shown = {name: getattr(approval, name) for name in names}
    return {**shown, "counts": run.state != RunState.WAITING_APPROVAL or _counts(approval, run)}


def approvals_needed(run: Run) -> int:
    """How many persons approve the run; 0 if it needs no approval."""
    return ApprovalRule.from_json(run.approval_rule).needed if run.needs_approval else 0


def approvals_missing(run: Run, approvals: Iterable[Approval]) -> int:
    """How many approvals a waiting run still lacks; each that is stored counted when it was given."""
    if run.state != RunState.WAITING_APPROVAL:
        return 0
    return max(0, approvals_needed(run) - sum(_counts(one, run) for one in approvals))


def _counts(approval: Approval, run: Run) -> bool:
    return approval.round == run.approval_round and approver_may_approve(approval)


def waiting_rows(readable: Collection[str] | None) -> list[Run]:
    """Runs of the readable links that are waiting for other persons, oldest first."""
    rows = Run.objects.filter(of_links(readable), state=RunState.WAITING_APPROVAL.value).select_related("link", "plan")
    return list(rows.prefetch_related("approvals").order_by("created_at"))


def waiting_run_view(run: Run) -> dict[str, Any]:
    """A waiting run, for the list of decisions."""
    return {
        "run_id": run.id,
        "link_id": run.link_id,
        "link_name": run.link.name,
        "kind": run.kind,
        "summary": run.plan.body["summary"],
        "requested_by": run.resumed_by or run.requested_by,
        "requested_at": run.approval_requested_at or run.created_at,
        "expires_at": run.approval_expires_at,
        "approvals_needed": approvals_needed(run),
        "approvals_missing": approvals_missing(run, run.approvals.all()),
        "asked_links": asked_links_view(run.plan),
    }


def unreviewed_exceptions(readable: Collection[str] | None) -> list[dict[str, Any]]:
    """Runs of the readable links that started without a second person and have not been reviewed, oldest first."""
    of_readable = of_links(readable, "run__link_id")
    rows = Approval.objects.filter(of_readable, is_exception=True, reviewed_at=None).select_related("run__link")
    return [
        {
            "run_id": one.run_id,
            "link_id": one.run.link_id,
            "link_name": one.run.link.name,
            "requested_by": one.run.requested_by,
            "approver": one.approver,
            "comment": one.comment,
            "at": one.at,
        }
        for one in rows.order_by("at")
    ]


def _run_step(step: RunStep, *, shows_rows: bool) -> dict[str, Any]:
    hides = carries_rows(step.code) and not shows_rows
    return {
        "index": step.index,
        "code": step.code,
        "title": step.title,
        "node": step.node or None,
        "state": step.state,
        "started_at": step.started_at,
        "ended_at": step.ended_at,
        "attempts": step.attempts,
        "observed_after_crash": step.observed_after_crash,
        "point_of_no_return": step.point_of_no_return,
        "statements": [_statement(statement, hides=hides) for statement in reversed(step.latest)],  # type: ignore[attr-defined]
        "outcome": step.outcome,
        "facts": step.facts,
        "progress": _progress(step),
    }


def _progress(step: RunStep) -> dict[str, int] | None:
    """Progress of a step that runs in batches; None for other steps, and before the first batch."""
    latest = next((s for s in step.latest if s.state_before and "of" in s.state_before), None)  # type: ignore[attr-defined]
    if latest is None:
        return None
    before = latest.state_before
    stands = latest.state == StatementState.OK
    return {"done": before["done"] + (abs(before["last"] - before["transaction"]) + 1) * stands, "of": before["of"]}


def _statement(statement: Statement, *, hides: bool) -> dict[str, Any]:
    names = ("sql", "node", "connection_id", "sent_at", "duration_ms", "state", "warnings", "error")
    shown = {"id": str(statement.pk), **{name: getattr(statement, name) for name in names}}
    return shown | {"sql": ROWS_MASK} if hides else shown


def durations(run: Run, steps: list[RunStep]) -> dict[str, float | None] | None:
    """Seconds by name and by step code; null if the end is not reached."""
    if run.started_at is None:
        return None
    verified = run.ended_at if run.state == RunState.SUCCEEDED else None
    named = {
        "queued_s": _between(run.created_at, run.started_at),
        "confirm_to_verified_s": _between(run.created_at, verified),
        "total_s": _between(run.created_at, run.ended_at),
    }
    done = [step for step in steps if step.state != StepState.PENDING]
    for step in done:
        seconds = _between(step.started_at, step.ended_at)
        earlier = named.get(step.code)
        named[step.code] = seconds if seconds is None else round(seconds + (earlier or 0.0), 3)
    return named


def _between(start: datetime | None, end: datetime | None) -> float | None:
    if start is None or end is None:
        return None
    return max(0.0, round((end - start).total_seconds(), 3))
