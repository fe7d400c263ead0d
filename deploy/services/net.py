"""Loopback ports and nets, each drawn by one process alone."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Sequence

LOOPBACK = "127.0.0.1"
# The kernel takes the ports of outgoing connections from 32768 on (net.ipv4.ip_local_port_range).
FIRST_PORT, PORTS = 20_000, 12_000
LAB_PORTS = (3306, 4444, 4567, 4568)
LAB_HOSTS = tuple(f"{site}.{node}" for site in (1, 2) for node in (1, 2, 3))
# 127.0 is the demo's; the range leaves the first numbers to people.
FIRST_NET, NETS = 60, 190


def free_port() -> int:
    """A port on which nothing listens, for this process alone until it ends; no connection goes out from it."""
    start = secrets.randbelow(PORTS)
    for step in range(PORTS):
        port = FIRST_PORT + (start + step) % PORTS
        if _reserve(f"port {port}") and _can_bind("", port):
            return port
    raise OSError(f"no port from {FIRST_PORT} on is free")


def port_open(port: int, host: str = LOOPBACK) -> bool:
    """Whether something accepts connections there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


def free_net(start: int | None = None, hosts: Sequence[str] = LAB_HOSTS) -> str:
    """The first two bytes of loopback addresses on which a lab can stand; `hosts` are the other two, of 3+3 nodes.

    Until this process ends, no other draws it. The search starts anywhere; `start` (0 to NETS - 1) fixes where.
    """
    start = secrets.randbelow(NETS) if start is None else start
    for step in range(NETS):
        net = f"127.{FIRST_NET + (start + step) % NETS}"
        if _reserve(f"net {net}") and all(_can_bind(f"{net}.{host}", port) for host in hosts for port in LAB_PORTS):
            return net
    raise OSError(f"no net from 127.{FIRST_NET} on is free")


def _reserve(what: str) -> bool:
    """Whether no process has it; an abstract name is a lock that the kernel drops with its owner."""
    name = socket.socket(socket.AF_UNIX)
    try:
        name.bind(f"\0hawser {what}")
    except OSError:
        name.close()
        return False
    name.detach()  # kept open to the end
    return True


def _can_bind(host: str, port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
