"""Real time, as the core's clock port."""

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
    """The same for a run: nothing is under way on a server while it waits, so there it may be let go."""

    def sleep(self, seconds: float) -> None:
        """Wait; WorkerShutdownError where this worker was told to end long enough ago."""
        worker_shutdown.check_shutdown()
        super().sleep(seconds)
