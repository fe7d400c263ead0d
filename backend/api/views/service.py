"""Liveness, readiness, metrics, the schema and its readable form."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.health import readiness
from backend.api.metrics import exposition
from backend.api.serializers import HealthSerializer, ReadinessReportSerializer
from backend.common.rest.renderers import FirstRenderer, MetricsRenderer
from backend.common.rest.views import ConsoleView, respond


class HealthView(ConsoleView):
    """Is the process alive?"""

    permissions = {"GET": None}
    authentication_classes = []

    @extend_schema(operation_id="healthz", responses=HealthSerializer)
    def get(self, request: Request) -> Response:
        """Yes, if you can read this."""
        return respond(HealthSerializer, {"status": "ok"})


class ReadyView(ConsoleView):
    """Which parts work?"""

    permissions = {"GET": None}
    authentication_classes = []

    @extend_schema(
        operation_id="readyz",
        responses={
            200: ReadinessReportSerializer,
            (503, "application/json"): OpenApiResponse(ReadinessReportSerializer, description="No database."),
        },
    )
    def get(self, request: Request) -> Response:
        """503 only where the console cannot answer at all."""
        report = readiness()
        status = 503 if report["status"] == "unavailable" else 200
        return respond(ReadinessReportSerializer, report, status=status)


class MetricsView(ConsoleView):
    """Prometheus metrics; public only where the settings say so."""

    permissions = {"GET": None}
    renderer_classes = [MetricsRenderer]
    content_negotiation_class = FirstRenderer

    @extend_schema(
        operation_id="metrics",
        responses={(200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, description="Text exposition.")},
    )
    def get(self, request: Request) -> HttpResponse:
        """The text format."""
        if not settings.HAWSER_METRICS_PUBLIC and not request.user.is_authenticated:
            raise NotAuthenticated("Scrape with an API token, or set HAWSER_METRICS_PUBLIC=1.")
        return HttpResponse(exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")


class SchemaView(SpectacularAPIView):
    """The OpenAPI description of all this; it holds no secrets and needs no sign-in."""

    authentication_classes = []
    permission_classes = []
    custom_settings = {}


def docs(request: HttpRequest) -> HttpResponse:
    """Readable documentation, from files of this server only."""
    return render(request, "api/docs.html")
