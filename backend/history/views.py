"""The REST views of the history and of a link's time line."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.audit.services import record_reading
from backend.clusters.selectors import link_get
from backend.common.rest.operations import operation
from backend.common.rest.renderers import CsvRenderer, FirstRenderer, JsonLinesRenderer
from backend.common.rest.scope import Where, privileges_of
from backend.common.rest.streamed_files import streamed_file
from backend.common.rest.views import ConsoleView, respond, validated_query
from backend.common.roles import Permission
from backend.history import exports, selectors
from backend.history.serializers import (
    HistoryExportQuerySerializer,
    HistoryListQuerySerializer,
    SwitchPageSerializer,
    SwitchSerializer,
    TimelinePageSerializer,
    TimelineQuerySerializer,
)
from backend.history.timeline import KINDS, timeline


class HistoryListView(ConsoleView):
    """Runs told in sentences, newest first."""

    permissions = {"GET": Permission.READ}
    where = Where.READABLE

    @operation(
        "history_list", "List the history", parameters=[HistoryListQuerySerializer], responses=SwitchPageSerializer
    )
    def get(self, request: Request) -> Response:
        """List one page of runs, newest first: each told in sentences, with positions, topology and loss."""
        asked = validated_query(request, HistoryListQuerySerializer)
        links = privileges_of(request).links_with(Permission.READ)
        page = selectors.history_page(asked, links, cursor=asked.get("cursor"), limit=asked["limit"])
        return respond(SwitchPageSerializer, page)


class HistoryEntryView(ConsoleView):
    """One run told in sentences."""

    permissions = {"GET": Permission.READ}

    @operation("history_read", "Get an entry of the history", responses=SwitchSerializer)
    def get(self, request: Request, run_id: str) -> Response:
        """Get a run told in sentences. Its raw audit records are those of `/audit?run=ID`."""
        return respond(SwitchSerializer, selectors.history_entry(run_id))


class HistoryExportView(ConsoleView):
    """The history as a file, oldest first."""

    permissions = {"GET": Permission.READ}
    where = Where.READABLE
    renderer_classes = [JsonLinesRenderer, CsvRenderer]
    content_negotiation_class = FirstRenderer

    @operation(
        "history_export",
        "Export the history",
        parameters=[HistoryExportQuerySerializer],
        responses={
            (200, "application/jsonl"): OpenApiResponse(OpenApiTypes.STR, description="One entry per line."),
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, description="With a header line."),
        },
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Stream the matching entries as a file, oldest first. The export is recorded before it starts."""
        asked = validated_query(request, HistoryExportQuerySerializer)
        chosen = asked.pop("format")
        filters = {key: str(value) for key, value in asked.items()}
        record_reading(
            actor=request.user.get_username(),
            action="api:history:export",
            facts={"format": chosen, "filters": filters},
        )
        entries = selectors.entries(asked, privileges_of(request).links_with(Permission.READ))
        lines = exports.export_csv(entries) if chosen == "csv" else exports.export_jsonl(entries)
        return streamed_file(lines, name="hawser-history", form=chosen)


class TimelineView(ConsoleView):
    """The time line of a link."""

    permissions = {"GET": Permission.READ}

    @operation(
        "link_timeline",
        "Get the time line of a link",
        parameters=[TimelineQuerySerializer],
        responses=TimelinePageSerializer,
    )
    def get(self, request: Request, link_id: str) -> Response:
        """List one page of runs, events, rehearsals and changes of settings in one order, newest first."""
        link = link_get(link_id)
        asked = validated_query(request, TimelineQuerySerializer)
        page = timeline(
            link,
            kinds=asked["kinds"].split(",") if "kinds" in asked else KINDS,
            cursor=asked.get("cursor"),
            entry=asked.get("entry"),
            limit=asked["limit"],
        )
        return respond(TimelinePageSerializer, page)
