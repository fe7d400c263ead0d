"""The bench's stand-in nodes, served from a thread of the test."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint
from bench.fleet.stand_in.changes import Probes, Writes
from bench.fleet.stand_in.node import Address, Node
from bench.fleet.stand_in.serve import Host

UUID = "f966aca7-ea6b-11f1-b5ed-2ee1ef9109f8"


class StandIn:
    """Nodes by name; `change` calls one of them in its own thread."""

    def __init__(self, ports: dict[str, int], rate: float) -> None:
        ids = tuple(range(11, 11 + len(ports)))
        writes, probes = Writes(rate, ids[0]), Probes()
        self.loop = asyncio.new_event_loop()
        self.hosts = {
            name: Host(
                Node(Address("127.0.0.1", port, index, ("127.0.0.1",) * len(ids), ids, UUID, None, writes, probes))
            )
            for index, (name, port) in enumerate(ports.items())
        }

    def change(self, name: str, what: str) -> None:
        """`kill`, `hang` or `start` a node."""
        host = self.hosts[name]
        asyncio.run_coroutine_threadsafe(self._do(host, what), self.loop).result(5)

    async def _do(self, host: Host, what: str) -> None:
        if what == "start":
            await host.start()
        elif what == "hang":
            host.is_hung = True
        else:
            host.kill()

    def access(self, name: str) -> NodeAccess:
        """The node with an account on it."""
        address = self.hosts[name].node.address
        endpoint = NodeEndpoint(address.host, address.port, "user", "any password")
        return NodeAccess(NodeRef(name, name, address.host, address.port, "c1"), endpoint, endpoint)


@contextmanager
def stand_in(ports: dict[str, int], *, rate: float = 0.0) -> Iterator[StandIn]:
    """They end with the block."""
    made = StandIn(ports, rate)
    thread = threading.Thread(target=made.loop.run_forever, daemon=True)
    thread.start()
    try:
        for name in ports:
            made.change(name, "start")
        yield made
    finally:
        for name in ports:
            made.change(name, "kill")
        made.loop.call_soon_threadsafe(made.loop.stop)
        thread.join(5)
        made.loop.close()
