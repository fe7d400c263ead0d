"""A webhook's receiver on this machine: keeps what it was sent and answers as it was told to."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

_HELD_AT_MOST_S = 60.0
"""A caller that waits for that long gets an answer, and its test fails."""
_DRIPS = 1000


@dataclass
class Call:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body, parsed."""
        parsed: dict[str, Any] = json.loads(self.body)
        return parsed


@dataclass
class Receiver:
    """`answers` are used up one a call, the last one stays; none is given before it is `released`.

    `drip_s` makes it send a byte of a header now and then, so often that no caller would wait for the end.
    """

    url: str
    port: int
    answers: list[int] = field(default_factory=lambda: [200])
    headers: dict[str, str] = field(default_factory=dict)
    text: str = "ok"
    drip_s: float = 0.0
    calls: list[Call] = field(default_factory=list)
    answered: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    def next_answer(self) -> int:
        """The status of this call."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextlib.contextmanager
def receiving(host: str = "127.0.0.1") -> Iterator[Receiver]:
    """A receiver that listens until the block ends."""
    stopped = threading.Event()
    receiver = Receiver("", 0)
    receiver.released.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            receiver.calls.append(Call(self.path, dict(self.headers), self.rfile.read(length)))
            receiver.released.wait(_HELD_AT_MOST_S)
            with contextlib.suppress(OSError):
                self._drip() if receiver.drip_s else self._answer()

        def _answer(self) -> None:
            self.send_response(receiver.next_answer())
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(receiver.text.encode())
            receiver.answered += 1

        def _drip(self) -> None:
            """An answer after a header that takes its time."""
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
            for _ in range(_DRIPS):
                if stopped.wait(receiver.drip_s):
                    return
                self.wfile.write(b"x")
                self.wfile.flush()
            self.wfile.write(b"\r\n\r\n")
            receiver.answered += 1

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Quiet."""

    server = ThreadingHTTPServer((host, 0), Handler)
    server.daemon_threads = True
    receiver.port = server.server_address[1]
    receiver.url = f"http://{host}:{receiver.port}/hook?token=zz"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        stopped.set()
        receiver.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Proxies, tickets, chat: a receiver to call."""
    with receiving() as found:
        yield found
