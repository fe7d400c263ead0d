"""What a person sees before a decision: the runs that wait, and what has changed since the plan was made."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from backend.core.approvals import ApprovalRule
from backend.identity.accounts.models import User
from backend.operations.change_calendar.selectors import judgement_of
from backend.operations.runs.asked_links import asked_links
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.planning.planner import fact_changes
from backend.operations.runs.planning.registration_changes import registration_changes
from backend.operations.runs.selectors import (
    approvals_missing,
    approvals_needed,
    asked_links_view,
    waiting_rows,
    waiting_run_view,
)
from backend.operations.runs.services.approvers import why_cannot_approve


def waiting_for(user: User, *, mine: bool, readable: Collection[str] | None) -> list[dict[str, Any]]:
    """Runs of the readable links that wait for approvals, with whether this user can give one; `mine`: only those."""
    shown = [waiting_run_view(run) | _decision_of(user, run) for run in waiting_rows(readable)]
    return [one for one in shown if one["may_approve"] or not mine]


def _decision_of(user: User, run: Run) -> dict[str, Any]:
    problem = why_cannot_approve(user, run)
    return {"may_approve": problem is None, "why_not": None if problem is None else problem.detail}


def decision_view(user: User, run: Run) -> dict[str, Any]:
    """What an approver must know besides the plan: the servers are compared with it now."""
    compares = run.state == RunState.WAITING_APPROVAL and run.started_at is None
    links = asked_links(run.plan)
    judged = judgement_of(links, run.kind, plan_id=run.plan_id, run_id=run.pk, digest=run.plan.digest)
    return {
        "run_id": run.pk,
        "state": run.state,
        "plan_digest": run.plan.digest,
        "plan_created_at": run.plan.created_at,
        "checked_at": timezone.now() if compares else None,
        "changes": [*registration_changes(run.plan), *fact_changes(run.plan)] if compares else [],
        "objections": [asdict(one) for one in judged.standing] if run.started_at is None else [],
        "overridden": [asdict(one) for one in judged.overridden] if run.started_at is None else [],
        "approvals_needed": approvals_needed(run),
        "approvals_missing": approvals_missing(run, run.approvals.all()),
        "approvers": list(ApprovalRule.from_json(run.approval_rule).approvers),
        "expires_at": run.approval_expires_at,
        "asked_links": asked_links_view(run.plan),
        **_decision_of(user, run),
    }
