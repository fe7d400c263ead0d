"""ASGI entry point, which event streams need.

Everything except following a stream is synchronous. Django's handler would move each middleware to a thread and back,
fourteen times per request, and end that thread with its database connection. Here a request moves to a thread once, and
the thread keeps its connection for the next one (measured: a third less time for a small response).
"""

from __future__ import annotations

import http
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import django
from asgiref.sync import sync_to_async
from django.core import signals
from django.db import close_old_connections, connection, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import get_resolver

from backend.common.errors import ProblemError
from backend.common.memory import set_aside
from backend.config.asgi_handler import RequestHandler
from backend.config.asgi_types import Receive, Send
from backend.config.lifespan import follow_lifespan
from backend.config.plain_answers import answer_liveness, answer_problem, asks_for_liveness
from backend.config.request_body import read_body, refuse_declared_size

THREADS: Final = 40
"""Limit of the connections to the console's database; a plan may occupy its thread for minutes."""
KEPT_S: Final = 10
"""A connection whose database was dropped and restored meanwhile answers no query, but every ping."""
TRUSTED_S: Final = 1
"""A ping costs a third of what a read costs the database."""

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")


class ThreadsHandler(RequestHandler):
    """Run middleware and view together in one of the threads."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(THREADS, "request")
        self._thread = threading.local()

    def load_middleware(self, is_async: bool = False) -> None:
        """The synchronous middleware chain."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Liveness needs no thread; a body that is too large or too slow gets none."""
        if scope["type"] == "lifespan":
            _load_views()
            await follow_lifespan(receive, send)
        elif scope["type"] == "http" and asks_for_liveness(scope):
            await answer_liveness(scope, send)
        else:
            await self._handle_bounded(scope, receive, send)

    async def _handle_bounded(self, scope: Any, receive: Receive, send: Send) -> None:
        try:
            if scope["type"] == "http":
                refuse_declared_size(scope)
            await super().__call__(scope, receive, send)
        except ProblemError as problem:
            await answer_problem(scope, send, problem)

    async def read_body(self, receive: Receive) -> Any:
        """Handle a request whose body is within its limits."""
        return await read_body(receive)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """The response of the synchronous handler."""
        answer = sync_to_async(self._answer, thread_sensitive=False, executor=self._threads)
        return await answer(request)

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        """A connection is pinged before its first query, unless it answered a moment ago and the request only reads.

        Such a read is repeated if the connection had been lost. A failed or old connection is closed after the
        response.
        """
        signals.request_started.send(type(self))  # closes a failed or old connection
        is_trusted = request.method in ("GET", "HEAD") and self._has_answered_just_now()
        try:
            response = self.get_response(request)
            if is_trusted and response.status_code == http.HTTPStatus.SERVICE_UNAVAILABLE:
                response.close()
                close_old_connections()
                response = self.get_response(request)
            self._thread.answered_s = time.monotonic()
            if not response.streaming:
                response.close()
            return response
        finally:
            close_old_connections()

    def _has_answered_just_now(self) -> bool:
        is_so = time.monotonic() - getattr(self._thread, "answered_s", -TRUSTED_S) < TRUSTED_S
        connection.health_check_done = is_so  # type: ignore[attr-defined]  # Django's mark; its stubs lack it
        return is_so


def _load_views() -> None:
    """Load the modules of all views before the first request, and set them aside with the rest."""
    _ = get_resolver().url_patterns
    set_aside()


django.setup(set_prefix=False)
connections.settings["default"] |= {"CONN_MAX_AGE": KEPT_S, "CONN_HEALTH_CHECKS": True}
application = ThreadsHandler()
