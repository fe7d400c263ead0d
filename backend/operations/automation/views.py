"""The endpoints of automatic relocate and automatic start."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get, registered_link_get
from backend.common.rest.operations import operation
from backend.common.rest.proof import RecentProof
from backend.common.rest.serializers import CommentSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.operations.automation import selectors, services, starts
from backend.operations.automation.serializers import (
    AutomaticStartInSerializer,
    AutomaticStartSerializer,
    AutomationInSerializer,
    AutomationSerializer,
)


class LinkAutomationView(ConsoleView):
    """The automatic relocate of a link."""

    permissions = {"GET": Permission.READ, "PUT": Permission.LINKS}

    @operation("automation_read", "Get automatic relocate", responses=AutomationSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get the mode, what it is waiting for, and its last actions."""
        return respond(AutomationSerializer, selectors.automation_view(link_get(link_id)))

    @operation(
        "automation_set", "Update automatic relocate", request=AutomationInSerializer, responses=AutomationSerializer
    )
    def put(self, request: Request, link_id: str) -> Response:
        """Set the mode: off, propose or execute. It is off by default."""
        link = registered_link_get(link_id)
        given = validated_body(request, AutomationInSerializer)
        services.automation_set(actor=request.user.get_username(), link=link, **given)
        return respond(AutomationSerializer, selectors.automation_view(link))


class AutomaticStartView(ConsoleView):
    """The automatic start of a link's channels."""

    permissions = {"GET": Permission.READ, "PUT": Permission.LINKS}

    @operation("automatic_start_read", "Get the automatic start of channels", responses=AutomaticStartSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get whether it is on, its limit, and its last actions."""
        return respond(AutomaticStartSerializer, selectors.automatic_start_view(link_get(link_id)))

    @operation(
        "automatic_start_set",
        "Update the automatic start of channels",
        request=AutomaticStartInSerializer,
        responses=AutomaticStartSerializer,
    )
    def put(self, request: Request, link_id: str) -> Response:
        """Set whether a channel that stopped without an error is started automatically. It is off by default."""
        link = registered_link_get(link_id)
        given = validated_body(request, AutomaticStartInSerializer)
        starts.automatic_start_set(actor=request.user.get_username(), link=link, **given)
        return respond(AutomaticStartSerializer, selectors.automatic_start_view(link))


class AutomationAcknowledgeView(ConsoleView):
    """The acknowledgement of an automatic relocate."""

    permissions = {"POST": Permission.RUN}
    recent_proof = {"POST": RecentProof.CONFIGURED}

    @operation(
        "automation_acknowledge",
        "Acknowledge an automatic relocate",
        request=CommentSerializer,
        responses=AutomationSerializer,
    )
    def post(self, request: Request, link_id: str) -> Response:
        """End the pause after an automatic relocate."""
        link = registered_link_get(link_id)
        given = validated_body(request, CommentSerializer)
        services.automation_acknowledge(actor=request.user.get_username(), link=link, **given)
        return respond(AutomationSerializer, selectors.automation_view(link))
