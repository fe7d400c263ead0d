"""A clock that moves only when a caller sleeps on it."""

from __future__ import annotations

from collections.abc import Callable

START_S = 1_800_000_000.0


class FakeClock:
    """Implements `Clock`; `on_sleep` lets the world go on meanwhile. `pace`: how much longer each sleep takes."""

    def __init__(self) -> None:
        self.pace = 1.0
        self.time_s = START_S
        self.on_sleep: Callable[[], None] | None = None

    def now_s(self) -> float:
        """Unix time."""
        return self.time_s

    def monotonic_s(self) -> float:
        """Same clock, another zero."""
        return self.time_s - START_S

    def sleep(self, seconds: float) -> None:
        """Move on."""
        self.time_s += seconds * self.pace
        if self.on_sleep is not None:
            self.on_sleep()
