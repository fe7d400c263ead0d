"""Middleware that redacts quoted rows in responses to callers who may not look up rows of what the call is about."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from backend.common.row_redaction import redact_rows_in_document


class RowRedactionMiddleware:
    """Removes rows quoted by server errors from every response to a caller who may not look up rows."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Redact after the view, because `shows_rows` is known only once the caller and the object are."""
        answer = self.get_response(request)
        if not request.path.startswith("/api/"):
            return answer
        if getattr(request, "shows_rows", False):
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
