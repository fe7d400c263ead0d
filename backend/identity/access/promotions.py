"""Holds back what makes a user a second person: a role that was assigned counts like a promotion of the user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from backend.common.privileges import Privileges
from backend.common.roles import Permission
from backend.identity.accounts.models import User
from backend.identity.accounts.privileges import held_by
from backend.identity.accounts.services import hold_back


@contextmanager
def held_back(users: Iterable[User], actor: str, action: str) -> Iterator[None]:
    """Announce each user who may run or approve more after the block than before it."""
    before = [(user, held_by(user)) for user in users]
    yield
    for user, earlier in before:
        gained = [one for one in (Permission.RUN, Permission.APPROVE) if _gains(earlier, held_by(user), one)]
        if gained:
            hold_back(user, actor, "assigned", action, is_approver=Permission.APPROVE in gained)


def _gains(before: Privileges, after: Privileges, permission: Permission) -> bool:
    if permission in after.everywhere:
        return permission not in before.everywhere
    return any(permission in held - before.on_link(link_id) for link_id, held in after.links.items()) or any(
        permission in held - before.on_cluster(cluster_id) for cluster_id, held in after.clusters.items()
    )
