"""Asks several nodes at once, so that a hung or distant one does not delay the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from backend.gateway.connection.endpoint import NodeAccess

T = TypeVar("T")
Asked = TypeVar("Asked")


def side_by_side(query: Callable[[Asked], T], asked: Sequence[Asked]) -> list[T]:
    """The answers of all, in order, read in parallel: a new session to a distant site takes about eight round trips."""
    with ThreadPoolExecutor(max_workers=max(1, len(asked))) as pool:
        return list(pool.map(query, asked))


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
