"""Who may approve a run: one function, which approval, rejection, lists and pages ask."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from backend.common.errors import ProblemError, forbidden
from backend.common.roles import Permission
from backend.core.approvals import ApprovalRule
from backend.identity.access.deciding import may_on_link
from backend.identity.accounts.models import User
from backend.identity.accounts.persons import are_one_person
from backend.identity.accounts.second_person import why_asked_for, why_behind, why_not_second_person
from backend.operations.runs.asked_links import asked_links
from backend.operations.runs.execution.authorization import counted_approvals, people_behind
from backend.operations.runs.held_permissions import first_refusing
from backend.operations.runs.models import Plan, Run


def why_cannot_approve(user: User, run: Run) -> ProblemError | None:
    """Why this user cannot approve the run now: no such permission on its link, or for a reason below."""
    if not may_on_link(user, Permission.APPROVE, run.link_id):
        return forbidden("forbidden", "Your role does not include approving runs.")
    return why_not_approve(user, run)


def why_not_approve(user: User, run: Run) -> ProblemError | None:
    """Why this user cannot approve the run: for a reason below, without the permission elsewhere, or has already."""
    return why_not_decide(user, run) or why_not_permitted(user, Permission.APPROVE, run.plan) or _why_already(user, run)


def why_not_decide(user: User, run: Run) -> ProblemError | None:
    """Why this user cannot decide on the run; who approved it can still reject it."""
    if not ApprovalRule.from_json(run.approval_rule).names(user.username, are_one_person):
        return forbidden(
            "not_named_approver",
            f"The approval rule of {_names_of(run)} names the users who may approve this run, and you are not one of "
            "them. One of them must decide.",
        )
    own = forbidden("own_run", "You requested this run. Another user with the approver role must approve it.")
    if (problem := why_behind(user, people_behind(run))) is not None:
        return problem
    since = run.approval_requested_at or run.created_at
    return why_not_person(user, (run.requested_by, run.resumed_by, *people_behind(run)), own=own, since=since)


def _names_of(run: Run) -> str:
    return " and ".join(link.name for link in asked_links(run.plan) if link.requires_approval) or run.link.name


def why_not_permitted(user: User, permission: Permission, plan: Plan) -> ProblemError | None:
    """Why the user may not act by this plan: without the permission on another link over one of its clusters."""
    refusing = first_refusing(user, permission, asked_links(plan)[1:])
    if refusing is None:
        return None
    return forbidden(
        "other_link_not_permitted",
        f"This plan acts on a cluster that {refusing.name} joins as well, and your role on that link does not include "
        f"the permission “{permission}”. Nothing was sent. Have a user act who may on each of these links.",
        link_id=refusing.pk,
    )


def check_permitted(user: User, permission: Permission, plan: Plan) -> None:
    """Raise what `why_not_permitted` returns."""
    if (problem := why_not_permitted(user, permission, plan)) is not None:
        raise problem


def _why_already(user: User, run: Run) -> ProblemError | None:
    if not has_approved(user.username, run):
        return None
    return forbidden("already_approved", "You have approved this run already. Another user must approve it as well.")


def has_approved(person: str, run: Run) -> bool:
    """Whether this person's approval of the current round counts."""
    return any(are_one_person(person, one.approver) for one in counted_approvals(run))


def why_not_person(user: User, askers: Sequence[str], *, own: ProblemError, since: datetime) -> ProblemError | None:
    """Why the user is, may be or controls one of the requesters, or was not a second person at `since`."""
    return why_asked_for(user, askers, own=own) or why_not_second_person(user, since=since)


def check_person(user: User, askers: Sequence[str], *, own: ProblemError, since: datetime) -> None:
    """Raise what `why_not_person` returns."""
    if (problem := why_not_person(user, askers, own=own, since=since)) is not None:
        raise problem
