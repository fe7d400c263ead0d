"""Real time, for the core's clock port."""

from __future__ import annotations

import time
from collections.abc import Callable

from backend.operations.runs.execution import worker_shutdown


class SystemClock:
    """Implements `ports.Clock`."""

    def now_s(self) -> float:
        """Unix time."""
        return time.time()

    def monotonic_s(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class RunClock(SystemClock):
    """The clock of a run: while it waits nothing is in progress on a server, so the run can be released there.

    `before_wait` is called first, so that a reader of the run is shown all that is known.
    """

    def __init__(self, before_wait: Callable[[], None] = lambda: None) -> None:
        self.before_wait = before_wait

    def sleep(self, seconds: float) -> None:
        """Wait; raises WorkerShutdownError if the worker's shutdown was requested long enough ago."""
        worker_shutdown.check_shutdown()
        self.before_wait()
        super().sleep(seconds)
