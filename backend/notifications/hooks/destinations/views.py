"""The REST views of destinations."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import registered_link_get
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.notifications.hooks.destinations import selectors, services
from backend.notifications.hooks.destinations.serializers import (
    DestinationChangeSerializer,
    DestinationInSerializer,
    DestinationPageSerializer,
    DestinationSerializer,
)
from backend.notifications.hooks.selectors import delivery_page, delivery_view
from backend.notifications.hooks.serializers import DeliveryPageSerializer, DeliveryQuerySerializer, DeliverySerializer
from backend.notifications.hooks.views import in_full


class DestinationsView(ConsoleView):
    """All destinations. A new one holds a secret, so its response is not stored for repeated calls."""

    permissions = {"GET": Permission.READ, "POST": Permission.LINKS}
    keyed = False

    @operation("destination_list", "List the destinations", responses=DestinationPageSerializer)
    def get(self, request: Request) -> Response:
        """List all destinations by name."""
        shown = selectors.destinations(in_full=in_full(request, None))
        return respond(DestinationPageSerializer, {"results": shown, "next": None})

    @operation(
        "destination_create",
        "Create a destination",
        codes=("destination_exists", "too_many_destinations", "address_refused"),
        request=DestinationInSerializer,
        responses={201: DestinationSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a destination. It is notified of events from now on."""
        given = validated_body(request, DestinationInSerializer)
        link_id = given.pop("link_id")
        link = registered_link_get(link_id) if link_id is not None else None
        hook = services.destination_create(actor=request.user.get_username(), link=link, **given)
        return respond(DestinationSerializer, selectors.destination_view(hook, in_full=True), status=201)


class DestinationView(ConsoleView):
    """One destination."""

    permissions = {"GET": Permission.READ, "PATCH": Permission.LINKS, "DELETE": Permission.LINKS}
    keyed = False

    @operation("destination_read", "Get a destination", responses=DestinationSerializer)
    def get(self, request: Request, destination_id: str) -> Response:
        """Get a destination with its last delivery."""
        hook = selectors.destination_get(destination_id)
        return respond(DestinationSerializer, selectors.destination_view(hook, in_full=in_full(request, hook.link_id)))

    @operation(
        "destination_update",
        "Update a destination",
        codes=("destination_exists", "address_refused"),
        request=DestinationChangeSerializer,
        responses={200: DestinationSerializer, 409: ConflictSerializer},
    )
    def patch(self, request: Request, destination_id: str) -> Response:
        """Change a destination. Its service and link stay; what it is sent from now on is sent by its new settings."""
        hook = selectors.destination_get(destination_id)
        changes = validated_body(request, DestinationChangeSerializer)
        changed = services.destination_update(actor=request.user.get_username(), hook=hook, **changes)
        return respond(DestinationSerializer, selectors.destination_view(changed, in_full=True))

    @operation("destination_delete", "Delete a destination", responses={204: None})
    def delete(self, request: Request, destination_id: str) -> Response:
        """Delete a destination and its deliveries."""
        hook = selectors.destination_get(destination_id)
        services.destination_delete(actor=request.user.get_username(), hook=hook)
        return Response(status=204)


class DestinationTestView(ConsoleView):
    """The test of a destination."""

    permissions = {"POST": Permission.LINKS}

    @operation(
        "destination_test",
        "Test a destination",
        request=EmptySerializer,
        responses={202: DeliverySerializer},
    )
    def post(self, request: Request, destination_id: str) -> Response:
        """Have a worker send a test now, once. Read the deliveries for its outcome."""
        hook = selectors.destination_get(destination_id)
        validated_body(request, EmptySerializer)
        delivery = services.destination_test(actor=request.user.get_username(), hook=hook)
        return respond(DeliverySerializer, delivery_view(delivery, in_full=True), status=202)


class DestinationDeliveriesView(ConsoleView):
    """Deliveries of a destination."""

    permissions = {"GET": Permission.READ}

    @operation(
        "destination_deliveries",
        "List the deliveries of a destination",
        parameters=[DeliveryQuerySerializer],
        responses=DeliveryPageSerializer,
    )
    def get(self, request: Request, destination_id: str) -> Response:
        """List one page of deliveries, newest first."""
        hook = selectors.destination_get(destination_id)
        asked = validated_query(request, DeliveryQuerySerializer)
        page = delivery_page(
            hook, cursor=asked.get("cursor"), limit=asked["limit"], in_full=in_full(request, hook.link_id)
        )
        return respond(DeliveryPageSerializer, page)
