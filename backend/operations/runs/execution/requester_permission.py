"""Whether the requester of a run is still permitted on its link; checked again at each decisive moment."""

from __future__ import annotations

from backend.common.actors import AUTOMATION
from backend.common.roles import Permission
from backend.identity.access.deciding import may_on_link
from backend.identity.accounts.models import User
from backend.operations.runs.models import Run


def requester_may_run(run: Run) -> bool:
    """Whether the requester still has the permission; the command line and the automation have no account."""
    if " " in run.requested_by or run.requested_by == AUTOMATION:
        return True
    return user_who_may(run.requested_by, Permission.RUN, run.link_id) is not None


def user_who_may(name: str, permission: Permission, link_id: str) -> User | None:
    """The active user of that name; None where there is none, or who has no such permission on the link."""
    user = User.objects.filter(username=name, is_active=True).first()
    return user if user is not None and may_on_link(user, permission, link_id) else None
