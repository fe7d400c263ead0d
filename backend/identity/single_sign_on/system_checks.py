"""`manage.py check` warns of a sign-in that works on paper only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core import checks

from backend.identity.accounts.models import User


@checks.register(checks.Tags.database)
def check_break_glass_users(databases: Sequence[str] | None = None, **_: Any) -> Sequence[checks.CheckMessage]:
    """No user gets in while no provider answers, unless one of the named users exists and has a password."""
    if not databases or settings.HAWSER_LOCAL_SIGN_IN != "break_glass":
        return []
    named = User.objects.filter(username__in=settings.HAWSER_BREAK_GLASS_USERS, is_active=True)
    if any(user.has_usable_password() for user in named):
        return []
    return [
        checks.Warning(
            "None of HAWSER_BREAK_GLASS_USERS is an active user with a password.",
            hint="Without a provider no user can sign in. Create one with `manage.py hawser_user`.",
            id="hawser.W010",
        )
    ]


@checks.register()
def check_group_roles(**_: Any) -> Sequence[checks.CheckMessage]:
    """No group makes an administrator: then only local users can manage Hawser."""
    has_provider = settings.HAWSER_OIDC_ISSUER or settings.HAWSER_LDAP_URL
    if not has_provider or "admin" in settings.HAWSER_GROUP_ROLES.values():
        return []
    return [
        checks.Info(
            "No group of HAWSER_GROUP_ROLES has the role admin.",
            hint="Only local users can manage users, clusters and links. Keep a local administrator.",
            id="hawser.I001",
        )
    ]
