"""Limits a whole exchange over a socket: a receiver that sends slowly is cut off when the time is up."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def cut_at(until: float, current_socket: Callable[[], socket.socket | None]) -> Iterator[None]:
    """End every wait on the socket at this time of the monotonic clock."""
    guard = threading.Timer(max(0.05, until - time.monotonic()), lambda: _cut(current_socket()))
    guard.daemon = True
    guard.start()
    try:
        yield
    finally:
        guard.cancel()


def _cut(sock: socket.socket | None) -> None:
    if sock is not None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return
