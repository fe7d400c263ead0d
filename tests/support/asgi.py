"""A request as an ASGI server hands it over."""

from __future__ import annotations

from typing import Any


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
