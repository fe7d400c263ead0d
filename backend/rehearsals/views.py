"""The endpoints of rehearsals."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.rehearsals import selectors, services
from backend.rehearsals.serializers import (
    RehearsalInSerializer,
    RehearsalPageSerializer,
    RehearsalQuerySerializer,
    RehearsalSerializer,
    ScheduleInSerializer,
    ScheduleSerializer,
)


class LinkRehearsalsView(ConsoleView):
    """Rehearsals of a link."""

    permissions = {"GET": Permission.READ, "POST": Permission.PLAN}

    @extend_schema(
        operation_id="rehearsal_list", parameters=[RehearsalQuerySerializer], responses=RehearsalPageSerializer
    )
    def get(self, request: Request, link_id: str) -> Response:
        """List the rehearsals of the link, newest first."""
        link = link_get(link_id)
        asked = validated_query(request, RehearsalQuerySerializer)
        page = selectors.rehearsal_page(link, kind=asked.get("kind"), cursor=asked.get("cursor"), limit=asked["limit"])
        return respond(RehearsalPageSerializer, page)

    @extend_schema(operation_id="rehearsal_hold", request=RehearsalInSerializer, responses={201: RehearsalSerializer})
    def post(self, request: Request, link_id: str) -> Response:
        """Rehearse an operation now. The servers are read, nothing is changed; a failed rehearsal is 201, too."""
        link = link_get(link_id)
        given = validated_body(request, RehearsalInSerializer)
        rehearsal = services.rehearsal_create(
            actor=request.user.get_username(), link=link, kind=given["kind"], options=given.get("options", {})
        )
        return respond(RehearsalSerializer, selectors.rehearsal_view(rehearsal), status=201)


class RehearsalView(ConsoleView):
    """One rehearsal."""

    permissions = {"GET": Permission.READ}

    @extend_schema(operation_id="rehearsal_read", responses=RehearsalSerializer)
    def get(self, request: Request, rehearsal_id: str) -> Response:
        """Get the result of a rehearsal."""
        return respond(RehearsalSerializer, selectors.rehearsal_view(selectors.rehearsal_get(rehearsal_id)))


class RehearsalScheduleView(ConsoleView):
    """The rehearsal schedule of a link."""

    permissions = {"GET": Permission.READ, "PUT": Permission.LINKS}

    @extend_schema(operation_id="rehearsal_schedule_read", responses=ScheduleSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get the rehearsal schedule of the link; it is off until it is set."""
        return respond(ScheduleSerializer, selectors.schedule_view(link_get(link_id)))

    @extend_schema(operation_id="rehearsal_schedule_set", request=ScheduleInSerializer, responses=ScheduleSerializer)
    def put(self, request: Request, link_id: str) -> Response:
        """Update the rehearsal schedule of the link."""
        link = link_get(link_id)
        given = validated_body(request, ScheduleInSerializer)
        services.schedule_set(actor=request.user.get_username(), link=link, **given)
        return respond(ScheduleSerializer, selectors.schedule_view(link))
