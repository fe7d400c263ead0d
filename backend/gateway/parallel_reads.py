"""Asks several nodes at once, so that a hung one does not delay the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from backend.gateway.connection.endpoint import NodeAccess

T = TypeVar("T")


def read_each(
    accesses: Sequence[NodeAccess], read: Callable[[NodeAccess], T], limit_s: Callable[[NodeAccess], float]
) -> dict[str, T]:
    """What each node answered within its limit, by node id; `read` has a time limit of its own and does not raise."""
    found: dict[str, T] = {}

    def ask(access: NodeAccess) -> None:
        found[access.ref.id] = read(access)

    threads = [threading.Thread(target=ask, args=(access,), daemon=True) for access in accesses]
    for thread in threads:
        thread.start()
    started = time.monotonic()
    for access, thread in zip(accesses, threads, strict=True):
        thread.join(max(0.0, started + limit_s(access) - time.monotonic()))
    return dict(found)
