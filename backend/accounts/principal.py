"""Who calls, where the role table has already said that somebody must."""

from __future__ import annotations

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from backend.accounts.models import User


def principal(request: Request) -> User:
    """The signed-in user."""
    if not isinstance(request.user, User):
        raise NotAuthenticated("Sign in first.")
    return request.user
