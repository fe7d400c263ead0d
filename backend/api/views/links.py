"""Links: registered by one room, observed by another, run by a third."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.link_views import link_detail, link_shown, page_of
from backend.api.response_cache import cached
from backend.api.serializers import (
    HistoryPageSerializer,
    HistoryQuerySerializer,
    LagQuerySerializer,
    LagSerializer,
)
from backend.clusters import selectors, services
from backend.clusters.serializers.links import (
    LinkDetailSerializer,
    LinkInSerializer,
    LinkPageSerializer,
    LinkUpdateSerializer,
)
from backend.common.events import selectors as events
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.monitoring.lag import lag


class LinkListView(ConsoleView):
    """Registered links."""

    permissions = {"GET": Permission.READ, "POST": Permission.LINKS}

    @extend_schema(operation_id="link_list", responses=LinkPageSerializer)
    def get(self, request: Request) -> HttpResponse:
        """All of them as they are now."""
        return cached("links", LinkPageSerializer, lambda: page_of(link_shown(link) for link in selectors.links()))

    @extend_schema(
        operation_id="link_register",
        request=LinkInSerializer,
        responses={201: LinkDetailSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request) -> Response:
        """Register one; existing channels are found, nothing about them is changed."""
        given = validated_body(request, LinkInSerializer)
        link = services.link_register(actor=request.user.get_username(), **given)
        return respond(LinkDetailSerializer, link_detail(link), status=201)


class LinkView(ConsoleView):
    """One link."""

    permissions = {"GET": Permission.READ, "PATCH": Permission.LINKS}

    @extend_schema(operation_id="link_read", responses=LinkDetailSerializer)
    def get(self, request: Request, link_id: str) -> HttpResponse:
        """The link as it is now, with both clusters in full."""
        return cached(f"link {link_id}", LinkDetailSerializer, lambda: link_detail(selectors.link_get(link_id)))

    @extend_schema(operation_id="link_update", request=LinkUpdateSerializer, responses=LinkDetailSerializer)
    def patch(self, request: Request, link_id: str) -> Response:
        """Change whether runs need a second person."""
        link = selectors.link_get(link_id)
        changes = validated_body(request, LinkUpdateSerializer)
        services.link_update(actor=request.user.get_username(), link=link, **changes)
        return respond(LinkDetailSerializer, link_detail(link))


class LinkLagView(ConsoleView):
    """How far behind, over time."""

    permissions = {"GET": Permission.READ}

    @extend_schema(operation_id="link_lag", parameters=[LagQuerySerializer], responses=LagSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Samples of both directions, with what happened marked."""
        link = selectors.link_get(link_id)
        minutes = validated_query(request, LagQuerySerializer)["minutes"]
        return respond(LagSerializer, lag(link.id, minutes))


class LinkHistoryView(ConsoleView):
    """What happened on a link."""

    permissions = {"GET": Permission.READ}

    @extend_schema(operation_id="link_history", parameters=[HistoryQuerySerializer], responses=HistoryPageSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Newest first."""
        link = selectors.link_get(link_id)
        asked = validated_query(request, HistoryQuerySerializer)
        page = events.history(link_id=link.id, cursor=asked.get("cursor"), limit=asked["limit"])
        return respond(HistoryPageSerializer, page)
