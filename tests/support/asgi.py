"""A request as an ASGI server hands it over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection


def asgi_request(
    path: str,
    token: str | None,
    *,
    method: str = "GET",
    last_id: str | None = None,
    accept: str = "application/json",
) -> dict[str, Any]:
    """A call of a path below /api/v1."""
    headers = [(b"host", b"localhost"), (b"accept", accept.encode())]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    if last_id is not None:
        headers.append((b"last-event-id", last_id.encode()))
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": f"/api/v1{path}",
        "raw_path": f"/api/v1{path}".encode(),
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "scheme": "http",
    }


async def in_thread(function: Callable[..., object], *given: object) -> None:
    """Call it in asgiref's one thread, over a connection of its own: that thread lives as long as the process, and what
    a test before this one left open there may have been ended by the server."""

    def call() -> None:
        connection.close()
        function(*given)
        connection.close()

    await sync_to_async(call)()
