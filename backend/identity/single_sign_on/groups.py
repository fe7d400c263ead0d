"""Groups to roles, by the declared mapping."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings

from backend.common.errors import ProblemError, forbidden
from backend.common.roles import PERMISSIONS, Role


def role_of(groups: Iterable[str]) -> Role | None:
    """The role of these groups that may do most; None if the mapping names none of them. Case matters."""
    mapping = settings.HAWSER_GROUP_ROLES
    roles = [Role(mapping[group]) for group in groups if group in mapping]
    return max(roles, key=lambda role: len(PERMISSIONS[role])) if roles else None


def no_role(username: str) -> ProblemError:
    """None of the user's groups is declared."""
    return forbidden(
        "no_role_by_group",
        f"{username} is in no group that has a role in Hawser. You are not signed in. Ask an administrator of your "
        "provider for membership of such a group.",
    )
