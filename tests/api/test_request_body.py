"""A body is bounded while it is read, in the ASGI application itself."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from backend.config.asgi import application
from tests.support.asgi import asgi_request

HALF_MIB = b"x" * (512 * 1024)


def answered(parts: list[bytes], *, declared: int | None = None) -> tuple[int, dict[str, Any]]:
    """What returns while the client still sends."""
    scope = asgi_request("/session", None, method="POST")
    if declared is not None:
        scope["headers"].append((b"content-length", str(declared).encode()))

    async def call() -> tuple[int, dict[str, Any]]:
        communicator = ApplicationCommunicator(application, scope)
        for part in parts:
            await communicator.send_input({"type": "http.request", "body": part, "more_body": True})
        start = await communicator.receive_output(timeout=3)
        body = await communicator.receive_output(timeout=3)
        return int(start["status"]), json.loads(body["body"])

    try:
        return asyncio.run(call())
    except TimeoutError:
        pytest.fail("no answer while the body is being sent")


def test_read_body__parts_above_the_limit__413_although_more_would_come() -> None:
    status, problem = answered([HALF_MIB, HALF_MIB, b"x"])
    assert (status, problem["code"]) == (413, "body_too_large")


def test_read_body__declared_above_the_limit__413_before_any_part() -> None:
    status, problem = answered([], declared=1024 * 1024 + 1)
    assert (status, problem["code"]) == (413, "body_too_large")


def test_read_body__nothing_more_comes__408(settings: Any) -> None:
    settings.HAWSER_BODY_LIMIT_S = 0.2
    status, problem = answered([b"{"])
    assert (status, problem["code"]) == (408, "body_too_slow")
    assert "0.2 s" in problem["detail"]
