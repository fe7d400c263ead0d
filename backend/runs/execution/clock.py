"""Real time, for the core's clock port."""

from __future__ import annotations

import time

from backend.runs.execution import worker_shutdown


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
    """The clock of a run: while it waits nothing is in progress on a server, so the run can be released there."""

    def sleep(self, seconds: float) -> None:
        """Wait; raises WorkerShutdownError if the worker's shutdown was requested long enough ago."""
        worker_shutdown.check_shutdown()
        super().sleep(seconds)
