"""Reads a request's body before authentication, within the limits of size and time.

Django itself would store a body of any size in a temporary file.
"""

from __future__ import annotations

import asyncio
import io
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestAborted

from backend.common.errors import ProblemError
from backend.config.asgi_types import Receive, Scope


def refuse_declared_size(scope: Scope) -> None:
    """Raises 413 if the header already states a body that is too large."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise _too_large()


async def read_body(receive: Receive) -> io.BytesIO:
    """The body; raises 413 or 408 as soon as it is too large or too slow."""
    try:
        async with asyncio.timeout(settings.HAWSER_BODY_LIMIT_S):
            return await _read(receive)
    except TimeoutError as error:
        detail = f"The body did not arrive within {settings.HAWSER_BODY_LIMIT_S:g} s. Nothing was done. Send it faster."
        raise ProblemError(408, "body_too_slow", detail) from error


async def _read(receive: Receive) -> io.BytesIO:
    body = io.BytesIO()
    more = True
    while more:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            raise RequestAborted
        body.write(message.get("body", b""))
        if body.tell() > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise _too_large()
        more = message.get("more_body", False)
    body.seek(0)
    return body


def _too_large() -> ProblemError:
    return ProblemError(
        413, "body_too_large", "The request is larger than 1 MiB. Nothing was done. Send at most 1 MiB."
    )
