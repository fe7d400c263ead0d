"""The caller of a view whose role table requires a sign-in."""

from __future__ import annotations

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from backend.identity.accounts.models import User


def principal(request: Request) -> User:
    """The signed-in user."""
    if not isinstance(request.user, User):
        raise NotAuthenticated("Sign in first, or send an API token.")
    return request.user
