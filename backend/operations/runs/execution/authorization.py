"""MACs that let a worker execute a run. They bind it to its plan, its requester and, by the rule, its approval.

Write access to the console's database is enough to set a row to `queued`, but not to make one of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from backend.clusters.models import Link
from backend.common.keyed_mac import is_mac_of, mac_of
from backend.core.approvals import ApprovalRule, missing
from backend.core.plural import pluralize
from backend.identity.accounts.persons import are_one_person
from backend.operations.runs.held_permissions import approver_may_approve, refusing_requester
from backend.operations.runs.models import PEOPLE_BEHIND, Approval, Run, RunState
from backend.operations.runs.planning.stored_plan import is_altered, is_current_version


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a run is not executed."""

    code: str
    sentence: str
    is_tampering: bool = False


def authorization_of(run: Run, *, epoch: int) -> str:
    """The MAC with which a worker may claim the run at this epoch."""
    return mac_of("run", *_run_parts(run, epoch))


def approval_mac(approval: Approval) -> str:
    """The MAC of an approval, over run, round, digest, approver, token, time, and until when it is an exception."""
    return mac_of("approval", *_approval_parts(approval))


def genuine_approvals(run: Run) -> list[Approval]:
    """The approvals of the run's current round that Hawser wrote, for this plan, in the order they were given."""
    found = Approval.objects.filter(run=run, round=run.approval_round, digest=run.plan.digest).order_by("id")
    return [one for one in found if is_mac_of(one.mac, "approval", *_approval_parts(one))]


def counted_approvals(run: Run) -> list[Approval]:
    """The genuine approvals whose approvers still may approve; of a running run all, for it must not stop half-way."""
    is_running = run.state == RunState.RUNNING
    return [one for one in genuine_approvals(run) if is_running or approver_may_approve(one)]


def missing_approvals(run: Run) -> int:
    """How many approvals of its current round the run still needs."""
    return _missing(run, counted_approvals(run))


def _missing(run: Run, approvals: list[Approval]) -> int:
    given = [one.approver for one in approvals if not one.is_exception]
    askers = (run.requested_by, *people_behind(run))
    return missing(ApprovalRule.from_json(run.approval_rule), given, askers, are_one_person)


def people_behind(run: Run) -> tuple[str, ...]:
    """The names of who was behind its requesters when they asked: they do not approve it."""
    return tuple(run.facts.get(PEOPLE_BEHIND, ()))


def approval_in_force(run: Run) -> Approval | None:
    """The last approval of the run's current round if no other is missing, or the exception; None without."""
    given = counted_approvals(run)
    exception = next((one for one in given if one.is_exception), None)
    if exception is not None or not given:
        return exception
    return given[-1] if _missing(run, given) == 0 else None


def why_not_carried(run: Run) -> Refusal | None:
    """Why no worker may claim the run now; None if one may."""
    if is_current_version(run.plan) and is_altered(run.plan):
        altered = "The stored plan was changed after it was created: its digest does not match."
        return Refusal("plan_altered", altered, is_tampering=True)
    if not is_mac_of(run.authorization, "run", *_run_parts(run, run.epoch)):
        return Refusal(
            "not_authorized",
            "The run was not released by Hawser: its row in the database was changed by something else.",
            is_tampering=True,
        )
    return (_why_not_approved(run) if run.needs_approval else None) or _why_not_requested(run)


def _why_not_approved(run: Run) -> Refusal | None:
    given = genuine_approvals(run)
    exception = next((one for one in given if one.is_exception), None)
    if exception is not None:
        return _why_exception_is_over(run, exception)
    if not given:
        needed = "The run needs the approval of a second person and has no valid one."
        return Refusal("not_approved", needed, is_tampering=True)
    if any(are_one_person(one.approver, run.requested_by) for one in given):
        return Refusal("not_two_persons", "The approver and the requester are the same person.", is_tampering=True)
    if left := _missing(run, given):
        needed = f"The run needs {pluralize(left, 'more approval')} of other persons."
        return Refusal("not_approved", needed, is_tampering=True)
    return _why_approver_lost(run, given)


def _why_approver_lost(run: Run, given: list[Approval]) -> Refusal | None:
    counted = counted_approvals(run)
    left = _missing(run, counted)
    if not left:
        return None
    names = ", ".join(one.approver for one in given if one not in counted)
    return Refusal(
        "approver_not_permitted",
        f"{names} may not approve this run any more, or the token of the approval has ended. "
        f"The run needs {pluralize(left, 'more approval')} of other persons. Nothing was sent.",
    )


def _why_not_requested(run: Run) -> Refusal | None:
    """Who lost the right stops no run that is under way, nor one that is being reverted."""
    if run.state != RunState.QUEUED or run.abort_requested_at is not None:
        return None
    link = refusing_requester(run)
    if link is None:
        return None
    return Refusal("requester_not_permitted", f"{requester_lost(run.asked_by, link)} Nothing was sent.")


def requester_lost(name: str, link: Link) -> str:
    """The sentence about a requester who may not run plans on the link any more."""
    return f"{name} is no longer permitted to run plans on {link.name}, or the token of the request has ended."


def _why_exception_is_over(run: Run, approval: Approval) -> Refusal | None:
    """The time limit is for the start only: a run that has started is executed to its end."""
    if run.started_at is None and approval.expires_at is not None and approval.expires_at <= timezone.now():
        return Refusal("exception_expired", "The exception without a second person has expired. Nothing was sent.")
    return None


def _run_parts(run: Run, epoch: int) -> tuple[object, ...]:
    plan = run.plan
    rule = (run.needs_approval, run.approval_round)
    bound = (run.id, plan.id, plan.digest, run.link_id, run.kind, run.requested_by, *rule, epoch)
    return (*bound, *_rule_parts(run), *token_parts(run.token_id))


def _approval_parts(approval: Approval) -> tuple[object, ...]:
    bound = (approval.run_id, approval.round, approval.digest, approval.approver, _text(approval.at))
    until = (approval.is_exception, _text(approval.expires_at))
    return (*bound, *until, *_rule_parts(approval.run), *token_parts(approval.token_id))


def _rule_parts(run: Run) -> tuple[object, ...]:
    """Nothing where one person approves: an earlier version, which may run beside this one, knows no other rule."""
    rule = ApprovalRule.from_json(run.approval_rule)
    return () if run.approval_rule is None else (rule.needed, *rule.approvers)


def token_parts(token_id: str) -> tuple[object, ...]:
    """What a MAC binds of a token: nothing without one, as above; never what could be the name of an approver."""
    return (f"token {token_id}",) if token_id else ()


def _text(at: datetime | None) -> str:
    return "" if at is None else at.isoformat()
