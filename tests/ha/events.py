"""A client of the event stream that connects again, by its last id, whenever the stream ends or is silent."""

from __future__ import annotations

import http.client
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

from tests.ha.client import Client
from tests.ha.stack import HaStack

SILENT_S = 25.0
"""A heartbeat comes every ten seconds."""
RETRY_S = 1.0


@dataclass
class Follower:
    """Follows `/events` on a thread of its own from the moment it is started."""

    client: Client
    ids: list[int] = field(default_factory=list)
    connects: int = 0
    longest_gap_s: float = 0.0
    """Between two signs of life of any stream."""
    _alive_at: float = 0.0
    _over: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> Follower:
        """Begin; returns once the first stream is open."""
        self._alive_at = time.monotonic()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()
        while not self.connects and not self._over.wait(0.1):
            pass
        return self

    def stop(self) -> None:
        """No more; the stream under way is left with its next line."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(SILENT_S + 5)

    def _follow(self) -> None:
        while not self._over.is_set():
            with suppress(OSError, http.client.HTTPException):
                self._stream()
            self._over.wait(RETRY_S)

    def _stream(self) -> None:
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.client.port, timeout=SILENT_S, context=self.client.context
        )
        headers = {"Authorization": f"Bearer {self.client.token}"}
        headers |= {"Last-Event-ID": str(self.ids[-1])} if self.ids else {}
        try:
            connection.request("GET", "/api/v1/events", headers=headers)
            response = connection.getresponse()
            if response.status == 200:
                self.connects += 1
                self._read(response)
        finally:
            connection.close()

    def _read(self, response: http.client.HTTPResponse) -> None:
        while not self._over.is_set() and (line := response.readline()):
            now = time.monotonic()
            self.longest_gap_s = max(self.longest_gap_s, now - self._alive_at)
            self._alive_at = now
            if line.startswith(b"id: "):
                self.ids.append(int(line[4:]))


def missed(ids: list[int], stack: HaStack) -> list[int]:
    """Events that are stored between the first and the last that a follower got, and that it never got."""
    if not ids:
        return []
    # The first id is where the stream began, not an event.
    stored = stack.rows(f"SELECT id FROM events_event WHERE id > {ids[0]} AND id <= {max(ids)}")
    return sorted({int(row["id"]) for row in stored} - set(ids))
