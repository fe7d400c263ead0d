"""The REST views of liveness, readiness, metrics and the OpenAPI schema."""

from __future__ import annotations

import threading
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.health import readiness
from backend.api.metrics import exposition
from backend.api.serializers import HealthSerializer, ReadinessReportSerializer
from backend.common.rest.call_rate import count_call
from backend.common.rest.operations import operation
from backend.common.rest.renderers import FirstRenderer, MetricsRenderer
from backend.common.rest.views import ConsoleView, respond
from backend.common.roles import Permission


class HealthView(ConsoleView):
    """The liveness check."""

    permissions = {"GET": None}
    authentication_classes = []

    @operation("healthz", "Check that the web process responds", responses=HealthSerializer)
    def get(self, request: Request) -> Response:
        """Return `ok`. Nothing else is checked, not even the database."""
        return respond(HealthSerializer, {"status": "ok"})


class ReadyView(ConsoleView):
    """The readiness check of each component."""

    permissions = {"GET": None}
    authentication_classes = []

    @operation(
        "readyz",
        "Get the readiness of all components",
        responses={
            200: ReadinessReportSerializer,
            (503, "application/json"): OpenApiResponse(
                ReadinessReportSerializer, description="Hawser's own database is not responding."
            ),
        },
    )
    def get(self, request: Request) -> Response:
        """Get the state of each component. 503 means that Hawser's own database is not responding."""
        report = readiness()
        status = 503 if report["status"] == "unavailable" else 200
        return respond(ReadinessReportSerializer, report, status=status)


class MetricsView(ConsoleView):
    """Prometheus metrics of all links; they are public only with HAWSER_METRICS_PUBLIC=1."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [MetricsRenderer]
    content_negotiation_class = FirstRenderer

    def get_permissions(self) -> Any:
        """None where they are public."""
        return [] if settings.HAWSER_METRICS_PUBLIC else super().get_permissions()

    @operation(
        "metrics",
        "Get metrics in Prometheus format",
        responses={(200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, description="Prometheus text format.")},
    )
    def get(self, request: Request) -> HttpResponse:
        """Get the metrics of all links as text.

        An API token or a session is needed that may read everywhere, unless HAWSER_METRICS_PUBLIC=1.
        """
        return HttpResponse(exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")


class SchemaView(SpectacularAPIView):
    """The OpenAPI schema. It holds no secrets and needs no sign-in, so it is made once a process and counted."""

    authentication_classes = []
    permission_classes = []
    custom_settings = {}
    _lock = threading.Lock()
    _made: ClassVar[dict[str, tuple[str | bytes, str]]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Count the call like any other without a sign-in."""
        super().initial(request, *args, **kwargs)
        count_call(request)

    def handle_exception(self, exc: Exception) -> Any:
        """A refusal is a problem, whatever form of the schema was asked for."""
        self.request.accepted_renderer = JSONRenderer()
        return super().handle_exception(exc)

    def _get_schema_response(self, request: Request) -> HttpResponse:
        renderer = request.accepted_renderer
        with self._lock:
            if renderer.media_type not in self._made:
                answer = super()._get_schema_response(request)  # type: ignore[no-untyped-call]
                content = renderer.render(answer.data, renderer.media_type, {"response": answer})
                self._made[renderer.media_type] = content, str(answer["Content-Disposition"])
        content, name = self._made[renderer.media_type]
        return HttpResponse(
            content, content_type=f"{renderer.media_type}; charset=utf-8", headers={"Content-Disposition": name}
        )


def docs(request: HttpRequest) -> HttpResponse:
    """The API documentation as a page, from files of this server only."""
    return render(request, "api/docs.html")
