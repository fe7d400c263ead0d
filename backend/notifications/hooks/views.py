"""The REST views of webhooks."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get, registered_link_get
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.scope import privileges_of
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.notifications.hooks import selectors, services
from backend.notifications.hooks.serializers import (
    DeliveryPageSerializer,
    DeliveryQuerySerializer,
    DeliverySerializer,
    HookChangeSerializer,
    HookInSerializer,
    HookPageSerializer,
    HookSerializer,
)


def in_full(request: Request, link_id: str | None) -> bool:
    """Whether the caller may change webhooks of the link (None: of all links), and is shown more of them."""
    privileges = privileges_of(request)
    return Permission.LINKS in (privileges.on_link(link_id) if link_id else privileges.everywhere)


class LinkHooksView(ConsoleView):
    """Webhooks of a link. A new one holds a secret, so its response is not stored for repeated calls."""

    permissions = {"GET": Permission.READ, "POST": Permission.LINKS}
    keyed = False

    @operation("hook_list", "List the webhooks of a link", responses=HookPageSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """List all webhooks of a link by name."""
        shown = selectors.hooks_of(link_get(link_id), in_full=in_full(request, link_id))
        return respond(HookPageSerializer, {"results": shown, "next": None})

    @operation(
        "hook_create",
        "Create a webhook",
        codes=(
            "hook_exists",
            "too_many_hooks",
            "address_refused",
        ),
        request=HookInSerializer,
        responses={201: HookSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, link_id: str) -> Response:
        """Create a webhook. Plans created from now on call it."""
        link = registered_link_get(link_id)
        hook = services.hook_create(
            actor=request.user.get_username(), link=link, **validated_body(request, HookInSerializer)
        )
        return respond(HookSerializer, selectors.hook_view(hook, in_full=True), status=201)


class HookView(ConsoleView):
    """One webhook."""

    permissions = {"GET": Permission.READ, "PATCH": Permission.LINKS, "DELETE": Permission.LINKS}
    keyed = False

    @operation("hook_read", "Get a webhook", responses=HookSerializer)
    def get(self, request: Request, hook_id: str) -> Response:
        """Get a webhook with its last delivery."""
        hook = selectors.hook_get(hook_id)
        return respond(HookSerializer, selectors.hook_view(hook, in_full=in_full(request, hook.link_id)))

    @operation(
        "hook_update",
        "Update a webhook",
        codes=(
            "hook_exists",
            "address_refused",
        ),
        request=HookChangeSerializer,
        responses={200: HookSerializer, 409: ConflictSerializer},
    )
    def patch(self, request: Request, hook_id: str) -> Response:
        """Change a webhook. Plans that exist call it with its new settings."""
        hook = selectors.hook_get(hook_id)
        changes = validated_body(request, HookChangeSerializer)
        changed = services.hook_update(actor=request.user.get_username(), hook=hook, **changes)
        return respond(HookSerializer, selectors.hook_view(changed, in_full=True))

    @operation("hook_delete", "Delete a webhook", responses={204: None})
    def delete(self, request: Request, hook_id: str) -> Response:
        """Delete a webhook and its deliveries."""
        services.hook_delete(actor=request.user.get_username(), hook=selectors.hook_get(hook_id))
        return Response(status=204)


class HookTestView(ConsoleView):
    """The test of a receiver."""

    permissions = {"POST": Permission.LINKS}

    @operation(
        "hook_test",
        "Send a test delivery",
        request=EmptySerializer,
        responses=DeliverySerializer,
    )
    @slow_call
    def post(self, request: Request, hook_id: str) -> Response:
        """Call the receiver once. The response reports the outcome, also when the receiver refused the call."""
        hook = selectors.hook_get(hook_id)
        validated_body(request, EmptySerializer)
        delivery = services.hook_test(actor=request.user.get_username(), hook=hook)
        return respond(DeliverySerializer, selectors.delivery_view(delivery, in_full=True))


class HookDeliveriesView(ConsoleView):
    """Deliveries of a webhook."""

    permissions = {"GET": Permission.READ}

    @operation(
        "hook_deliveries",
        "List the deliveries of a webhook",
        parameters=[DeliveryQuerySerializer],
        responses=DeliveryPageSerializer,
    )
    def get(self, request: Request, hook_id: str) -> Response:
        """List one page of deliveries, newest first."""
        hook = selectors.hook_get(hook_id)
        asked = validated_query(request, DeliveryQuerySerializer)
        page = selectors.delivery_page(
            hook, cursor=asked.get("cursor"), limit=asked["limit"], in_full=in_full(request, hook.link_id)
        )
        return respond(DeliveryPageSerializer, page)
