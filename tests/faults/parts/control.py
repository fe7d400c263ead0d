"""Orders to a running proxy."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Chaos:
    """What tests say to the proxy. Routes are node names, `redis` and `database`; kinds are `tls`, `clear`, all."""

    def __init__(self, port: int, routes: Sequence[str]) -> None:
        self._port = port
        self.routes = list(routes)

    def _say(self, do: str, routes: Sequence[str], **more: Any) -> Any:
        with socket.create_connection(("127.0.0.1", self._port), timeout=10) as connection:
            connection.sendall(json.dumps({"do": do, "routes": list(routes), **more}).encode() + b"\n")
            return json.loads(connection.makefile().readline())

    def set_behaviour(self, *routes: str, kind: str = "", **how: Any) -> None:
        """From now on connections of this kind behave so; see `proxy.Conduct`."""
        self._say("conduct", routes, kind=kind, conduct=how)

    def heal(self, *routes: str) -> None:
        """Good behaviour again; every route without names."""
        self._say("conduct", routes or self.routes, kind="", conduct=None)

    @contextmanager
    def during(self, *routes: str, kind: str = "", **how: Any) -> Iterator[None]:
        """That behaviour for the length of a block."""
        self.set_behaviour(*routes, kind=kind, **how)
        try:
            yield
        finally:
            self.heal(*routes)

    def reset(self, *routes: str, kind: str = "") -> int:
        """RST to every connection of this kind; how many there were."""
        return int(self._say("reset", routes, kind=kind))

    def lead_to(self, route: str, host: str, port: int) -> None:
        """New connections of this route reach another server."""
        self._say("target", [route], host=host, port=port)

    def cut_after_next(self, *routes: str, ports: Sequence[int]) -> int:
        """Connections from these client ports: their next bytes reach the server, then both ends are reset."""
        return int(self._say("cut_after_up", routes, ports=list(ports)))


def client_ports(pid: int) -> list[int]:
    """Local ports of a process's TCP connections."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            inodes.add(str(link.readlink()))
        except OSError:
            continue
    found = []
    for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if f"socket:[{fields[9]}]" in inodes:
            found.append(int(fields[1].rpartition(":")[2], 16))
    return found
