"""Whether who requested or approved a run still may on every link that it asks, with the token that was used; asked at
each decisive moment."""

from __future__ import annotations

from collections.abc import Iterable

from backend.clusters.models import Link
from backend.common.roles import Permission
from backend.identity.access.deciding import may_on_link
from backend.identity.accounts.acting import acting_user, has_account
from backend.identity.accounts.models import User
from backend.operations.runs.asked_links import asked_links
from backend.operations.runs.models import Approval, Plan, Run


def refusing_requester(run: Run) -> Link | None:
    """The first link on which who asks for the run may not run plans any more; None if on all that person may.

    The command line and Hawser itself have no account.
    """
    if not has_account(run.asked_by):
        return None
    return refusing_user(run.asked_by, Permission.RUN, run.plan, token_id=run.token_id)


def approver_may_approve(approval: Approval) -> bool:
    """Whether the approver still has the permission on all links, and was a second person when approving.

    Whose account was promoted, enabled or got a new password since counts from later on, maybe in other hands. An
    exception at the shell has no account.
    """
    if approval.is_exception:
        return True
    user = acting_user(approval.approver, approval.token_id)
    if user is None or user.second_person_from > approval.at:
        return False
    return first_refusing(user, Permission.APPROVE, asked_links(approval.run.plan)) is None


def refusing_user(name: str, permission: Permission, plan: Plan, *, token_id: str = "") -> Link | None:
    """The first link of those that the plan asks on which no active user of that name, with that live token, has the
    permission."""
    user = acting_user(name, token_id)
    return plan.link if user is None else first_refusing(user, permission, asked_links(plan))


def first_refusing(user: User, permission: Permission, links: Iterable[Link]) -> Link | None:
    """The first of the links on which the user does not have the permission."""
    held = user.privileges()
    return next((link for link in links if permission not in held.on_link(link.pk)), None)


def user_who_may(name: str, permission: Permission, link_id: str, *, token_id: str = "") -> User | None:
    """The active user of that name, acting with the token; None without such a user, live token or permission."""
    user = acting_user(name, token_id)
    return user if user is not None and may_on_link(user, permission, link_id) else None
