"""An event stream of the ASGI application, opened and closed."""

from __future__ import annotations

from typing import Any

from asgiref.testing import ApplicationCommunicator

from backend.config.asgi import application
from tests.support.asgi import asgi_request


async def open_stream(path: str, token: str | None, last_id: str | None = None) -> tuple[ApplicationCommunicator, Any]:
    stream = ApplicationCommunicator(
        application, asgi_request(path, token, last_id=last_id, accept="text/event-stream")
    )
    await stream.send_input({"type": "http.request", "body": b"", "more_body": False})
    return stream, await stream.receive_output(timeout=5)


async def close_stream(stream: ApplicationCommunicator) -> None:
    await stream.send_input({"type": "http.disconnect"})
    await stream.wait(timeout=5)
