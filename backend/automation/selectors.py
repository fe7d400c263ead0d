"""Reads what a link allows and what was done, as it is shown."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from backend.automation.models import LinkAutomation
from backend.automation.observations import policy_of, watch_state_of
from backend.clusters.models import Link
from backend.core.automation import blocked_until_s
from backend.monitoring.times import from_unix
from backend.runs.models import Run


def automation_view(link: Link) -> dict[str, Any]:
    """A link's automation; off with its defaults until somebody sets it."""
    row = LinkAutomation.objects.filter(pk=link.pk).first() or LinkAutomation(link=link)
    until = blocked_until_s(policy_of(row), watch_state_of(row))
    is_blocked = until is not None and until > timezone.now().timestamp()
    return {
        "mode": row.mode,
        "loss_for_s": row.loss_for_s,
        "block_s": row.block_s,
        "blocked_until": from_unix(until) if is_blocked and until is not None else None,
        "reason": row.reason or "Off." if row.mode == "off" else row.reason or "Not looked at yet.",
        "observed_at": row.observed_at,
        "acknowledged_at": row.acknowledged_at,
        "last_action": _last_action(row),
    }


def _last_action(row: LinkAutomation) -> dict[str, Any] | None:
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
