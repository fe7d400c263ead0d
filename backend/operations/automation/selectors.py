"""Reads what a link allows and what was done, as the API returns it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django.db.models import Prefetch
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.automatic_start import HOUR_S
from backend.core.automation import blocked_until_s
from backend.monitoring.link_gateway import open_divergences
from backend.monitoring.times import from_unix
from backend.operations.automation.models import AutomaticStart, LinkAutomation, ReturnedNode
from backend.operations.automation.observations import policy_of, watch_state_of
from backend.operations.runs.models import Run, RunState, RunStep

NOT_OBSERVED = "The link has not been observed yet."
_REPORTED: Final = ("verify_fence", "count_returned_writes")
"""The steps of a fence that a list reports."""


def automation_view(link: Link) -> dict[str, Any]:
    """A link's automation; off with its defaults until it is set."""
    row = LinkAutomation.objects.filter(pk=link.pk).first() or LinkAutomation(link=link)
    until = blocked_until_s(policy_of(row), watch_state_of(row))
    is_blocked = until is not None and until > timezone.now().timestamp()
    return {
        "mode": row.mode,
        "loss_for_s": row.loss_for_s,
        "block_s": row.block_s,
        "blocked_until": from_unix(until) if is_blocked and until is not None else None,
        "reason": row.reason or "Off." if row.mode == "off" else row.reason or NOT_OBSERVED,
        "observed_at": row.observed_at,
        "acknowledged_at": row.acknowledged_at,
        "last_action": _last_action(row),
    }


def returned_view(link: Link) -> dict[str, Any] | None:
    """When the lost side returned, when it was fenced, and what it wrote in between; None before it returns.

    `fenced_at` is null until every returned node is fenced, `writes` where they could not be counted.
    """
    return returned_views([link.id]).get(link.id)


def returned_views(link_ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """The same of several links, by link, in a number of queries that does not grow with them."""
    failovers = {link_id: one.run_id for link_id, one in open_divergences(link_ids).items()}
    by_link: dict[str, list[ReturnedNode]] = {}
    for row in ReturnedNode.objects.filter(link_id__in=failovers).select_related("node").order_by("returned_at"):
        if row.failover_run == failovers[row.link_id]:
            by_link.setdefault(row.link_id, []).append(row)
    reported = Prefetch("steps", RunStep.objects.filter(code__in=_REPORTED), to_attr="reported_steps")
    fences = Run.objects.defer("facts", "verification").prefetch_related(reported)
    runs = fences.in_bulk([row.run_id for rows in by_link.values() for row in rows if row.run_id])
    return {link_id: _returned(rows, runs) for link_id, rows in by_link.items()}


def _returned(rows: Sequence[ReturnedNode], fences: Mapping[str, Run]) -> dict[str, Any]:
    runs = {row.run_id: fences[row.run_id] for row in rows if row.run_id in fences}
    nodes = [_returned_node(row, runs.get(row.run_id)) for row in rows]
    fenced = [node["fenced_at"] for node in nodes]
    done = (run for run in runs.values() if run.state == RunState.SUCCEEDED)
    counted = _reported_step(max(done, key=lambda run: run.created_at, default=None), "count_returned_writes")
    return {
        "returned_at": nodes[0]["returned_at"],
        "fenced_at": max(fenced) if all(fenced) else None,
        "writes": counted.facts.get("writes") if counted is not None else None,
        "nodes": nodes,
    }


def _reported_step(run: Run | None, code: str) -> RunStep | None:
    steps: list[RunStep] = [] if run is None else getattr(run, "reported_steps", [])
    return next((step for step in steps if step.code == code), None)


def _returned_node(row: ReturnedNode, run: Run | None) -> dict[str, Any]:
    """One returned node; `fenced_at` is when its test write was refused."""
    proof = _reported_step(run, "verify_fence") if run is not None and run.state == RunState.SUCCEEDED else None
    return {
        "node": row.node.name,
        "returned_at": row.returned_at,
        "fenced_at": proof.ended_at if proof is not None else None,
        "run_id": row.run_id or None,
        "attempts": row.attempts,
    }


def automatic_start_view(link: Link) -> dict[str, Any]:
    """A link's automatic start; off with its defaults until it is set."""
    row = AutomaticStart.objects.filter(pk=link.pk).first() or AutomaticStart(link=link)
    since_s = timezone.now().timestamp() - HOUR_S
    return {
        "enabled": row.enabled,
        "most_per_hour": row.most_per_hour,
        "starts": [from_unix(at) for at in row.acts if at > since_s],
        "reason": (row.reason or NOT_OBSERVED) if row.enabled else "Off.",
        "observed_at": row.observed_at,
        "last_action": _last_action(row),
    }


def _last_action(row: LinkAutomation | AutomaticStart) -> dict[str, Any] | None:
    if row.last_at is None:
        return None
    run = Run.objects.filter(pk=row.last_run_id).first() if row.last_run_id else None
    return {
        "at": row.last_at,
        "plan_id": row.last_plan_id or None,
        "run_id": row.last_run_id or None,
        "outcome": run.state if run else row.last_outcome,
        "reason": row.last_reason,
    }
