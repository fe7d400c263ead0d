"""Real time, as the core's clock port."""

from __future__ import annotations

import time


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
