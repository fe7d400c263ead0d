"""Responses that need neither a thread nor Django: liveness, and refusals of a body."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Final

import structlog

from backend.common.errors import ProblemError
from backend.common.request_context import RequestContext, current
from backend.common.rest.answer_headers import API_FILE, PERMISSIONS_POLICY
from backend.config.asgi_types import Scope, Send

LIVENESS_PATHS: Final = ("/healthz", "/api/v1/healthz")
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Disposition": API_FILE,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
log = structlog.get_logger(__name__)


def asks_for_liveness(scope: Scope) -> bool:
    """Whether the request is answered even while every thread is occupied."""
    return scope["path"] in LIVENESS_PATHS and scope["method"] in ("GET", "HEAD")


async def answer_liveness(scope: Scope, send: Send) -> None:
    """The response of `backend.api.views.service.HealthView`."""
    body = b"" if scope["method"] == "HEAD" else b'{"status":"ok"}'
    await _send(send, 200, body, {"Content-Type": "application/json"})


async def answer_problem(scope: Scope, send: Send, problem: ProblemError) -> None:
    """The problem response; the connection closes, because the rest of the body would be read as a next request."""
    from backend.common.rest.problems import CONTENT_TYPE, body_of  # needs the applications

    client = (scope.get("client") or ("",))[0]
    current.set(RequestContext(request_id=uuid.uuid4().hex, source_ip=client))
    document = body_of(problem)
    log.warning(
        "request_refused",
        status=problem.status,
        code=problem.code,
        method=scope["method"],
        path=scope["path"],
        source_ip=client,
        request_id=document["request_id"],
    )
    headers = {"Content-Type": CONTENT_TYPE, "Connection": "close", "X-Request-ID": document["request_id"]}
    await _send(send, problem.status, json.dumps(document).encode(), headers)


async def _send(send: Send, status: int, body: bytes, headers: Mapping[str, str]) -> None:
    stated = {**_HEADERS, **headers, "Content-Length": str(len(body))}
    raw = [(name.encode(), value.encode()) for name, value in stated.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw, "trailers": False})
    await send({"type": "http.response.body", "body": body, "more_body": False})
