"""An orchestrator must not end the process that carries the incident because its threads are busy."""

from __future__ import annotations

import asyncio
import threading

from asgiref.testing import ApplicationCommunicator

from backend.config.asgi import THREADS, ThreadsHandler
from tests.support.asgi import asgi_request


def test_healthz__every_thread_busy__answered_by_none_of_them() -> None:
    handler, release = ThreadsHandler(), threading.Event()  # of its own: idle threads would serve other tests in turn
    busy = [handler._threads.submit(release.wait, 20) for _ in range(THREADS)]

    async def ask() -> tuple[int, bytes]:
        call = ApplicationCommunicator(handler, asgi_request("/healthz", None))
        await call.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await call.receive_output(timeout=5)
        body = await call.receive_output(timeout=5)
        await call.wait(timeout=5)
        return int(start["status"]), body["body"]

    try:
        status, body = asyncio.run(ask())
        assert not any(one.done() for one in busy)
    except TimeoutError:
        raise AssertionError("not answered while the threads are busy") from None
    finally:
        release.set()
    assert (status, body) == (200, b'{"status":"ok"}')
