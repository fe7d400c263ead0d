"""Restarts the console's processes when they end, so that a user of the demo can kill one and watch."""

from __future__ import annotations

import time
from collections.abc import Callable

from deploy.services.process import Child, ServiceError

RESTARTS = 5
WINDOW_S = 60.0


class Restarts:
    """Limits restarts of a process that keeps ending."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def note(self, now: float) -> bool:
        """Counts a restart; False if there were too many within the window."""
        self.times = [each for each in self.times if now - each < WINDOW_S] + [now]
        return len(self.times) <= RESTARTS


def supervise(children: list[Child], seconds: float, watch: Callable[[], None] = lambda: None) -> None:
    """Returns after `seconds` (0: never). Restarts processes that ended; ServiceError if one keeps ending.

    `watch` is called twice a second.
    """
    deadline = time.monotonic() + seconds if seconds else None
    restarts = {child.name: Restarts() for child in children}
    while deadline is None or time.monotonic() < deadline:
        for child in children:
            if child.running:
                continue
            print(f"{child.name} ended with {child.exit_code}; restarting it", flush=True)
            if not restarts[child.name].note(time.monotonic()):
                raise ServiceError(f"{child.name} keeps ending:\n{child.tail()}")
            child.stop()
            child.start()
        watch()
        time.sleep(0.5)
