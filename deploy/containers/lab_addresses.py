"""Addresses on which a lab of this machine can be reached from containers: they never reach 127/8 of their host."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from deploy.containers.errors import ContainerError
from deploy.lab.layout import CONTAINERS_NET, Node, Settings, nodes_of

_DEVICE = "hawser-lab"


def _ip(*arguments: str) -> None:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, timeout=30, check=False)
    if done.returncode:
        raise ContainerError(f"ip {' '.join(arguments)} failed: {done.stderr.strip()}")


def nodes(sizes: tuple[int, int]) -> list[Node]:
    """Nodes of a lab of that size on these addresses."""
    return nodes_of(Settings(net=CONTAINERS_NET, sizes=sizes))


@contextmanager
def present(sizes: tuple[int, int]) -> Iterator[str]:
    """The lab's net, on a bridge of its own without a port, for the length of a block."""
    _ip("link", "add", _DEVICE, "type", "bridge")
    try:
        _ip("link", "set", _DEVICE, "up")
        for node in nodes(sizes):
            _ip("address", "add", f"{node.host}/32", "dev", _DEVICE)
        yield CONTAINERS_NET
    finally:
        _ip("link", "delete", _DEVICE)
