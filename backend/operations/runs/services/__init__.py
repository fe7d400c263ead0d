"""Everything that changes plans and runs from outside of a worker."""

from __future__ import annotations

from backend.operations.runs.services.approval import end_unapproved, exception_review, run_approve, run_except
from backend.operations.runs.services.approvers import check_permitted, check_person, has_approved, why_not_approve
from backend.operations.runs.services.calendar import check_may_override
from backend.operations.runs.services.decisions import run_abort, run_resume, run_withdraw
from backend.operations.runs.services.dispatch import dispatch_run, probe_workers, redispatch_stale
from backend.operations.runs.services.fence_returned import fence_returned_start
from backend.operations.runs.services.plan import check_options, plan_create
from backend.operations.runs.services.rejection import remind_approvers, run_reject
from backend.operations.runs.services.start import check_confirmed, run_start
from backend.operations.runs.services.waiting import decision_view, waiting_for

__all__ = [
    "check_confirmed",
    "check_may_override",
    "check_options",
    "check_permitted",
    "check_person",
    "decision_view",
    "dispatch_run",
    "end_unapproved",
    "exception_review",
    "fence_returned_start",
    "has_approved",
    "plan_create",
    "probe_workers",
    "redispatch_stale",
    "remind_approvers",
    "run_abort",
    "run_approve",
    "run_except",
    "run_reject",
    "run_resume",
    "run_start",
    "run_withdraw",
    "waiting_for",
    "why_not_approve",
]
