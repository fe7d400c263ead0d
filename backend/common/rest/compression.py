"""Middleware that compresses long answers: the rows of many links shrink to a tenth."""

from __future__ import annotations

import http
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

LONG_BYTES: Final = 20_000


class LongAnswersMiddleware(GZipMiddleware):
    """Compresses long JSON of reads, for callers that take it.

    No other answer: event streams must arrive line by line, an ETag would become a weak one, and the page holds the
    nonce of its scripts, which must not be guessed from the length of compressed text.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress the answer if it is long."""
        return super().process_response(request, response) if _is_long_read(request, response) else response


def _is_long_read(request: HttpRequest, response: HttpResponseBase) -> bool:
    return (
        request.method == "GET"
        and isinstance(response, HttpResponse)
        and response.status_code == http.HTTPStatus.OK
        and response.headers.get("Content-Type") == "application/json"
        and "ETag" not in response.headers
        and len(response.content) >= LONG_BYTES
    )
