"""The endpoints of rehearsals."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get, registered_link_get
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.operations.rehearsals import selectors, services
from backend.operations.rehearsals.serializers import (
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

    @operation(
        "rehearsal_list",
        "List the rehearsals of a link",
        parameters=[RehearsalQuerySerializer],
        responses=RehearsalPageSerializer,
    )
    def get(self, request: Request, link_id: str) -> Response:
        """List one page of rehearsals, newest first."""
        link = link_get(link_id)
        asked = validated_query(request, RehearsalQuerySerializer)
        page = selectors.rehearsal_page(link, kind=asked.get("kind"), cursor=asked.get("cursor"), limit=asked["limit"])
        return respond(RehearsalPageSerializer, page)

    @operation(
        "rehearsal_hold", "Rehearse an operation", request=RehearsalInSerializer, responses={201: RehearsalSerializer}
    )
    @slow_call
    def post(self, request: Request, link_id: str) -> Response:
        """Plan the operation and check its steps up to the first write. Nothing is changed.

        A failed rehearsal is a 201 with `state: failed`.
        """
        link = registered_link_get(link_id)
        given = validated_body(request, RehearsalInSerializer)
        rehearsal = services.rehearsal_create(
            actor=request.user.get_username(), link=link, kind=given["kind"], options=given.get("options", {})
        )
        return respond(RehearsalSerializer, selectors.rehearsal_view(rehearsal), status=201)


class RehearsalView(ConsoleView):
    """One rehearsal."""

    permissions = {"GET": Permission.READ}

    @operation("rehearsal_read", "Get a rehearsal", responses=RehearsalSerializer)
    def get(self, request: Request, rehearsal_id: str) -> Response:
        """Get a rehearsal with its findings, positions and timings."""
        return respond(RehearsalSerializer, selectors.rehearsal_view(selectors.rehearsal_get(rehearsal_id)))


class RehearsalScheduleView(ConsoleView):
    """The rehearsal schedule of a link."""

    permissions = {"GET": Permission.READ, "PUT": Permission.LINKS}

    @operation("rehearsal_schedule_read", "Get the rehearsal schedule", responses=ScheduleSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get the rehearsal schedule of a link. It is off by default."""
        return respond(ScheduleSerializer, selectors.schedule_view(link_get(link_id)))

    @operation(
        "rehearsal_schedule_set",
        "Update the rehearsal schedule",
        request=ScheduleInSerializer,
        responses=ScheduleSerializer,
    )
    def put(self, request: Request, link_id: str) -> Response:
        """Set how often which operations are rehearsed automatically."""
        link = registered_link_get(link_id)
        given = validated_body(request, ScheduleInSerializer)
        services.schedule_set(actor=request.user.get_username(), link=link, **given)
        return respond(ScheduleSerializer, selectors.schedule_view(link))
