"""Calls of a secret store's API, to one that does not keep to what is expected."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from backend.clusters.secret_stores import http_json

PAUSE_S = 0.2


@pytest.fixture
def dripping() -> Iterator[str]:
    """The address of a store whose answer comes byte by byte, each of them in time, until the caller has gone."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_drip, args=(listening,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join(60)


def _drip(listening: socket.socket) -> None:
    connection, _ = listening.accept()
    pause = threading.Event()
    with connection:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 52\r\n\r\n")
        for byte in b'{"a": 1}'.ljust(52):
            try:
                connection.sendall(bytes([byte]))
            except OSError:
                return
            pause.wait(PAUSE_S)


def test_call__store_that_drips__ends_as_a_whole_in_time(dripping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_json, "LIMIT_S", 5 * PAUSE_S)
    with pytest.raises(http_json.CallError, match="did not answer"):
        http_json.call(dripping, "GET", "/v1/x", headers={}, body=None, ca_file="")
