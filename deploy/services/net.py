"""Loopback ports."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Sequence

LOOPBACK = "127.0.0.1"
LAB_PORTS = (3306, 4444, 4567, 4568)
LAB_HOSTS = tuple(f"{site}.{node}" for site in (1, 2) for node in (1, 2, 3))
# 127.0 is the demo's; the range leaves the first numbers to people.
FIRST_NET, NETS = 60, 190


def free_port() -> int:
    """A port of the loopback address that no process listens on right now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def port_open(port: int, host: str = LOOPBACK) -> bool:
    """Whether something accepts connections there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


def free_net(start: int | None = None, hosts: Sequence[str] = LAB_HOSTS) -> str:
    """The first two bytes of loopback addresses on which a lab can stand; `hosts` are the other two, of 3+3 nodes.

    The search starts anywhere, so that two test runs at the same moment hardly ask for the same;
    `start` (0 to NETS - 1) fixes where.
    """
    start = secrets.randbelow(NETS) if start is None else start
    for step in range(NETS):
        net = f"127.{FIRST_NET + (start + step) % NETS}"
        if all(_can_bind(f"{net}.{host}") for host in hosts):
            return net
    raise OSError(f"no net from 127.{FIRST_NET} on is free")


def _can_bind(host: str) -> bool:
    for port in LAB_PORTS:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                return False
    return True
