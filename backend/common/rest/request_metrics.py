"""Number and duration of the requests that this web process answered."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest
from prometheus_client import CollectorRegistry, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]  # else one more series for each label value, which nothing reads
REGISTRY: Final = CollectorRegistry(auto_describe=True)
OTHER_ROUTE: Final = "other"
"""Pages of the browser, and paths that do not exist: strangers choose those, and each value of a label is kept."""
_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})

REQUEST_SECONDS: Final = Histogram(
    "hawser_http_request_seconds",
    "Time until the response began, in the web process that is asked",
    ["method", "route", "status"],
    buckets=(0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0),
    registry=REGISTRY,
)


def count_request(request: HttpRequest, status: int, duration_s: float) -> None:
    """Count one request; that of an event stream ends when its response begins."""
    match = request.resolver_match
    REQUEST_SECONDS.labels(
        method=request.method if request.method in _METHODS else "other",
        route=f"/{match.route}" if match is not None and not match.route.startswith("^") else OTHER_ROUTE,
        status=f"{status // 100}xx",
    ).observe(duration_s)
