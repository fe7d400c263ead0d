"""A webhook's receiver on this machine: keeps what it was sent and answers as it was told to."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


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
    """`answers` are used up one a call, the last one stays; `drip_s` makes it send a byte now and then for ever."""

    url: str
    port: int
    answers: list[int] = field(default_factory=lambda: [200])
    headers: dict[str, str] = field(default_factory=dict)
    text: str = "ok"
    delay_s: float = 0.0
    drip_s: float = 0.0
    calls: list[Call] = field(default_factory=list)

    def next_answer(self) -> int:
        """The status of this call."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextlib.contextmanager
def receiving(host: str = "127.0.0.1") -> Iterator[Receiver]:
    """A receiver that listens until the block ends."""
    stopped = threading.Event()
    receiver = Receiver("", 0)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            receiver.calls.append(Call(self.path, dict(self.headers), self.rfile.read(length)))
            stopped.wait(receiver.delay_s)
            with contextlib.suppress(OSError):
                self._drip() if receiver.drip_s else self._answer()

        def _answer(self) -> None:
            self.send_response(receiver.next_answer())
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(receiver.text.encode())

        def _drip(self) -> None:
            """A header that never ends."""
            until = time.monotonic() + 60
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
            while time.monotonic() < until and not stopped.wait(receiver.drip_s):
                self.wfile.write(b"x")
                self.wfile.flush()

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
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Proxies, tickets, chat: a receiver to call."""
    with receiving() as found:
        yield found
