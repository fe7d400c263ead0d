"""A server that greets and then stops responding is hung; it refused nothing."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from backend.core.topology import Reach
from backend.gateway.connection.endpoint import NodeEndpoint, Tls, TlsMode
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session

_BODY = (
    b"\x0a5.5.5-10.11.19-MariaDB\0" + struct.pack("<I", 7) + b"abcdefgh\0" + b"\xff\xff\x2d\x02\0\xff\x81\x15"
    + b"\0" * 10 + b"ijklmnopqrst\0mysql_native_password\0"
)  # fmt: skip


@pytest.fixture
def silent() -> Iterator[int]:
    """Port of a server that says its greeting, TLS offered, and nothing more."""
    held: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            try:
                while True:
                    client, _ = server.accept()
                    held.append(client)
                    client.sendall(struct.pack("<I", len(_BODY)) + _BODY)
            except OSError:
                return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(timeout=5)
    for client in held:
        client.close()


@pytest.mark.parametrize("mode", [TlsMode.REQUIRED, TlsMode.DISABLED])
def test_session__server_silent_after_its_greeting__hung_not_refused(silent: int, mode: TlsMode) -> None:
    """Frozen before the TLS handshake ended: an operator must not go looking for certificates."""
    session = Session("db-a1", NodeEndpoint("127.0.0.1", silent, "u", "p", Tls(mode)), read_only=True)
    with pytest.raises(ConnectError) as refusal:
        session.open()
    assert refusal.value.reach is Reach.HUNG
    assert "TLS refused" not in str(refusal.value)
