"""Serves many stand-in nodes from one process: `python -m bench.fleet.stand_in.serve NET LINKS NODES RATE`.

It prints a line once all listen; each line on its standard input is obeyed: `kill HOST`, `hang HOST`, `start HOST`, or
`lose HOST`, after which no node of its cluster answers any more. It ends with that input, or with `--on` when it is
stopped.
"""

from __future__ import annotations

import asyncio
import sys
import uuid
from collections.abc import Iterator

from bench.fleet.console import host_of
from bench.fleet.stand_in.changes import Probes, Writes
from bench.fleet.stand_in.node import RECORDED, VERSION, Address, Node
from bench.fleet.stand_in.protocol import OK, REFUSED, Joined, greeting, packet

PORT = 3306
_QUIT, _QUERY = 1, 3
_EVENTS: dict[tuple[bytes, int, int], bytes] = {}
_MOST_EVENTS = 4_096


def addresses(net: str, links: int, nodes: int, rate: float) -> Iterator[Address]:
    """Links of two clusters with `nodes` in all; the first node of each side has the channel."""
    for number in range(links):
        half, hosts = nodes // 2, [host_of(net, number, index) for index in range(nodes)]
        writes = Writes(rate, server_id=11)
        for side in (0, 1):
            own, other = hosts[side * half : side * half + half], hosts[(1 - side) * half]
            ids = tuple(10 * (side + 1) + index + 1 for index in range(half))
            history, probes = str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{number}-{side}")), Probes()
            for index, host in enumerate(own):
                source = (other, 10 * (2 - side) + 1) if index == 0 else None
                yield Address(host, PORT, index, tuple(own), ids, history, source, writes, probes)


class Server(asyncio.Protocol):
    """One connection."""

    def __init__(self, host: Host) -> None:
        self._host, self._buffer, self._is_in = host, b"", False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]
        self._host.open.add(self)
        if not self._host.is_hung:
            self._transport.write(packet(0, greeting(VERSION, id(self) % 100_000)))

    def connection_lost(self, exc: Exception | None) -> None:
        self._host.open.discard(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= 4 and len(self._buffer) >= (size := int.from_bytes(self._buffer[:3], "little") + 4):
            body, self._buffer = self._buffer[4:size], self._buffer[size:]
            if not self._host.is_hung:
                self._take(body)

    def _take(self, body: bytes) -> None:
        if not self._is_in:
            self._is_in = True
            self._transport.write(packet(2, OK))
        elif body[0] == _QUIT:
            self._transport.close()
        else:
            self._transport.write(self._host.answer(body[1:]) if body[0] == _QUERY else packet(1, OK))

    def end(self) -> None:
        self._transport.abort()


class Host:
    """A node and its listening socket."""

    def __init__(self, node: Node) -> None:
        self.node, self.is_hung = node, False
        self.open: set[Server] = set()
        self._joined: dict[bytes, Joined] = {}
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self.is_hung = False
        loop, address = asyncio.get_running_loop(), self.node.address
        if self._server is None:
            self._server = await loop.create_server(lambda: Server(self), address.host, address.port)

    def kill(self) -> None:
        if self._server is not None:
            self._server.close()
        self._server = None
        for connection in list(self.open):
            connection.end()

    def answer(self, sql: bytes) -> bytes:
        known = self._joined.get(sql)
        if known is not None:
            return known.packets(self.node.moving())
        if sql.startswith(b"SET "):
            return packet(1, OK)
        if self.node.change(sql.decode()):
            self.forget()
            return packet(1, OK)
        if sql.startswith((b"SHOW BINLOG EVENTS", b"SHOW RELAYLOG EVENTS")):
            return self._events(sql)
        joined = self._join(sql)
        if joined is None:
            return packet(1, REFUSED)
        if all(one in RECORDED["answers"] for one in sql.decode().split("; ")):
            self._joined[sql] = joined
        return joined.packets(self.node.moving())

    def _events(self, sql: bytes) -> bytes:
        """The same from all nodes whose transactions are of one server: their logs are alike."""
        key = sql, self.node.address.writes.server_id, self.node.count
        if key not in _EVENTS:
            if len(_EVENTS) > _MOST_EVENTS:
                _EVENTS.clear()
            joined = self._join(sql)
            _EVENTS[key] = packet(1, REFUSED) if joined is None else joined.packets(self.node.moving())
        return _EVENTS[key]

    def _join(self, sql: bytes) -> Joined | None:
        found = [self.node.answer(one) for one in sql.decode().split("; ")]
        answers = [one for one in found if one is not None]
        return Joined(answers) if len(answers) == len(found) else None

    def forget(self) -> None:
        """Make answers again, because something of them has changed."""
        self.node.answer_anew()
        self._joined.clear()


def lose(hosts: dict[str, Host], address: str) -> None:
    """A whole side stops answering, and the channel that reads from it waits for it."""
    lost = hosts[address].node.address
    lost.writes.end()
    for name in lost.hosts:
        hosts[name].is_hung = True
    for host in hosts.values():
        source, channel = host.node.address.source, host.node.channel
        if source is not None and source[0] in lost.hosts and channel is not None:
            channel.lose_source()
            host.forget()


async def serve(net: str, links: int, nodes: int, rate: float, *, is_on: bool) -> None:
    """Until the standard input ends, or for good."""
    hosts = {address.host: Host(Node(address)) for address in addresses(net, links, nodes, rate)}
    for host in hosts.values():
        await host.start()
    print(f"{len(hosts)} nodes", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        word, address = line.split()
        if word == "lose":
            lose(hosts, address)
        elif word == "start":
            await hosts[address].start()
        elif word == "hang":
            hosts[address].is_hung = True
        else:
            hosts[address].kill()
        print(word, address, flush=True)
    if is_on:
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), is_on="--on" in sys.argv))
