"""MACs that let a worker execute a run. They bind it to its plan, its requester and, by the rule, its approval.

Write access to the console's database is enough to set a row to `queued`, but not to make one of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from backend.accounts.persons import are_one_person
from backend.common.keyed_mac import is_mac_of, mac_of
from backend.runs.models import Approval, Run
from backend.runs.planning.stored_plan import is_altered, is_current_version


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a run is not executed."""

    code: str
    sentence: str


def authorization_of(run: Run, *, epoch: int) -> str:
    """The MAC with which a worker may claim the run at this epoch."""
    return mac_of("run", *_run_parts(run, epoch))


def approval_mac(approval: Approval) -> str:
    """The MAC of an approval, over run, round, digest, approver, time, and whether it is an exception until when."""
    return mac_of("approval", *_approval_parts(approval))


def approval_in_force(run: Run) -> Approval | None:
    """The approval of the run's current round, if it is genuine and for this plan."""
    found = Approval.objects.filter(run=run, round=run.approval_round).first()
    if found is None or found.digest != run.plan.digest:
        return None
    return found if is_mac_of(found.mac, "approval", *_approval_parts(found)) else None


def why_not_carried(run: Run) -> Refusal | None:
    """Why no worker may claim the run now; None if one may."""
    if is_current_version(run.plan) and is_altered(run.plan):
        return Refusal("plan_altered", "The stored plan was changed after it was created: its digest does not match.")
    if not is_mac_of(run.authorization, "run", *_run_parts(run, run.epoch)):
        return Refusal(
            "not_authorized",
            "The run was not released by Hawser: its row in the database was changed by something else.",
        )
    return _why_not_approved(run) if run.needs_approval else None


def _why_not_approved(run: Run) -> Refusal | None:
    approval = approval_in_force(run)
    if approval is None:
        return Refusal("not_approved", "The run needs the approval of a second person and has no valid one.")
    if approval.is_exception:
        return _why_exception_is_over(run, approval)
    if are_one_person(approval.approver, run.requested_by):
        return Refusal("not_two_persons", "The approver and the requester are the same person.")
    return None


def _why_exception_is_over(run: Run, approval: Approval) -> Refusal | None:
    """The time limit is for the start only: a run that has started is executed to its end."""
    if run.started_at is None and approval.expires_at is not None and approval.expires_at <= timezone.now():
        return Refusal("exception_expired", "The exception without a second person has expired. Nothing was sent.")
    return None


def _run_parts(run: Run, epoch: int) -> tuple[object, ...]:
    plan = run.plan
    rule = (run.needs_approval, run.approval_round)
    return (run.id, plan.id, plan.digest, run.link_id, run.kind, run.requested_by, *rule, epoch)


def _approval_parts(approval: Approval) -> tuple[object, ...]:
    bound = (approval.run_id, approval.round, approval.digest, approval.approver, _text(approval.at))
    return (*bound, approval.is_exception, _text(approval.expires_at))


def _text(at: datetime | None) -> str:
    return "" if at is None else at.isoformat()
