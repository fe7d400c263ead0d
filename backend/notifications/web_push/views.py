"""The REST views of Web Push: the caller's own browsers, from a session only."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import forbidden
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.identity.accounts.models import User
from backend.identity.accounts.principal import principal
from backend.notifications.web_push import selectors, services
from backend.notifications.web_push.address import PushAddress
from backend.notifications.web_push.delivery import GONE
from backend.notifications.web_push.serializers import (
    PushSerializer,
    PushSubscriptionInSerializer,
    PushSubscriptionSerializer,
    PushTestSerializer,
)


def _session_user(request: Request) -> User:
    """The caller; a token is refused, because a browser that it added would get messages after the token ended."""
    user = principal(request)
    if user.token_in_use is not None:
        raise forbidden(
            "session_needed", "Browsers are added in a session. Nothing was added. Sign in with your password."
        )
    return user


class PushView(ConsoleView):
    """Web Push for the caller."""

    permissions = {"GET": Permission.SESSION}

    @operation("push_read", "Get the public key and your browsers", responses=PushSerializer)
    def get(self, request: Request) -> Response:
        """Get the key with which a browser subscribes, and the browsers of the current user."""
        return respond(PushSerializer, selectors.push_of(principal(request)))


class PushSubscriptionsView(ConsoleView):
    """Browsers of the caller. The body holds secrets of the browser, so its response is not stored."""

    permissions = {"POST": Permission.SESSION}
    keyed = False

    @operation(
        "push_subscription_create",
        "Add this browser",
        codes=(
            "session_needed",
            "push_not_configured",
            "too_many_push_subscriptions",
            "address_refused",
        ),
        request=PushSubscriptionInSerializer,
        responses={201: PushSubscriptionSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request) -> Response:
        """Add a browser, or change what it is told of: the same endpoint again replaces keys and choice."""
        user, given = _session_user(request), validated_body(request, PushSubscriptionInSerializer)
        address = PushAddress(given.pop("endpoint"), given.pop("p256dh"), given.pop("auth"))
        agent = request.headers.get("User-Agent", "")
        stored = services.subscribe(user=user, address=address, user_agent=agent, choice=given)
        return respond(PushSubscriptionSerializer, stored, status=201)


class PushSubscriptionView(ConsoleView):
    """One browser of the caller."""

    permissions = {"DELETE": Permission.SESSION}

    @operation("push_subscription_delete", "Remove one of your browsers", responses={204: None})
    def delete(self, request: Request, subscription_id: str) -> Response:
        """Remove a browser of the current user. It gets no more messages."""
        user = principal(request)
        found = selectors.subscription_of(user, subscription_id)
        services.unsubscribe(actor=user.username, subscription=found)
        return Response(status=204)


class PushTestView(ConsoleView):
    """The test of a browser."""

    permissions = {"POST": Permission.SESSION}

    @operation(
        "push_subscription_test",
        "Send a test notification",
        request=EmptySerializer,
        responses=PushTestSerializer,
    )
    @slow_call
    def post(self, request: Request, subscription_id: str) -> Response:
        """Send one message now. The response reports the outcome, also when the push service refused it."""
        found = selectors.subscription_of(principal(request), subscription_id)
        validated_body(request, EmptySerializer)
        reply = services.subscription_test(found)
        outcome = {
            "is_accepted": reply.is_taken,
            "status": reply.status,
            "error": reply.error,
            "is_removed": reply.status in GONE,
        }
        return respond(PushTestSerializer, outcome)
