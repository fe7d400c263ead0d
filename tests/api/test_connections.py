"""Connections are bounded before a request is one, in uvicorn's own protocol."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import Any

from uvicorn.config import Config
from uvicorn.server import ServerState

from backend.config.bounded_http import BoundedProtocol

HALF = b"GET / HTTP/1.1\r\nHos"
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Wire(asyncio.Transport):
    """A connection from this address, of which is kept whether it was cut; as in a loop, its end is told later."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 4711), "sockname": ("127.0.0.1", 8000)})
        self.is_cut = False

    def abort(self) -> None:
        self.is_cut = True

    close = abort

    def is_closing(self) -> bool:
        return self.is_cut

    def write(self, data: Any) -> None:
        pass


class Served:
    """A server whose application never answers."""

    def __init__(self) -> None:
        self.state = ServerState()
        self.config = Config(_never, log_config=None)

    def connect(self, address: str, begun: bytes = b"") -> tuple[Wire, BoundedProtocol]:
        """A connection that has sent this."""
        wire, protocol = Wire(address), BoundedProtocol(self.config, self.state, {})
        protocol.connection_made(wire)
        if begun:
            protocol.data_received(begun)
        return wire, protocol


async def _never(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.Event().wait()


def cut(settings: Any, connections: list[str], begun: bytes = HALF) -> list[int]:
    """Which of these connections, by their place, are cut where an address may have 2 and all may have 4."""
    settings.HAWSER_CONNECTIONS, settings.HAWSER_CONNECTIONS_PER_ADDRESS = 4, 2

    async def connect() -> list[int]:
        served = Served()
        wires = [served.connect(address, begun)[0] for address in connections]
        for task in served.state.tasks:
            task.cancel()
        return [place for place, wire in enumerate(wires) if wire.is_cut]

    return asyncio.run(connect())


def test_address__one_too_many__its_longest_idle_one_makes_room(settings: Any) -> None:
    assert cut(settings, ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1"]) == [0]


def test_address__several_too_many_before_the_first_is_gone__as_many_are_cut(settings: Any) -> None:
    assert cut(settings, ["192.0.2.1"] * 4) == [0, 1]


def test_address__of_one_prefix__counted_as_one(settings: Any) -> None:
    assert cut(settings, ["2001:db8::1", "2001:db8::2:1", "2001:db8:0:1::1", "2001:db8::3"]) == [0]


def test_address__all_answer_requests__the_newest_is_cut(settings: Any) -> None:
    assert cut(settings, ["192.0.2.1"] * 3, WHOLE) == [2]


def test_address__behind_the_proxy__not_counted(settings: Any) -> None:
    settings.HAWSER_BEHIND_PROXY = True
    assert cut(settings, ["127.0.0.1"] * 4) == []


def test_connections__of_many_addresses__the_longest_idle_one_makes_room(settings: Any) -> None:
    assert cut(settings, [f"192.0.2.{place}" for place in range(5)]) == [0]


def test_limit__as_many_requests_as_connections__nobody_else_gets_in(settings: Any) -> None:
    assert cut(settings, [f"192.0.2.{place}" for place in range(5)], WHOLE) == [4]


def test_limit__unfinished_tls_handshake__not_counted() -> None:
    async def counted() -> int:
        served, accepted = Served(), asyncio.Event()

        def protocol() -> BoundedProtocol:
            accepted.set()
            return BoundedProtocol(served.config, served.state, {})

        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        async with await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0, ssl=tls) as server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            await accepted.wait()
            writer.close()
            return len(served.state.connections)

    assert asyncio.run(counted()) == 0


def after_its_time(begun: Callable[[Served], tuple[Wire, BoundedProtocol]]) -> bool:
    """Whether a connection is cut when the time for a head is over."""

    async def wait() -> bool:
        wire, protocol = begun(Served())
        over = asyncio.Event()
        asyncio.get_running_loop().call_later(0.05, over.set)
        await over.wait()
        was_cut = wire.is_cut
        protocol.connection_lost(None)
        return was_cut

    return asyncio.run(wait())


def test_head__half_sent_and_its_time_over__cut(settings: Any) -> None:
    settings.HAWSER_BODY_LIMIT_S = 0.01
    assert after_its_time(lambda served: served.connect("192.0.2.1", HALF))


def test_head__complete__not_cut_while_it_is_answered(settings: Any) -> None:
    settings.HAWSER_BODY_LIMIT_S = 0.01
    assert not after_its_time(lambda served: served.connect("192.0.2.1", WHOLE))
