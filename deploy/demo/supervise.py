"""Keeps the console's processes running: the demo is also the place to kill one and watch."""

from __future__ import annotations

import time

from deploy.services.process import Child, ServiceError

RESTARTS = 5
WINDOW_S = 60.0


class Restarts:
    """Refuses to restart for ever something that cannot stay up."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def note(self, now: float) -> bool:
        """Notes a restart; False when there were too many within the window."""
        self.times = [each for each in self.times if now - each < WINDOW_S] + [now]
        return len(self.times) <= RESTARTS


def supervise(children: list[Child], seconds: float) -> None:
    """Returns after `seconds` (0: never). Restarts what ended; ServiceError if it keeps ending."""
    deadline = time.monotonic() + seconds if seconds else None
    restarts = {child.name: Restarts() for child in children}
    while deadline is None or time.monotonic() < deadline:
        for child in children:
            if child.running:
                continue
            print(f"{child.name} ended with {child.exit_code}; starting it again", flush=True)
            if not restarts[child.name].note(time.monotonic()):
                raise ServiceError(f"{child.name} does not stay up:\n{child.tail()}")
            child.stop()
            child.start()
        time.sleep(0.5)
