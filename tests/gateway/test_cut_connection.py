"""A connection that is cut off says nothing of the node: reading is asked again at once, over a new one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

import pytest

from backend.core.ports import NodeError
from backend.core.topology import Reach
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.parallel import observe_once
from backend.gateway.reader import Reader
from deploy.lab.api import Lab
from tests.gateway.lab import access

pytestmark = pytest.mark.server
SHARES = (0.0, 0.4, 0.6, 0.8, 0.9, 0.99)
"""Of all that the server says: in its greeting, the login, our settings, its answers."""
ENDLESS = 1 << 40


@dataclass
class Cutter:
    """Between us and a node; the n-th connection ends behind so many bytes of the server's."""

    target: tuple[str, int]
    cuts: list[int]
    passed: list[int] = field(default_factory=list)
    port: int = 0

    def serve(self, server: socket.socket) -> None:
        """Until the listening socket is closed."""
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            number = len(self.passed)
            self.passed.append(0)
            threading.Thread(target=self._carry, args=(client, number), daemon=True).start()

    def _carry(self, client: socket.socket, number: int) -> None:
        limit = self.cuts[number] if number < len(self.cuts) else ENDLESS
        with suppress(OSError), client, socket.create_connection(self.target) as there:
            threading.Thread(target=_copy, args=(client, there), daemon=True).start()
            while self.passed[number] < limit:
                data = there.recv(min(4096, limit - self.passed[number]))
                if not data:
                    return
                client.sendall(data)
                self.passed[number] += len(data)
            client.shutdown(socket.SHUT_RDWR)


def _copy(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(4096):
            sink.sendall(data)
    except OSError:
        return


@contextmanager
def cut(lab: Lab, *cuts: int) -> Iterator[tuple[NodeAccess, Cutter]]:
    """The first node of the lab, its first connections cut off."""
    there = access(lab, "db-a1")
    cutter = Cutter((there.monitor.host, there.monitor.port), list(cuts))
    with socket.create_server(("127.0.0.1", 0)) as server:
        cutter.port = server.getsockname()[1]
        thread = threading.Thread(target=cutter.serve, args=(server,), daemon=True)
        thread.start()
        yield replace(there, monitor=replace(there.monitor, host="127.0.0.1", port=cutter.port)), cutter
        server.shutdown(socket.SHUT_RDWR)
    thread.join(timeout=5)


@pytest.mark.parametrize("share", SHARES)
def test_reader__cut_off_once_anywhere__answers(lab: Lab, share: float) -> None:
    def ask(there: NodeAccess) -> None:
        reader = Reader(there.ref, there.monitor)
        assert reader.query("SELECT 7 AS n") == [{"n": 7}]
        reader.close()

    survives(lab, share, ask)


@pytest.mark.parametrize("share", SHARES)
def test_poll__cut_off_once_anywhere__up(lab: Lab, share: float) -> None:
    def ask(there: NodeAccess) -> None:
        assert observe_once(there).reach is Reach.UP

    survives(lab, share, ask)


def survives(lab: Lab, share: float, ask: Callable[[NodeAccess], None]) -> None:
    """Asked once without a cut to see how much the server says, then with one behind that share of it."""
    with cut(lab) as (there, cutter):
        ask(there)
    behind = round(share * cutter.passed[0])
    with cut(lab, behind) as (there, cutter):
        ask(there)
    assert cutter.passed[0] == behind, "it was not cut off"


def test_poll_and_reader__cut_off_over_and_over__told_soon(lab: Lab) -> None:
    with cut(lab, *[0] * 20) as (there, cutter):
        assert observe_once(there).reach in (Reach.HUNG, Reach.UNKNOWN)
        with pytest.raises(NodeError):
            Reader(there.ref, there.monitor).query("SELECT 1")
    assert len(cutter.passed) <= 8
