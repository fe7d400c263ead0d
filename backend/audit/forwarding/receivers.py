"""Where records go: a syslog receiver over TLS, TCP or a socket of the host, or a file of JSON Lines.

A batch counts as sent when the receiver has read all of it: the console ends its half of the connection, and waits for
the receiver to end its own. Without that, what lies in a buffer when a receiver is killed would be lost unseen.
"""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import parse_qs, urlsplit

from backend.audit.forwarding.syslog_message import frame

LIMIT_S: Final = 5.0
_PORTS: Final = {"tls": 6514, "tcp": 601}


class Receiver(Protocol):
    """Takes a batch of messages completely, or raises OSError."""

    def send(self, messages: Sequence[bytes]) -> None:
        """Send all; returns when they arrived."""


@dataclass(frozen=True, slots=True)
class SyslogReceiver:
    """`tls://host:6514?ca=/path`, `tcp://host:601` or `unix:///run/systemd/journal/syslog`."""

    url: str

    def send(self, messages: Sequence[bytes]) -> None:
        """One connection for the batch."""
        parts = urlsplit(self.url)
        if parts.scheme == "unix":
            _to_host(parts.path, messages)
            return
        with self._connected() as connection:
            connection.sendall(b"".join(frame(each) for each in messages))
            _wait_until_read(connection)

    def _connected(self) -> socket.socket:
        parts = urlsplit(self.url)
        host = parts.hostname or ""
        plain = socket.create_connection((host, parts.port or _PORTS[parts.scheme]), LIMIT_S)
        if parts.scheme == "tcp":
            return plain
        given = parse_qs(parts.query)
        context = ssl.create_default_context(cafile=given["ca"][0] if "ca" in given else None)
        if "cert" in given:
            context.load_cert_chain(given["cert"][0], given["key"][0])
        return context.wrap_socket(plain, server_hostname=host)


def _wait_until_read(connection: socket.socket) -> None:
    """End this half; OSError if the receiver does not end its own in time."""
    if isinstance(connection, ssl.SSLSocket):
        try:
            connection.unwrap()
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
            return  # the receiver closed in answer to our close
        except ssl.SSLError as error:
            raise OSError(f"the receiver did not confirm the end of the connection: {error}") from error
        return
    connection.shutdown(socket.SHUT_WR)
    while connection.recv(4096):
        pass


def _to_host(path: str, messages: Sequence[bytes]) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as host:
        host.settimeout(LIMIT_S)
        host.connect(path)
        for each in messages:
            host.send(each)


@dataclass(frozen=True, slots=True)
class FileReceiver:
    """A file to append lines to; it may be rotated between two batches."""

    path: Path

    def send(self, messages: Sequence[bytes]) -> None:
        """Append and flush to disk."""
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)
        with os.fdopen(descriptor, "wb") as file:
            file.write(b"".join(each + b"\n" for each in messages))
            file.flush()
            os.fsync(file.fileno())
