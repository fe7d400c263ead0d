"""The REST views of the change calendar."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get
from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.operations.change_calendar import selectors, services
from backend.operations.change_calendar.serializers import (
    ChangeCalendarSerializer,
    DeleteReasonSerializer,
    FreezeInSerializer,
    FreezeSerializer,
    LinkCalendarSerializer,
    WindowInSerializer,
    WindowSerializer,
)


class ChangeCalendarView(ConsoleView):
    """The change calendar."""

    permissions = {"GET": Permission.READ}

    @operation("change_calendar_read", "Get the change calendar", responses=ChangeCalendarSerializer)
    def get(self, request: Request) -> Response:
        """Get all change windows, and the freezes that are not over."""
        return respond(ChangeCalendarSerializer, selectors.calendar_view())


class LinkCalendarView(ConsoleView):
    """The change calendar of one link."""

    permissions = {"GET": Permission.READ}

    @operation("link_calendar_read", "Get the change calendar of a link", responses=LinkCalendarSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get whether planned operations of the link may start now, why not, and when the next one may."""
        return respond(LinkCalendarSerializer, selectors.link_calendar_view(link_get(link_id).pk))


class ChangeWindowsView(ConsoleView):
    """Change windows."""

    permissions = {"POST": Permission.LINKS}

    @operation(
        "change_window_create",
        "Add a change window",
        codes=("too_many_calendar_entries",),
        request=WindowInSerializer,
        responses={201: WindowSerializer, 409: ConflictSerializer},
    )
    @stored_with_effect
    def post(self, request: Request) -> Response:
        """Add a weekly window, or one that opens once. From then on its links have only the times of their windows."""
        given = validated_body(request, WindowInSerializer)
        return respond(WindowSerializer, services.window_create(actor=request.user.get_username(), **given), status=201)


class ChangeWindowDeleteView(ConsoleView):
    """The end of a change window."""

    permissions = {"POST": Permission.LINKS}

    @operation("change_window_delete", "Delete a change window", request=DeleteReasonSerializer, responses={204: None})
    @stored_with_effect
    def post(self, request: Request, window_id: str) -> Response:
        """Delete a change window. A link without any window has no restriction."""
        window = selectors.window_get(window_id)
        given = validated_body(request, DeleteReasonSerializer)
        services.window_delete(actor=request.user.get_username(), window=window, **given)
        return Response(status=204)


class ChangeFreezesView(ConsoleView):
    """Freezes."""

    permissions = {"POST": Permission.LINKS}

    @operation(
        "change_freeze_create",
        "Add a freeze",
        codes=("too_many_calendar_entries",),
        request=FreezeInSerializer,
        responses={201: FreezeSerializer, 409: ConflictSerializer},
    )
    @stored_with_effect
    def post(self, request: Request) -> Response:
        """Add a time in which no planned operation starts."""
        given = validated_body(request, FreezeInSerializer)
        return respond(FreezeSerializer, services.freeze_create(actor=request.user.get_username(), **given), status=201)


class ChangeFreezeDeleteView(ConsoleView):
    """The end of a freeze."""

    permissions = {"POST": Permission.LINKS}

    @operation("change_freeze_delete", "Delete a freeze", request=DeleteReasonSerializer, responses={204: None})
    @stored_with_effect
    def post(self, request: Request, freeze_id: str) -> Response:
        """Delete a freeze, also before it is over."""
        freeze = selectors.freeze_get(freeze_id)
        given = validated_body(request, DeleteReasonSerializer)
        services.freeze_delete(actor=request.user.get_username(), freeze=freeze, **given)
        return Response(status=204)
