"""Everything that changes plans and runs from outside of a worker."""

from __future__ import annotations

from backend.runs.services.approval import check_person, end_unapproved, exception_review, run_approve, run_except
from backend.runs.services.decisions import run_abort, run_resume, run_withdraw
from backend.runs.services.dispatch import dispatch_run, probe_workers, redispatch_stale
from backend.runs.services.fence_returned import fence_returned_start
from backend.runs.services.plan import check_options, plan_create
from backend.runs.services.start import check_confirmed, run_start

__all__ = [
    "check_confirmed",
    "check_options",
    "check_person",
    "dispatch_run",
    "end_unapproved",
    "exception_review",
    "fence_returned_start",
    "plan_create",
    "probe_workers",
    "redispatch_stale",
    "run_abort",
    "run_approve",
    "run_except",
    "run_resume",
    "run_start",
    "run_withdraw",
]
