"""The REST views of a link's lag over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from backend.clusters import selectors
from backend.common.events.selectors import raised_between
from backend.common.rest.csv_lines import csv_line
from backend.common.rest.operations import operation
from backend.common.rest.renderers import CsvRenderer, FirstRenderer
from backend.common.rest.streamed_files import streamed_file
from backend.common.rest.views import ConsoleView, respond_json, validated_query
from backend.common.roles import Permission
from backend.monitoring.lag_history import curve
from backend.monitoring.lag_history.request import CurveRequest, curve_request
from backend.monitoring.lag_history.serializers import LagExportQuerySerializer, LagQuerySerializer, LagSerializer

MAX_EVENTS = 500


class LinkLagView(ConsoleView):
    """The lag of a link over time."""

    permissions = {"GET": Permission.READ}

    @operation("link_lag", "Get the lag of a link", parameters=[LagQuerySerializer], responses=LagSerializer)
    def get(self, request: Request, link_id: str) -> HttpResponse:
        """Get minimum, average and maximum of the lag of both directions, and the events of that time."""
        link = selectors.link_get(link_id)
        asked = validated_query(request, LagQuerySerializer)
        begins_at = curve.begins_at(link.id)
        wanted = curve_request(asked, timezone.now(), begins_at)
        # Plain data already: the serializer describes it, and is too slow for 20,000 points.
        return respond_json(JSONRenderer().render(_curve(link.id, wanted, begins_at, _points(link.id, wanted, asked))))


class LinkLagExportView(ConsoleView):
    """The lag of a link as a file, oldest first."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [CsvRenderer]
    content_negotiation_class = FirstRenderer

    @operation(
        "link_lag_export",
        "Export the lag of a link",
        parameters=[LagExportQuerySerializer],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, description="With a header line.")},
    )
    def get(self, request: Request, link_id: str) -> StreamingHttpResponse:
        """Stream the same values as a file, one line a point. Its columns are those of the points in JSON."""
        link = selectors.link_get(link_id)
        asked = validated_query(request, LagExportQuerySerializer)
        wanted = curve_request(asked, timezone.now(), curve.begins_at(link.id))
        names = curve.columns(_directions(asked))
        lines = _csv(names, _points(link.id, wanted, asked))
        return streamed_file(lines, name=f"hawser-lag-{link.name}", form="csv")


def _directions(asked: Mapping[str, Any]) -> tuple[str, ...]:
    return (asked["direction"],) if "direction" in asked else curve.DIRECTIONS


def _points(link_id: str, wanted: CurveRequest, asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    return curve.points(link_id, wanted.resolution, wanted.begin, wanted.until, _directions(asked))


def _curve(link_id: str, wanted: CurveRequest, begins_at: Any, points: Iterable[dict[str, Any]]) -> dict[str, Any]:
    events, left_out = raised_between(link_id=link_id, since=wanted.since, until=wanted.until, limit=MAX_EVENTS)
    return {
        "from": wanted.since,
        "to": wanted.until,
        "begins_at": begins_at,
        "resolution_s": wanted.resolution.step_s,
        "stored_resolution_s": wanted.resolution.archive.width_s,
        "gap_after_s": curve.gap_after_s(wanted.resolution.step_s),
        "points": list(points),
        "events": events,
        "events_left_out": left_out,
    }


def _csv(names: tuple[str, ...], points: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield csv_line(names)
    for point in points:
        yield csv_line((f"{point['at']:%Y-%m-%dT%H:%M:%SZ}", *(point[name] for name in names[1:])))
