"""Runs in the form from which the core tells them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Prefetch, QuerySet

from backend.clusters.models import Node
from backend.core.history.stored_run import StoredApproval, StoredRun, StoredStep
from backend.monitoring.models import Divergence
from backend.operations.runs.masking import values_masked
from backend.operations.runs.models import SUPERSEDED_BY, Run, RunStep


def with_everything_told(rows: QuerySet[Run]) -> QuerySet[Run]:
    """The rows with what `stored_runs` reads of each; statements are left out."""
    steps = RunStep.objects.order_by("index").defer("time_spent")
    return rows.select_related("plan", "link").prefetch_related("approvals", Prefetch("steps", steps))


def stored_runs(rows: Iterable[Run]) -> Iterator[StoredRun]:
    """The runs for the core, with the names of all registered nodes."""
    names = dict(Node.objects.values_list("pk", "name"))
    wanted = list(rows)
    failovers = [run.pk for run in wanted if run.kind == "failover"]
    recorded = dict(Divergence.objects.filter(run_id__in=failovers).values_list("run_id", "facts")) if failovers else {}
    for run in wanted:
        yield _stored(run, names, recorded.get(run.pk))


def stored_run(run: Run) -> StoredRun:
    """One run for the core."""
    return next(stored_runs([run]))


def _stored(run: Run, names: dict[str, str], divergence: dict[str, Any] | None) -> StoredRun:
    plan = {**run.plan.body, "findings": values_masked(run.plan.body["findings"])}
    params = {step["index"]: step["params"] for step in run.plan.body["steps"]}
    return StoredRun(
        id=run.id,
        link_id=run.link_id,
        link_name=run.link.name,
        kind=run.kind,
        state=run.state,
        requested_by=run.requested_by,
        created_at=run.created_at,
        plan=plan,
        steps=tuple(_step(step, params.get(step.index, {})) for step in run.steps.all()),
        approvals=tuple(
            StoredApproval(one.approver, one.at, one.is_exception, one.reviewed_by) for one in run.approvals.all()
        ),
        needs_approval=run.needs_approval,
        reason=run.reason,
        outcome=run.outcome,
        next_action=run.next_action,
        aborted_by=run.abort_requested_by,
        is_superseded=SUPERSEDED_BY in run.facts,
        started_at=run.started_at,
        ended_at=run.ended_at,
        verification=run.verification,
        node_names=names,
        divergence=divergence,
    )


def _step(step: RunStep, params: dict[str, Any]) -> StoredStep:
    return StoredStep(
        step.index, step.code, step.node or None, step.state, params, step.facts, step.started_at, step.ended_at
    )
