"""Who asked for a run, who approved it, and what was waived, as parts of a sentence."""

from __future__ import annotations

from typing import Final

from backend.core.history.stored_run import StoredApproval, StoredRun

_HAWSER: Final = {"automation": "Hawser (automation)", "schedule": "Hawser (schedule)", "console": "Hawser"}


def actor_of(run: StoredRun) -> str:
    """Who requested the run; Hawser itself where no person did."""
    return person(run.requested_by)


def person(name: str) -> str:
    """A user, or Hawser under one of its own names; a name that was not stored is unknown."""
    return _HAWSER.get(name, name) or "an unknown person"


def approval_phrase(run: StoredRun) -> str:
    """How the rule of two persons was met; empty where it did not apply."""
    if not run.approvals:
        return "not approved so far" if run.needs_approval and not run.is_final else ""
    latest = run.approvals[-1]
    if not latest.is_exception:
        return f"approved by {person(latest.approver)}"
    return f"without a second person, let through by {person(latest.approver)}, {_review(latest)}"


def _review(approval: StoredApproval) -> str:
    return f"reviewed by {approval.reviewed_by}" if approval.reviewed_by else "not reviewed yet"


def approvers(run: StoredRun) -> tuple[str, ...]:
    """All who approved it or made an exception, in order."""
    return tuple(one.approver for one in run.approvals)
