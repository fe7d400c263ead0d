"""Counts the round trips of this process to managed servers: a statement, or several that were sent together."""

from __future__ import annotations

import threading
from typing import Final

_lock: Final = threading.Lock()
_counted = [0]


def count() -> None:
    """One more was sent."""
    with _lock:
        _counted[0] += 1


def total() -> int:
    """How many were sent since the process began."""
    return _counted[0]
