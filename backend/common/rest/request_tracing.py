"""A span for each request, in the trace of a caller that sent `traceparent`."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from backend.common import tracing
from backend.common.rest.request_log import IDS


class RequestTracingMiddleware:
    """Stands behind RequestIdMiddleware. The span of an event stream ends when its response begins."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Call the view inside a span that is named by method and route."""
        attributes = {
            "http.request.method": request.method or "",
            "hawser.request_id": request.META["HTTP_X_REQUEST_ID"],
        }
        with tracing.span(f"{request.method}", attributes, caller=_trace_headers(request)) as current:
            answer = self.get_response(request)
            for name, value in _found(request, answer).items():
                current.set_attribute(name, value)
        return answer


def _trace_headers(request: HttpRequest) -> dict[str, str]:
    given = {name: request.META.get(f"HTTP_{name.upper()}", "") for name in ("traceparent", "tracestate")}
    return {name: value for name, value in given.items() if value}


def _found(request: HttpRequest, answer: HttpResponseBase) -> dict[str, str | int]:
    """What is known once the view has answered; a path itself may hold what a stranger chose."""
    match = request.resolver_match
    facts: dict[str, str | int] = {"http.response.status_code": answer.status_code}
    if match is not None:
        facts["http.route"] = f"/{match.route}"
        facts |= {f"hawser.{name}": str(match.kwargs[name]) for name in IDS if name in match.kwargs}
    return facts
