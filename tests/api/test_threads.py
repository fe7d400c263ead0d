"""The ASGI application's threads keep their database connection, and replace one that was closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import connection
from django.db.backends.signals import connection_created

from backend.config.asgi import application
from tests.support.asgi import asgi_request
from tests.support.console import Caller


@contextmanager
def opened() -> Iterator[list[Any]]:
    """Connections of the database that are opened in the block."""
    found: list[Any] = []

    def on_opened(sender: Any, connection: Any, **_: Any) -> None:
        del sender
        found.append(connection)

    connection_created.connect(on_opened)
    try:
        yield found
    finally:
        connection_created.disconnect(on_opened)


def statuses(token: str, times: int, method: str = "GET") -> list[int]:
    """One call after the other, as a browser's."""

    async def ask() -> int:
        call = ApplicationCommunicator(application, asgi_request("/links", token, method=method))
        await call.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await call.receive_output(timeout=10)
        await call.receive_output(timeout=10)
        await call.wait(timeout=10)
        return int(start["status"])

    async def all_of_them() -> list[int]:
        return [await ask() for _ in range(times)]

    return asyncio.run(all_of_them())


def test_requests__one_after_the_other__share_a_connection(emptied: None, as_role: Callable[[str], Caller]) -> None:
    token = as_role("viewer").token
    assert token is not None
    with opened() as found:
        assert statuses(token, 8) == [200] * 8
    assert len(found) <= 2


@pytest.mark.skipif(connection.vendor != "mysql", reason="a file has no connection to be killed")
@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("PUT", 405)])
def test_request__connection_killed_meanwhile__replaced_unseen(
    emptied: None, as_role: Callable[[str], Caller], method: str, status: int
) -> None:
    """A read is asked again; what might change something is not sent down a connection that was not pinged."""
    token = as_role("viewer").token
    assert token is not None
    assert statuses(token, 1) == [200]
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM information_schema.processlist WHERE db=DATABASE() AND id<>CONNECTION_ID()")
        connection_ids = [row[0] for row in cursor.fetchall()]
        for each in connection_ids:
            cursor.execute(f"KILL {int(each)}")
    with opened() as found:
        assert statuses(token, 3, method) == [status] * 3
    assert connection_ids
    assert found
