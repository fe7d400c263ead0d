"""The endpoints of orphaned transactions."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.audit import services as audit
from backend.clusters.selectors import link_get, registered_link_get
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.renderers import FirstRenderer, JsonLinesRenderer, SqlRenderer
from backend.common.rest.scope import shows_rows
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.streamed_files import streamed_file
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.transactions.orphans import selectors, services
from backend.transactions.orphans.serializers import (
    OrphanExportQuerySerializer,
    OrphanQuerySerializer,
    OrphansSerializer,
)


class OrphansView(ConsoleView):
    """The orphaned transactions of a returned side."""

    permissions = {"GET": Permission.READ}

    @operation(
        "orphans_read", "List orphaned transactions", parameters=[OrphanQuerySerializer], responses=OrphansSerializer
    )
    def get(self, request: Request, link_id: str) -> Response:
        """List one page of the last scan. Viewers get the summary without rows, which are business data."""
        link = link_get(link_id)
        asked = validated_query(request, OrphanQuerySerializer)
        shown = selectors.view(link, cursor=asked.get("cursor"), limit=asked["limit"], shows_rows=shows_rows(request))
        return respond(OrphansSerializer, shown)


class OrphansScanView(ConsoleView):
    """Scanning for orphaned transactions."""

    permissions = {"POST": Permission.LOOKUP}

    @operation(
        "orphans_scan",
        "Scan for orphaned transactions",
        codes=("not_diverged",),
        request=EmptySerializer,
        responses={201: OrphansSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, link_id: str) -> Response:
        """Scan the returned side. Its binary logs are read; nothing is changed."""
        link = registered_link_get(link_id)
        validated_body(request, EmptySerializer)
        found = services.scan(actor=request.user.get_username(), link=link)
        return respond(OrphansSerializer, selectors.scan_view(found), status=201)


class OrphansExportView(ConsoleView):
    """The orphaned transactions as a file, oldest first."""

    permissions = {"GET": Permission.LOOKUP}
    renderer_classes = [JsonLinesRenderer, SqlRenderer]
    content_negotiation_class = FirstRenderer

    @operation(
        "orphans_export",
        "Export orphaned transactions",
        parameters=[OrphanExportQuerySerializer],
        responses={
            (200, "application/jsonl"): OpenApiResponse(OpenApiTypes.STR, description="One transaction per line."),
            (200, "application/sql"): OpenApiResponse(OpenApiTypes.STR, description="Statements that apply them."),
        },
    )
    def get(self, request: Request, link_id: str) -> StreamingHttpResponse:
        """Stream the transactions of the last scan as a file, oldest first. The export is recorded before it starts."""
        link = link_get(link_id)
        chosen = validated_query(request, OrphanExportQuerySerializer)["format"]
        scan = selectors.to_export(link)
        audit.record(
            actor=request.user.get_username(),
            action="api:orphans:export",
            link_id=link.id,
            target=scan.id,
            facts={"format": chosen, "transactions": scan.transactions, "digest": scan.digest},
        )
        lines = selectors.export_sql(scan) if chosen == "sql" else selectors.export_jsonl(scan)
        return streamed_file(lines, name=f"orphans-{link.name}", form=chosen)
