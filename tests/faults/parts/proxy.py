"""A TCP proxy that misbehaves on demand: before nodes (for console and channels), Redis and the console's database.

Runs as a process of its own (`python -m tests.faults.parts.proxy FILE`) and is told what to do over a control port,
one JSON object a line; `tests.faults.parts.control` speaks it. Every connection belongs to a *route*; on a route before
a database server it also has a *kind*: `tls` (the console) or `clear` (a replica, or a login tried for one).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
import struct
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.faults.parts import handshake

CHUNK = 65536
PIECES = 64
"""So many pieces may be under way in one direction of a connection."""
POLL_S = 0.02
REOPEN_S = 0.2
_LINGER_0 = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Behaviour:
    """How connections of one kind on one route are treated; `up` is towards the server.

    `stall_*` holds bytes back until it is lifted (a cut that heals); `lose_*` throws them away, so that the
    connection never recovers (half-open). `refuse` closes the port and resets what stands.
    """

    delay_up_s: float = 0.0
    delay_down_s: float = 0.0
    stall_up: bool = False
    stall_down: bool = False
    lose_up: bool = False
    lose_down: bool = False
    bytes_per_s: float = 0.0
    refuse: bool = False
    strip_tls: bool = False
    version: str = ""


GOOD = Behaviour()


@dataclass(eq=False)
class Route:
    """One port and where it leads."""

    name: str
    listen: tuple[str, int]
    target: tuple[str, int]
    is_database: bool
    behaviours: dict[str, Behaviour] = field(default_factory=dict)
    server: asyncio.Server | None = None
    pairs: set[Pair] = field(default_factory=set)

    def behaviour_of(self, kind: str) -> Behaviour:
        """What holds for this kind, else for all."""
        return self.behaviours.get(kind) or self.behaviours.get("") or GOOD


@dataclass(eq=False)
class Pair:
    """A client's connection and ours to the server."""

    route: Route
    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    port: int
    kind: str = ""
    cut_after_up: bool = False

    def reset(self) -> None:
        """RST to both ends."""
        for writer in (self.client, self.server):
            with contextlib.suppress(OSError):
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_0)
            writer.transport.abort()


class Proxy:
    """All routes and their behaviour."""

    def __init__(self, routes: list[Route]) -> None:
        self.routes = {route.name: route for route in routes}
        self._waiting: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Open every port."""
        for route in self.routes.values():
            await self._listen(route)

    async def _listen(self, route: Route) -> None:
        if route.server is None:
            route.server = await asyncio.start_server(
                lambda r, w: self._serve(route, r, w), *route.listen, reuse_address=True, limit=CHUNK
            )

    async def _shut(self, route: Route) -> None:
        """No server stands behind: the port closes as the server's own would, until there is one again."""
        if route.server is None or route.behaviour_of("").refuse:
            return
        route.server.close()
        route.server = None
        self._waiting.add(task := asyncio.create_task(self._reopen(route)))
        task.add_done_callback(self._waiting.discard)

    async def _reopen(self, route: Route) -> None:
        while True:
            await asyncio.sleep(REOPEN_S)
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(*route.target)
                writer.close()
                if not route.behaviour_of("").refuse:
                    await self._listen(route)
                return

    async def _serve(self, route: Route, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back_reader, back_writer = await asyncio.open_connection(*route.target, limit=CHUNK)
        except OSError:
            await self._shut(route)
            Pair(route, writer, writer, 0).reset()
            return
        pair = Pair(route, writer, back_writer, writer.get_extra_info("peername")[1])
        route.pairs.add(pair)
        try:
            await self._carry(pair, reader, back_reader)
        finally:
            route.pairs.discard(pair)
            writer.close()
            back_writer.close()

    async def _carry(self, pair: Pair, client: asyncio.StreamReader, server: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError, EOFError, asyncio.IncompleteReadError):
            if pair.route.is_database and not await self._greet(pair, client, server):
                return
            tasks = [
                asyncio.create_task(self._pump(pair, client, pair.server, is_up=True)),
                asyncio.create_task(self._pump(pair, server, pair.client, is_up=False)),
            ]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()

    async def _greet(self, pair: Pair, client: asyncio.StreamReader, server: asyncio.StreamReader) -> bool:
        """Pass the server's greeting (changed where told so) and the client's first packet, which tells its kind."""
        first = await handshake.packet(server)
        behaviour = pair.route.behaviour_of("tls")
        if not await self._passes(pair, is_up=False, size=len(first)):
            return False
        pair.client.write(handshake.changed(first, strip_tls=behaviour.strip_tls, version=behaviour.version))
        answer = await handshake.packet(client)
        pair.kind = handshake.kind_of(answer)
        if not await self._passes(pair, is_up=True, size=len(answer)):
            return False
        pair.server.write(answer)
        return True

    async def _pump(
        self, pair: Pair, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_up: bool
    ) -> None:
        """Carry one direction; a delay holds each piece back separately, so that it costs time and not bandwidth."""
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(PIECES)
        arrivals = asyncio.create_task(_arrivals(reader, under_way))
        try:
            with contextlib.suppress(OSError):
                while (piece := await under_way.get())[1]:
                    if not await self._passes(pair, is_up=is_up, size=len(piece[1]), came=piece[0]):
                        continue
                    if pair.cut_after_up and not is_up:
                        continue  # a quick server would answer before the reset
                    writer.write(piece[1])
                    await writer.drain()
                    if is_up and pair.cut_after_up:
                        await asyncio.sleep(POLL_S)  # the server must get the bytes before the reset
                        pair.reset()
        finally:
            arrivals.cancel()

    async def _passes(self, pair: Pair, *, is_up: bool, size: int, came: float | None = None) -> bool:
        """Wait as the behaviour of the moment says; False where these bytes are lost."""
        while True:
            behaviour = pair.route.behaviour_of(pair.kind)
            if not (behaviour.stall_up if is_up else behaviour.stall_down):
                break
            await asyncio.sleep(POLL_S)
        if behaviour.lose_up if is_up else behaviour.lose_down:
            return False
        now = time.monotonic()
        wait = (behaviour.delay_up_s if is_up else behaviour.delay_down_s) - (now - (came or now))
        if behaviour.bytes_per_s:
            wait = max(wait, 0.0) + size / behaviour.bytes_per_s
        if wait > 0:
            await asyncio.sleep(wait)
        return True

    # -- orders

    async def order(self, message: dict[str, Any]) -> Any:
        """One control message."""
        routes = [self.routes[name] for name in message.pop("routes")]
        verb = message.pop("do")
        if verb == "conduct":
            for route in routes:
                await self._set_behaviour(route, message["kind"], message["conduct"])
        elif verb == "reset":
            return sum(self._reset(route, message["kind"]) for route in routes)
        elif verb == "target":
            routes[0].target = (message["host"], message["port"])
        elif verb == "cut_after_up":
            found = [p for route in routes for p in route.pairs if p.port in message["ports"]]
            for pair in found:
                pair.cut_after_up = True
            return len(found)
        return len(routes)

    async def _set_behaviour(self, route: Route, kind: str, changes: dict[str, Any] | None) -> None:
        if changes is None:
            route.behaviours.clear()
        else:
            route.behaviours[kind] = replace(GOOD, **changes)
        if route.behaviour_of(kind).refuse:
            if route.server is not None:
                route.server.close()
                route.server = None
            self._reset(route, kind)
        else:
            await self._listen(route)

    def _reset(self, route: Route, kind: str) -> int:
        found = [pair for pair in route.pairs if kind in ("", pair.kind)]
        for pair in found:
            pair.reset()
        return len(found)


async def _arrivals(reader: asyncio.StreamReader, under_way: asyncio.Queue[tuple[float, bytes]]) -> None:
    """Note when each piece came; an empty one is the end."""
    data = b"begin"
    while data:
        try:
            data = await reader.read(CHUNK)
        except OSError:
            data = b""
        await under_way.put((time.monotonic(), data))


async def serve(config: dict[str, Any]) -> None:
    """Run as told: `{"control": port, "routes": [[name, host, port, to host, to port, is_database]]}`."""
    proxy = Proxy(
        [Route(n, (host, port), (to, to_port), is_db) for n, host, port, to, to_port, is_db in config["routes"]]
    )
    await proxy.start()

    async def control(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(json.dumps(await proxy.order(json.loads(line))).encode() + b"\n")
        writer.close()

    async with await asyncio.start_server(control, "127.0.0.1", config["control"]):
        for _ in itertools.count():
            await asyncio.sleep(3600)


if __name__ == "__main__":
    asyncio.run(serve(json.loads(Path(sys.argv[1]).read_text())))
