"""One kept connection that never blocks: statements are sent together, and their answers are read as they come in."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from functools import lru_cache

from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.connection.python_login import FAULTS, LoginConnection, open_login, text_of
from backend.gateway.connection.session_settings import session_settings
from backend.gateway.connection.statement_filter import is_reading
from backend.gateway.polling.readings import Readings
from backend.gateway.polling.results import ProtocolError, Remembered, Results, Shape

_CHUNK = 32 * 1024
"""A poll's answer is half of it; memory for a larger one is asked of the system each time."""
_QUERY = b"\x03"
_is_reading = lru_cache(maxsize=4096)(is_reading)


class Exchange:
    """A connection, and the answer that is awaited on it. Whatever goes wrong raises OSError or ProtocolError."""

    def __init__(self, name: str, connection: LoginConnection) -> None:
        self._name, self._connection = name, connection
        self._socket = connection._sock  # noqa: SLF001 - the driver has no public name for it
        self._socket.settimeout(0)
        self._prepared: tuple[Sequence[str], bytes, list[Remembered]] = (), b"", []
        self._columns: list[Remembered] = []
        self.readings = Readings()
        self.results: Results | None = None

    @property
    def number(self) -> int:
        """The server's number of this connection."""
        return int(self._connection.thread_id())

    def fileno(self) -> int:
        """What to wait for."""
        return int(self._socket.fileno())

    def send(self, statements: Sequence[str], shape: Shape, *, is_kept: bool = True) -> None:
        """Send reading statements of Hawser's own text; what an answer has in common with the last is kept for it."""
        if not is_kept:
            packet, memories = self._packet(statements), self._without_rows(len(statements))
        elif statements is self._prepared[0]:
            _, packet, memories = self._prepared
        else:
            packet, memories = self._packet(statements), [Remembered() for _ in statements]
            self._prepared = statements, packet, memories
        self.results = Results(memories, shape)
        if self._socket.send(packet) != len(packet):
            raise OSError("the statements could not be sent at once")

    def _without_rows(self, count: int) -> list[Remembered]:
        """Of answers that have nothing in common but their columns."""
        self._columns += [Remembered() for _ in range(count - len(self._columns))]
        for memory in self._columns:
            memory.forget_rows()
        return self._columns[:count]

    def _packet(self, statements: Sequence[str]) -> bytes:
        if not all(map(_is_reading, statements)):
            raise NotAllowedError(self._name, "only reading statements are sent together; nothing was sent")
        body = _QUERY + "; ".join(statements).encode()
        return len(body).to_bytes(3, "little") + b"\0" + body

    def receive(self) -> bool:
        """Read what has come in; whether the answer is complete."""
        results = self.results
        while results is None or not results.is_complete:
            try:
                data = self._socket.recv(_CHUNK)
            except (BlockingIOError, ssl.SSLWantReadError):
                return False
            if not data:
                raise ConnectionResetError("the server closed the connection")
            if results is None:
                raise ProtocolError("an answer to nothing")
            results.feed(data)
            if len(data) < _CHUNK and not isinstance(self._socket, ssl.SSLSocket):
                break
        return results.is_complete

    def close(self) -> None:
        """End the connection; the server ends what runs on it."""
        self._connection._force_close()  # noqa: SLF001 - as above


def open_exchange(name: str, endpoint: NodeEndpoint, *, read_s: float) -> Exchange:
    """Log in; waits, and so is called outside of the loop. Raises NodeError."""
    connection = open_login(name, endpoint, read_s=read_s, joins=True)
    try:
        connection.query(session_settings(read_s=read_s))
        return Exchange(name, connection)
    except FAULTS as error:
        connection._force_close()  # noqa: SLF001 - as above
        raise NodeError(name, f"the session cannot be set: {text_of(error)}") from error
