"""Servers that respond and let nobody in, or not every account."""

from __future__ import annotations

import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

from tests.gateway.rogue import CAPABILITIES, MARIADB, OK, greeting, packet, read_packet

ACCESS_DENIED = b"\xff\x15\x04#28000Access denied for user"
TLS_ONLY = b"\xff\x57\x0c#HY000Connections using insecure transport are prohibited"


def _answer(client: socket.socket, users: Collection[str], refusal: bytes) -> None:
    with client, suppress(EOFError, OSError):
        client.settimeout(3)
        client.sendall(packet(0, greeting(MARIADB, CAPABILITIES)))
        sequence, login = read_packet(client)
        is_refused = any(user.encode() + b"\0" in login for user in users)
        client.sendall(packet(sequence + 1, refusal if is_refused else OK))
        while not is_refused:
            client.sendall(packet(read_packet(client)[0] + 1, OK))


@contextmanager
def refusing(*users: str, refusal: bytes = ACCESS_DENIED) -> Iterator[int]:
    """The port of a server on loopback that refuses these users and takes the others, for as many as come."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    client, _ = server.accept()
                    threading.Thread(target=_answer, args=(client, users, refusal), daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)
