"""The log line of each request: the caller and its address, the route, the duration. Metrics count it, too."""

from __future__ import annotations

import time
from typing import Any

from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.functional import LazyObject, empty
from django_structlog.signals import bind_extra_request_failed_metadata, bind_extra_request_finished_metadata

from backend.common.request_context import current
from backend.common.rest.request_metrics import count_request

IDS = ("run_id", "link_id", "plan_id")


@receiver([bind_extra_request_finished_metadata, bind_extra_request_failed_metadata])
def describe_request(request: HttpRequest, log_kwargs: dict[str, Any], **_: Any) -> None:
    """django_structlog's hook for the line at the end of a request."""
    context, match = current.get(), request.resolver_match
    named = match.kwargs if match else {}
    duration_s = time.monotonic() - context.started_s
    count_request(request, log_kwargs["code"], duration_s)
    log_kwargs["status"] = log_kwargs.pop("code")
    if not request.path.startswith("/api/"):
        # A page's query can hold the code of a sign-in.
        log_kwargs["request"] = f"{request.method} {request.path}"
    log_kwargs.update(
        method=request.method,
        route=f"/{match.route}" if match else "",
        duration_ms=round(duration_s * 1000, 1),
        source_ip=context.source_ip,
        user=_user_of(request),
        access_id=getattr(getattr(request, "auth", None), "id", ""),
        **{name: named[name] for name in IDS if name in named},
    )


def _user_of(request: HttpRequest) -> str:
    """The user that the view authenticated; none is loaded for the log."""
    user = getattr(request, "user", None)
    if user is None or (isinstance(user, LazyObject) and user._wrapped is empty):  # noqa: SLF001
        return ""
    return str(user.get_username())
