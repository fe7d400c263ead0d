"""The endpoints of table comparisons."""

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
from backend.common.rest.streamed_files import streamed_file
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.transactions.table_comparison import selectors, services
from backend.transactions.table_comparison.models import State
from backend.transactions.table_comparison.outputs import (
    ComparisonSchedule,
    RowWriters,
    TableComparison,
    TableComparisons,
)
from backend.transactions.table_comparison.row_writers import difference_get, row_writers
from backend.transactions.table_comparison.serializers import (
    ComparedTablePageSerializer,
    ComparedTableQuerySerializer,
    ComparisonChangeSerializer,
    ComparisonInSerializer,
    ComparisonScheduleInSerializer,
    DifferenceExportQuerySerializer,
    RowDifferencePageSerializer,
    RowDifferenceQuerySerializer,
    RowWritersQuerySerializer,
)


class LinkComparisonsView(ConsoleView):
    """Comparisons of a link's tables."""

    permissions = {"GET": Permission.READ, "POST": Permission.LOOKUP}

    @operation("table_comparison_list", "List the table comparisons of a link", responses=TableComparisons)
    def get(self, request: Request, link_id: str) -> Response:
        """List the newest 20, with their progress."""
        return respond(TableComparisons, selectors.comparisons_view(link_get(link_id)))

    @operation(
        "table_comparison_start",
        "Compare the tables of a link",
        codes=("comparison_no_node", "comparison_unfinished"),
        request=ComparisonInSerializer,
        responses={201: TableComparison},
    )
    @slow_call
    def post(self, request: Request, link_id: str) -> Response:
        """Compare the rows of both sides while they are written, in a worker. Nothing is written on any node.

        The first node, of the active side, is what the others are compared with.
        """
        link = registered_link_get(link_id)
        given = validated_body(request, ComparisonInSerializer)
        budget = services.Budget(given["rows_per_s"], given["busy_percent"])
        row = services.comparison_start(
            actor=request.user.get_username(),
            link=link,
            every_node=given["every_node"],
            only=given.get("only", []),
            budget=budget,
        )
        return respond(TableComparison, selectors.comparison_view(row), status=201)


class ComparisonView(ConsoleView):
    """One comparison."""

    permissions = {"GET": Permission.READ, "PATCH": Permission.LOOKUP}

    @operation("table_comparison_read", "Get a table comparison", responses=TableComparison)
    def get(self, request: Request, comparison_id: str) -> Response:
        """Get its progress and its sums."""
        return respond(TableComparison, selectors.comparison_view(selectors.comparison_get(comparison_id)))

    @operation(
        "table_comparison_change",
        "Pause, resume or stop a table comparison",
        codes=("comparison_ended",),
        request=ComparisonChangeSerializer,
        responses=TableComparison,
    )
    def patch(self, request: Request, comparison_id: str) -> Response:
        """Pause it, let it go on where it was, or stop it for good. What it found stays."""
        comparison = selectors.comparison_get(comparison_id)
        state = State(validated_body(request, ComparisonChangeSerializer)["state"])
        row = services.comparison_change(actor=request.user.get_username(), comparison=comparison, state=state)
        return respond(TableComparison, selectors.comparison_view(row))


class ComparedTablesView(ConsoleView):
    """The tables of a comparison."""

    permissions = {"GET": Permission.READ}

    @operation(
        "compared_table_list",
        "List the tables of a table comparison",
        parameters=[ComparedTableQuerySerializer],
        responses=ComparedTablePageSerializer,
    )
    def get(self, request: Request, comparison_id: str) -> Response:
        """List one page of tables by name, with how far each is compared and what is not."""
        comparison = selectors.comparison_get(comparison_id)
        asked = validated_query(request, ComparedTableQuerySerializer)
        found = selectors.tables_page(
            comparison, state=asked.get("state"), cursor=asked.get("cursor"), limit=asked["limit"]
        )
        return respond(ComparedTablePageSerializer, found)


class RowDifferencesView(ConsoleView):
    """The rows that differ."""

    permissions = {"GET": Permission.READ}

    @operation(
        "row_difference_list",
        "List the rows that differ",
        parameters=[RowDifferenceQuerySerializer],
        responses=RowDifferencePageSerializer,
    )
    def get(self, request: Request, comparison_id: str) -> Response:
        """List one page, newest first. Viewers see where rows differ, and no values: they are business data."""
        comparison = selectors.comparison_get(comparison_id)
        asked = validated_query(request, RowDifferenceQuerySerializer)
        found = selectors.differences_page(
            comparison,
            table=asked.get("table"),
            cursor=asked.get("cursor"),
            limit=asked["limit"],
            shows_rows=shows_rows(request),
        )
        return respond(RowDifferencePageSerializer, found)


class RowWritersView(ConsoleView):
    """Who changed a row that differs last."""

    permissions = {"GET": Permission.LOOKUP}

    @operation(
        "row_writers_read",
        "Find what changed a row that differs",
        parameters=[RowWritersQuerySerializer],
        responses=RowWriters,
    )
    @slow_call
    def get(self, request: Request, comparison_id: str) -> Response:
        """Read the binary logs of the first node and of the one on which the row differs, for up to 20 s each.

        A row that no logged transaction left as it was found was changed without a log on that node. Of a table without
        a key nothing is known. The search is recorded.
        """
        comparison = selectors.comparison_get(comparison_id)
        asked = validated_query(request, RowWritersQuerySerializer)
        found = row_writers(
            actor=request.user.get_username(),
            comparison=comparison,
            difference=difference_get(comparison, asked["difference"]),
            hours=asked["hours"],
        )
        return respond(RowWriters, found)


class DifferenceExportView(ConsoleView):
    """The rows that differ as a file."""

    permissions = {"GET": Permission.LOOKUP}
    renderer_classes = [JsonLinesRenderer, SqlRenderer]
    content_negotiation_class = FirstRenderer

    @operation(
        "row_difference_export",
        "Export the rows that differ",
        parameters=[DifferenceExportQuerySerializer],
        responses={
            (200, "application/jsonl"): OpenApiResponse(OpenApiTypes.STR, description="One row per line."),
            (200, "application/sql"): OpenApiResponse(OpenApiTypes.STR, description="Statements for one node."),
        },
    )
    def get(self, request: Request, comparison_id: str) -> StreamingHttpResponse:
        """Stream the rows, or the statements that would make one node equal. The export is recorded before it starts.

        No statement is executed. The file says how they have to be run.
        """
        comparison = selectors.comparison_get(comparison_id)
        asked = validated_query(request, DifferenceExportQuerySerializer)
        chosen = asked["format"]
        node = selectors.node_to_mend(comparison, asked.get("node")) if chosen == "sql" else None
        audit.record(
            actor=request.user.get_username(),
            action="api:table_comparison:export",
            link_id=comparison.link_id,
            target=comparison.pk,
            facts={"format": chosen, "node": node.name if node else ""},
        )
        lines = selectors.export_jsonl(comparison) if node is None else selectors.export_sql(comparison, node)
        return streamed_file(lines, name=f"differences-{comparison.link.name}", form=chosen)


class ComparisonScheduleView(ConsoleView):
    """When a link's tables are compared automatically."""

    permissions = {"GET": Permission.READ, "PUT": Permission.LINKS}

    @operation("comparison_schedule_read", "Get the schedule of table comparisons", responses=ComparisonSchedule)
    def get(self, request: Request, link_id: str) -> Response:
        """Get the schedule of a link. It is off by default."""
        return respond(ComparisonSchedule, selectors.schedule_view(link_get(link_id)))

    @operation(
        "comparison_schedule_set",
        "Update the schedule of table comparisons",
        request=ComparisonScheduleInSerializer,
        responses=ComparisonSchedule,
    )
    def put(self, request: Request, link_id: str) -> Response:
        """Set how often the tables are compared, on which nodes, and within which budget."""
        link = registered_link_get(link_id)
        given = validated_body(request, ComparisonScheduleInSerializer)
        services.schedule_set(actor=request.user.get_username(), link=link, **{"only": [], **given})
        return respond(ComparisonSchedule, selectors.schedule_view(link))
