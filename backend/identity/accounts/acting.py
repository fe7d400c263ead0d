"""Who asked for something, as that one may act now: the user, with the token that was used."""

from __future__ import annotations

from django.utils import timezone

from backend.common.actors import RESERVED
from backend.identity.accounts.models import ApiToken, User


def has_account(actor: str) -> bool:
    """Whether the actor is a user of the console: the command line, and Hawser itself, have no account."""
    return " " not in actor and actor not in RESERVED


def acting_user(name: str, token_id: str) -> User | None:
    """The active user of that name, acting with the token; None without such a user, or where the token has ended."""
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None or not token_id:
        return user
    live = ApiToken.objects.filter(pk=token_id, user=user, revoked_at=None, expires_at__gt=timezone.now())
    user.token_in_use = live.first()
    return None if user.token_in_use is None else user
