"""A server that is not what it says gets neither a file nor a password."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection.endpoint import NodeEndpoint, Tls, TlsMode
from backend.gateway.connection.session import Session

pytestmark = pytest.mark.backend
SECRET = "canary-password"
_OK = b"\0\0\0\x02\0\0\0"
_CAPABILITIES = 0x00A8828B | 0x00020000


def _packet(sequence: int, body: bytes) -> bytes:
    return struct.pack("<I", len(body))[:3] + bytes([sequence]) + body


def _greeting() -> bytes:
    low, high = struct.pack("<H", _CAPABILITIES & 0xFFFF), struct.pack("<H", _CAPABILITIES >> 16)
    version = b"5.5.5-10.11.19-MariaDB\0"
    head = b"\x0a" + version + struct.pack("<I", 7) + b"abcdefgh\0" + low + b"\x2d" + struct.pack("<H", 2)
    return head + high + bytes([21]) + b"\0" * 10 + b"ijklmnopqrst\0" + b"mysql_native_password\0"


class Rogue:
    """Greets, asks for the login by another plugin where told so, then answers each command alike."""

    def __init__(self, client: socket.socket, *, plugin: bytes = b"", answer: bytes = _OK) -> None:
        self._client = client
        self._plugin, self._answer = plugin, answer
        self.heard = b""

    def _read(self) -> int:
        head = self._exactly(4)
        self.heard += self._exactly(int.from_bytes(head[:3], "little"))
        return head[3]

    def _exactly(self, size: int) -> bytes:
        body = b""
        while len(body) < size:
            part = self._client.recv(size - len(body))
            if not part:
                raise EOFError
            body += part
        return body

    def serve(self) -> None:
        try:
            self._client.sendall(_packet(0, _greeting()))
            sequence = self._read()
            if self._plugin:
                self._client.sendall(_packet(sequence + 1, b"\xfe" + self._plugin + b"\0\x04Password:"))
                sequence = self._read()
            self._client.sendall(_packet(sequence + 1, _OK))
            while True:
                self._client.sendall(_packet(self._read() + 1, self._answer))
        except (EOFError, OSError):
            self._client.close()


@contextmanager
def rogue(plugin: bytes = b"", answer: bytes = _OK) -> Iterator[tuple[NodeEndpoint, list[Rogue]]]:
    """A rogue server for one connection."""
    served: list[Rogue] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            client, _ = server.accept()
            client.settimeout(3)
            served.append(Rogue(client, plugin=plugin, answer=answer))
            served[0].serve()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield NodeEndpoint("127.0.0.1", server.getsockname()[1], "user", SECRET), served
        thread.join(5)


@pytest.mark.parametrize("plugin", [b"mysql_clear_password", b"dialog", b"sha256_password", b"caching_sha2_password"])
def test_session__server_asks_for_another_login__password_stays_here(plugin: bytes) -> None:
    with rogue(plugin=plugin) as (endpoint, served), pytest.raises(NodeError, match="restricted_auth"):
        Session("rogue", endpoint, read_only=True, read_s=1).run("SELECT 1 AS one")
    assert SECRET.encode() not in served[0].heard


def test_session__server_asks_for_a_local_file__nothing_is_sent() -> None:
    with rogue(answer=b"\xfb/etc/hostname") as (endpoint, served), pytest.raises(NodeError):
        Session("rogue", endpoint, read_only=True, read_s=1).run("SELECT 1 AS one")
    content = Path("/etc/hostname").read_bytes().strip()
    assert content not in served[0].heard


def _dump(endpoint: NodeEndpoint) -> None:
    list(read_events("rogue", endpoint, FilePosition("binlog.000001", 4), limit_s=5, read_s=1))


@pytest.mark.parametrize(
    "plugin", [b"mysql_clear_password", b"dialog", b"sha256_password", b"caching_sha2_password", b"client_ed25519"]
)
def test_dump__server_asks_for_another_login__password_stays_here(plugin: bytes) -> None:
    with rogue(plugin=plugin) as (endpoint, served), pytest.raises(NodeError, match="requires a login by"):
        _dump(endpoint)
    assert SECRET.encode() not in served[0].heard


@pytest.mark.parametrize("mode", [TlsMode.REQUIRED, TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY])
def test_dump__tls_demanded_and_none_offered__not_even_a_name_is_sent(mode: TlsMode) -> None:
    with rogue() as (endpoint, served), pytest.raises(NodeError, match="SSL is required"):
        _dump(replace(endpoint, tls=Tls(mode)))
    assert b"user" not in served[0].heard


@pytest.mark.parametrize("answer", [b"\xfb/etc/hostname", b"\0", b"\0" * 30, b"\xff", b"\x05", b""])
def test_dump__answer_that_is_none__a_named_error_and_nothing_is_sent(answer: bytes) -> None:
    with rogue(answer=answer) as (endpoint, served), pytest.raises(NodeError):
        _dump(endpoint)
    assert Path("/etc/hostname").read_bytes().strip() not in served[0].heard
