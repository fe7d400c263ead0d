"""uvicorn's HTTP protocol, bounded before a request is one: `--http backend.config.bounded_http:BoundedProtocol`.

The application sees a request when its head is complete. Who sends half of one, or nothing, is seen here only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from backend.common.client_networks import networks_of


class BoundedProtocol(HttpToolsProtocol):
    """A connection is closed if a head takes longer than HAWSER_BODY_LIMIT_S from its beginning.

    Where there are too many, the one that has waited for a head for longest makes room, so that a caller who says
    something gets in. What answers a request is never closed for another one.
    """

    network = ""
    idle_since = 0.0
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Count it, and wait for its first head."""
        super().connection_made(transport)
        self.network = networks_of(self.client[0])[0] if self.client else ""
        self.idle_since = self.loop.time()
        self._limit_head()
        if not settings.HAWSER_BEHIND_PROXY:
            _make_room(
                [one for one in self._open() if one.network == self.network], settings.HAWSER_CONNECTIONS_PER_ADDRESS
            )
        _make_room(list(self._open()), settings.HAWSER_CONNECTIONS)

    def data_received(self, data: bytes) -> None:
        """Bytes that complete no head end uvicorn's wait for the next request, but not this one."""
        super().data_received(data)
        if self.is_idle and self._head_timer is None:
            self._limit_head()

    def on_headers_complete(self) -> None:
        """The head is there; from here on the body is limited."""
        self._end_limit()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Idle from here on, unless another request waits already."""
        self.idle_since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to wait for."""
        self._end_limit()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether no request is answered here."""
        return bool(getattr(self.cycle, "response_complete", True))

    def _open(self) -> Iterator[BoundedProtocol]:
        return (one for one in self.connections if isinstance(one, BoundedProtocol) and not one.transport.is_closing())

    def _limit_head(self) -> None:
        self._head_timer = self.loop.call_later(settings.HAWSER_BODY_LIMIT_S, self.transport.abort)

    def _end_limit(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


def _make_room(rivals: list[BoundedProtocol], most: int) -> None:
    """Close the longest idle one if there are more; the newest has said nothing yet, so that there always is one."""
    if len(rivals) > most:
        min((one for one in rivals if one.is_idle), key=lambda one: one.idle_since).transport.abort()
