"""A server that is not what it says: it greets, asks for a login as it likes, and answers each command alike."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from backend.gateway.connection.endpoint import NodeEndpoint

SECRET = "canary-password"
MARIADB, MYSQL = b"5.5.5-10.11.19-MariaDB", b"9.7.4"
OK = b"\0\0\0\x02\0\0\0"
CAPABILITIES = 0x00A8828B | 0x00020000
_TLS = 0x0800
_FULL = b"\x01\x04"
"""caching_sha2_password: hand over the password itself."""
_SHA2 = b"caching_sha2_password"


def packet(sequence: int, body: bytes) -> bytes:
    """One packet with its head."""
    return struct.pack("<I", len(body))[:3] + bytes([sequence]) + body


def read_packet(client: socket.socket) -> tuple[int, bytes]:
    """The number and body of the next packet; EOFError where the console has left."""
    head = _exactly(client, 4)
    return head[3], _exactly(client, int.from_bytes(head[:3], "little"))


def _exactly(client: socket.socket, size: int) -> bytes:
    body = b""
    while len(body) < size:
        part = client.recv(size - len(body))
        if not part:
            raise EOFError
        body += part
    return body


def greeting(version: bytes, capabilities: int) -> bytes:
    """The first packet of a server."""
    low, high = struct.pack("<H", capabilities & 0xFFFF), struct.pack("<H", capabilities >> 16)
    head = b"\x0a" + version + b"\0" + struct.pack("<I", 7) + b"abcdefgh\0" + low + b"\x2d" + struct.pack("<H", 2)
    return head + high + bytes([21]) + b"\0" * 10 + b"ijklmnopqrst\0" + b"mysql_native_password\0"


class Rogue:
    """One connection of it; `packets` is what the console sent."""

    def __init__(
        self,
        client: socket.socket,
        plugin: bytes,
        answers: tuple[bytes, ...],
        version: bytes,
        tls: ssl.SSLContext | None,
    ) -> None:
        self._client = client
        self._plugin, self._answers, self._version, self._tls = plugin, answers, version, tls
        self.packets: list[bytes] = []

    @property
    def heard(self) -> bytes:
        """All that the console sent, without the heads of packets; inside TLS what it meant."""
        return b"".join(self.packets)

    def _read(self) -> int:
        sequence, body = read_packet(self._client)
        self.packets.append(body)
        return sequence

    def _ask(self, sequence: int, body: bytes) -> int:
        self._client.sendall(packet(sequence + 1, body))
        return self._read()

    def serve(self) -> None:
        """Speak until the console leaves."""
        try:
            sequence = self._log_in()
            self._client.sendall(packet(sequence + 1, OK))
            for answer in self._answers:
                self._client.sendall(packet(self._read() + 1, answer))
            while True:
                self._client.sendall(packet(self._read() + 1, self._answers[-1]))
        except (EOFError, OSError):
            self._client.close()

    def _log_in(self) -> int:
        offered = _TLS if self._tls is not None else 0
        self._client.sendall(packet(0, greeting(self._version, CAPABILITIES | offered)))
        sequence = self._read()
        if self._tls is not None and len(self.packets[0]) == 32:  # a request for TLS is a login's first 32 bytes
            self._client = self._tls.wrap_socket(self._client, server_side=True)
            sequence = self._read()
        if self._plugin == _SHA2:
            sequence = self._ask(sequence, b"\xfe" + _SHA2 + b"\0" + b"n" * 20 + b"\0")
            return self._ask(sequence, _FULL)
        return self._ask(sequence, b"\xfe" + self._plugin + b"\0\x04Password:") if self._plugin else sequence


@contextmanager
def rogue(
    plugin: bytes = b"", answer: bytes = OK, *more: bytes, version: bytes = MARIADB, tls: ssl.SSLContext | None = None
) -> Iterator[tuple[NodeEndpoint, list[Rogue]]]:
    """A rogue server for one connection."""
    served: list[Rogue] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            client, _ = server.accept()
            client.settimeout(3)
            served.append(Rogue(client, plugin, (answer, *more), version, tls))
            served[0].serve()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield NodeEndpoint("127.0.0.1", server.getsockname()[1], "user", SECRET), served
        thread.join(5)
