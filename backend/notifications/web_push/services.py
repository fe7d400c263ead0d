"""Adds, tests and removes subscriptions; adding and removing is recorded in the audit log, without addresses."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import transaction

from backend.audit import services as audit
from backend.common import ids
from backend.common.errors import conflict
from backend.common.events.selectors import latest_id
from backend.common.outgoing.http_client import Reply
from backend.core.plural import pluralize
from backend.identity.accounts.models import User
from backend.notifications.web_push.address import PushAddress, check_address, endpoint_digests, seal_address
from backend.notifications.web_push.delivery import attempt
from backend.notifications.web_push.messages import message_for_test
from backend.notifications.web_push.models import PushSubscription
from backend.notifications.web_push.sending import send

AT_MOST = 10
"""Browsers of one user."""


def subscribe(*, user: User, address: PushAddress, user_agent: str, choice: dict[str, bool]) -> PushSubscription:
    """Add this browser. One that is subscribed already gets the new keys and choice, and belongs to this user."""
    if not settings.HAWSER_WEB_PUSH_KEY:
        raise conflict(
            "push_not_configured",
            "Web Push is not configured. The browser was not added. An administrator can set HAWSER_WEB_PUSH_KEY.",
        )
    target, digests = check_address(address), endpoint_digests(address.endpoint)
    with transaction.atomic():
        # Two requests of a user at once neither add a browser twice nor exceed the limit.
        User.objects.select_for_update().get(pk=user.pk)
        known = _known(user, digests)
        stored = known or _new(user, target.host, user_agent[:200])
        stored.endpoint_digest = digests[0]
        stored.sealed = seal_address(address, subscription_id=stored.pk)
        for name, value in choice.items():
            setattr(stored, name, value)
        stored.save()
        if known is None:
            facts = {"push_service": stored.push_service, "user_agent": stored.user_agent, **choice}
            _record(user.username, stored, "create", facts)
    return stored


def _known(user: User, digests: list[str]) -> PushSubscription | None:
    """The subscription of this browser; that of another user is removed."""
    known = PushSubscription.objects.select_for_update().filter(endpoint_digest__in=digests).first()
    if known is not None and known.user_id != user.pk:
        unsubscribe(actor=user.username, subscription=known)
        return None
    return known


def _new(user: User, push_service: str, user_agent: str) -> PushSubscription:
    if PushSubscription.objects.filter(user=user).count() >= AT_MOST:
        raise conflict(
            "too_many_push_subscriptions",
            f"You have {pluralize(AT_MOST, 'browser')} with Web Push, which is the limit. This one was not added. "
            "Remove one first.",
        )
    return PushSubscription(
        id=ids.push_subscription_id(),
        user=user,
        push_service=push_service,
        user_agent=user_agent,
        event_cursor=latest_id(),
    )


@transaction.atomic
def unsubscribe(*, actor: str, subscription: PushSubscription) -> None:
    """Remove a browser with its messages."""
    _record(actor, subscription, "delete", {"push_service": subscription.push_service})
    subscription.delete()


def subscription_test(subscription: PushSubscription) -> Reply:
    """Send a message now. That the push service refuses it is a result, not an error."""
    reply = send(subscription, message_for_test())
    attempt(subscription, reply)
    return reply


def end_subscriptions(user: User | None) -> int:
    """Remove all browsers of the user, or of all users; returns their number. The caller records it."""
    rows = PushSubscription.objects.all() if user is None else PushSubscription.objects.filter(user=user)
    count = rows.count()
    rows.delete()
    return count


def _record(actor: str, subscription: PushSubscription, what: str, facts: dict[str, Any]) -> None:
    owner = {"user": subscription.user.username}
    audit.record(actor=actor, action=f"api:push_subscription:{what}", target=subscription.pk, facts={**owner, **facts})
