"""Reads the subscriptions of a user; no user reads those of another one."""

from __future__ import annotations

from typing import Any

from backend.common.errors import not_found
from backend.identity.accounts.models import User
from backend.notifications.web_push import vapid
from backend.notifications.web_push.models import PushSubscription
from backend.notifications.web_push.services import AT_MOST


def push_of(user: User) -> dict[str, Any]:
    """What the page needs: the public key, and the browsers of the user."""
    return {
        "public_key": vapid.public_key(),
        "subscriptions": PushSubscription.objects.filter(user=user),
        "at_most": AT_MOST,
    }


def subscription_of(user: User, subscription_id: str) -> PushSubscription:
    """A browser of that user; 404 if it has none with that id."""
    found = PushSubscription.objects.select_related("user").filter(user=user, pk=subscription_id).first()
    if found is None:
        raise not_found("browser")
    return found
