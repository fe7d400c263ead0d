"""Webhooks over HTTP."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get
from backend.common.rest.limits import slow_call
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission, may
from backend.hooks import selectors, services
from backend.hooks.serializers import (
    DeliveryPageSerializer,
    DeliveryQuerySerializer,
    DeliverySerializer,
    HookChangeSerializer,
    HookInSerializer,
    HookPageSerializer,
    HookSerializer,
)


def _in_full(request: Request) -> bool:
    return may(getattr(request.user, "acting_role"), Permission.LINKS)  # noqa: B009 - set by authentication


class LinkHooksView(ConsoleView):
    """Webhooks of a link. Adding one holds a secret, so the answer is not kept for repeats."""

    permissions = {"GET": Permission.READ, "POST": Permission.LINKS}
    keyed = False

    @extend_schema(operation_id="hook_list", responses=HookPageSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """All of them by name."""
        shown = selectors.hooks_of(link_get(link_id), in_full=_in_full(request))
        return respond(HookPageSerializer, {"results": shown, "next": None})

    @extend_schema(
        operation_id="hook_create", request=HookInSerializer, responses={201: HookSerializer, 409: ConflictSerializer}
    )
    def post(self, request: Request, link_id: str) -> Response:
        """Add one; plans made from now on call it."""
        link = link_get(link_id)
        hook = services.hook_create(
            actor=request.user.get_username(), link=link, **validated_body(request, HookInSerializer)
        )
        return respond(HookSerializer, selectors.hook_view(hook, in_full=True), status=201)


class HookView(ConsoleView):
    """One webhook."""

    permissions = {"GET": Permission.READ, "PATCH": Permission.LINKS, "DELETE": Permission.LINKS}
    keyed = False

    @extend_schema(operation_id="hook_read", responses=HookSerializer)
    def get(self, request: Request, hook_id: str) -> Response:
        """The webhook with its last call."""
        hook = selectors.hook_get(hook_id)
        return respond(HookSerializer, selectors.hook_view(hook, in_full=_in_full(request)))

    @extend_schema(
        operation_id="hook_update",
        request=HookChangeSerializer,
        responses={200: HookSerializer, 409: ConflictSerializer},
    )
    def patch(self, request: Request, hook_id: str) -> Response:
        """Change it; plans made before call it as it is then."""
        hook = selectors.hook_get(hook_id)
        changes = validated_body(request, HookChangeSerializer)
        changed = services.hook_update(actor=request.user.get_username(), hook=hook, **changes)
        return respond(HookSerializer, selectors.hook_view(changed, in_full=True))

    @extend_schema(operation_id="hook_delete", responses={204: None})
    def delete(self, request: Request, hook_id: str) -> Response:
        """Remove it."""
        services.hook_delete(actor=request.user.get_username(), hook=selectors.hook_get(hook_id))
        return Response(status=204)


class HookTestView(ConsoleView):
    """Does the receiver take a call?"""

    permissions = {"POST": Permission.LINKS}

    @extend_schema(operation_id="hook_test", request=EmptySerializer, responses=DeliverySerializer)
    @slow_call
    def post(self, request: Request, hook_id: str) -> Response:
        """Call it once, now; a refusal of the receiver is an answer too."""
        hook = selectors.hook_get(hook_id)
        validated_body(request, EmptySerializer)
        delivery = services.hook_test(actor=request.user.get_username(), hook=hook)
        return respond(DeliverySerializer, selectors.delivery_view(delivery, in_full=True))


class HookDeliveriesView(ConsoleView):
    """Calls of a webhook."""

    permissions = {"GET": Permission.READ}

    @extend_schema(
        operation_id="hook_deliveries", parameters=[DeliveryQuerySerializer], responses=DeliveryPageSerializer
    )
    def get(self, request: Request, hook_id: str) -> Response:
        """Newest first."""
        hook = selectors.hook_get(hook_id)
        asked = validated_query(request, DeliveryQuerySerializer)
        cursor, in_full = asked.get("cursor"), _in_full(request)
        page = selectors.delivery_page(hook, cursor=cursor, limit=asked["limit"], in_full=in_full)
        return respond(DeliveryPageSerializer, page)
