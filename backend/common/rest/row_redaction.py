"""Middleware that redacts quoted rows in the API's answers to a role without the right to look up rows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from backend.common.roles import Permission, may
from backend.common.row_redaction import redact_rows_in_document


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
        redact = partial(redact_rows_in_document, content_type=answer.headers.get("Content-Type", ""))
        if isinstance(answer, StreamingHttpResponse):
            parts: Any = answer.streaming_content
            answer.streaming_content = _one_by_one(redact, parts) if answer.is_async else map(redact, parts)
        elif isinstance(answer, HttpResponse):
            answer.content = redact(answer.content)
        return answer


async def _one_by_one(redact: Callable[[bytes], bytes], parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for part in parts:
        yield redact(part)
