"""Whether who requested or approved a run still may, with the token that was used; asked at each decisive moment."""

from __future__ import annotations

from django.utils import timezone

from backend.common.actors import AUTOMATION
from backend.common.roles import Permission
from backend.identity.access.deciding import may_on_link
from backend.identity.accounts.models import ApiToken, User
from backend.operations.runs.models import Approval, Run


def requester_may_run(run: Run) -> bool:
    """Whether who asks for the run still has the permission; the command line and the automation have no account."""
    if " " in run.asked_by or run.asked_by == AUTOMATION:
        return True
    return user_who_may(run.asked_by, Permission.RUN, run.link_id, token_id=run.token_id) is not None


def approver_may_approve(approval: Approval) -> bool:
    """Whether the approver still has the permission; an exception at the shell has no account."""
    if approval.is_exception:
        return True
    link_id = approval.run.link_id
    return user_who_may(approval.approver, Permission.APPROVE, link_id, token_id=approval.token_id) is not None


def user_who_may(name: str, permission: Permission, link_id: str, *, token_id: str = "") -> User | None:
    """The active user of that name, acting with the token; None without such a user, live token or permission."""
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None:
        return None
    if token_id:
        live = ApiToken.objects.filter(pk=token_id, user=user, revoked_at=None, expires_at__gt=timezone.now())
        user.token_in_use = live.first()
        if user.token_in_use is None:
            return None
    return user if may_on_link(user, permission, link_id) else None
