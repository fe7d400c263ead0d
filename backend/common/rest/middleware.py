"""What every request passes: an id that answer, log, audit and run carry; and who does not look up rows sees none."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from backend.common.request_context import RequestContext, current
from backend.common.roles import Permission, may
from backend.common.row_redaction import redact_rows_in_document

_ACCEPTED = re.compile(r"^[A-Za-z0-9_.-]{8,64}$")


class RequestIdMiddleware:
    """Keeps a caller's well-formed X-Request-ID, makes one otherwise, and sends it back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Mark the request, pass it on, mark the answer."""
        self._enter(request)
        answer = self.get_response(request)
        answer.headers["X-Request-ID"] = request.META["HTTP_X_REQUEST_ID"]
        return answer

    def _enter(self, request: HttpRequest) -> None:
        # Not request.headers: reading it would freeze it before the id is set.
        given = str(request.META.get("HTTP_X_REQUEST_ID", ""))
        request_id = given if _ACCEPTED.match(given) else uuid.uuid4().hex
        request.META["HTTP_X_REQUEST_ID"] = request_id
        current.set(RequestContext(request_id=request_id, source_ip=source_ip(request)))


class RowRedactionMiddleware:
    """Takes rows that servers' errors quote out of whatever the API tells somebody who may not look rows up."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The role is known once the view has asked who calls."""
        answer = self.get_response(request)
        if not request.path.startswith("/api/"):
            return answer
        role = getattr(request.user, "acting_role", None)
        if role is None or may(role, Permission.LOOKUP):
            return answer
        tell = partial(redact_rows_in_document, content_type=answer.headers.get("Content-Type", ""))
        if isinstance(answer, StreamingHttpResponse):
            parts: Any = answer.streaming_content
            answer.streaming_content = _one_by_one(tell, parts) if answer.is_async else map(tell, parts)
        elif isinstance(answer, HttpResponse):
            answer.content = tell(answer.content)
        return answer


async def _one_by_one(tell: Callable[[bytes], bytes], parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for part in parts:
        yield tell(part)


def source_ip(request: HttpRequest) -> str:
    """The caller's address; a proxy's word for it counts only where a proxy is declared."""
    if settings.HAWSER_BEHIND_PROXY:
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
        last = forwarded.rsplit(",", maxsplit=1)[-1].strip()
        if last:
            return last[:45]
    return str(request.META.get("REMOTE_ADDR", ""))[:45]
