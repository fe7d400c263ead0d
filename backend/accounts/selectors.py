"""Reads accounts."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.accounts.models import ApiToken, User
from backend.common.errors import not_found
from backend.common.roles import PERMISSIONS


def me(user: User) -> dict[str, Any]:
    """What the page needs to know of its user and server."""
    role = user.acting_role
    return {
        "username": user.username,
        "role": role.value,
        "permissions": sorted(p.value for p in PERMISSIONS[role]),
        "demo": settings.HAWSER_DEMO,
        "server_time": timezone.now(),
        "version": settings.HAWSER_VERSION,
    }


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Tokens of a user that still work."""
    live = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return ApiToken.objects.filter(live, user=user, revoked_at=None).order_by("-created_at")


def token_of(user: User, token_id: str) -> ApiToken:
    """One token of that user; nobody sees another's."""
    token = tokens_of(user).filter(pk=token_id).first()
    if token is None:
        raise not_found("token")
    return token


def user_named(username: str) -> User:
    """A user by name."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise not_found("user")
    return user


def users() -> QuerySet[User]:
    """All users by name."""
    return User.objects.order_by("username")
