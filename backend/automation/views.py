"""The endpoints of automatic relocate and automatic start."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.automation import selectors, services, starts
from backend.automation.serializers import (
    AutomaticStartInSerializer,
    AutomaticStartSerializer,
    AutomationInSerializer,
    AutomationSerializer,
)
from backend.clusters.selectors import link_get
from backend.common.rest.serializers import CommentSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission


class LinkAutomationView(ConsoleView):
    """The automatic relocate of a link."""

    permissions = {"GET": Permission.READ, "PUT": Permission.LINKS}

    @extend_schema(operation_id="automation_read", responses=AutomationSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get the automatic relocate of the link: its mode, whether it is paused, and its last action."""
        return respond(AutomationSerializer, selectors.automation_view(link_get(link_id)))

    @extend_schema(operation_id="automation_set", request=AutomationInSerializer, responses=AutomationSerializer)
    def put(self, request: Request, link_id: str) -> Response:
        """Set the automatic relocate of the link; the default is off."""
        link = link_get(link_id)
        given = validated_body(request, AutomationInSerializer)
        services.automation_set(actor=request.user.get_username(), link=link, **given)
        return respond(AutomationSerializer, selectors.automation_view(link))


class AutomaticStartView(ConsoleView):
    """The automatic start of a link's channels."""

    permissions = {"GET": Permission.READ, "PUT": Permission.LINKS}

    @extend_schema(operation_id="automatic_start_read", responses=AutomaticStartSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get the automatic start of the link: whether it is on, its limit, and its last action."""
        return respond(AutomaticStartSerializer, selectors.automatic_start_view(link_get(link_id)))

    @extend_schema(
        operation_id="automatic_start_set", request=AutomaticStartInSerializer, responses=AutomaticStartSerializer
    )
    def put(self, request: Request, link_id: str) -> Response:
        """Set the automatic start of the link; the default is off."""
        link = link_get(link_id)
        given = validated_body(request, AutomaticStartInSerializer)
        starts.automatic_start_set(actor=request.user.get_username(), link=link, **given)
        return respond(AutomaticStartSerializer, selectors.automatic_start_view(link))


class AutomationAcknowledgeView(ConsoleView):
    """The acknowledgement of an automatic relocate."""

    permissions = {"POST": Permission.RUN}

    @extend_schema(operation_id="automation_acknowledge", request=CommentSerializer, responses=AutomationSerializer)
    def post(self, request: Request, link_id: str) -> Response:
        """Acknowledge the last automatic relocate. This ends the pause, so that the next one is allowed."""
        link = link_get(link_id)
        given = validated_body(request, CommentSerializer)
        services.automation_acknowledge(actor=request.user.get_username(), link=link, **given)
        return respond(AutomationSerializer, selectors.automation_view(link))
