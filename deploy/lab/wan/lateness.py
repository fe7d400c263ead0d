"""How late the router itself was, and whether a measurement made meanwhile is to be trusted. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

STEP_S = 0.0001
STEPS = 20_000
P99_LIMIT_MS = 1.0
WAIT_LIMIT_PERCENT = 2.0


class Lateness:
    """Time between when each packet was due and when it left, in steps of 0.1 ms up to 2 s."""

    def __init__(self) -> None:
        self._steps = [0] * (STEPS + 1)
        self.count = 0
        self._sum_s = 0.0
        self._most_s = 0.0

    def record(self, seconds: float) -> None:
        """One packet."""
        self._steps[min(STEPS, int(seconds / STEP_S))] += 1
        self.count += 1
        self._sum_s += seconds
        self._most_s = max(self._most_s, seconds)

    def percentile_ms(self, percent: float) -> float:
        """Upper edge of the step that holds this percentile, at most the latest packet's; 0 if there was none."""
        rank, seen = self.count * percent / 100, 0
        for step, number in enumerate(self._steps):
            seen += number
            if seen and seen >= rank:
                return round(min((step + 1) * STEP_S, self._most_s) * 1000, 3)
        return 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain values, in ms."""
        return {
            "packets": self.count,
            "mean_ms": round(self._sum_s / self.count * 1000, 3) if self.count else 0.0,
            "p50_ms": self.percentile_ms(50),
            "p99_ms": self.percentile_ms(99),
            "max_ms": round(self._most_s * 1000, 3),
        }


@dataclass(frozen=True)
class Health:
    """What the router knows of its own work since the last reset.

    `wait_percent` is the share of the time in which it was ready to run and had no processor; None where the kernel
    does not say. `device_drops` were dropped by the kernel because the router did not read them in time.
    """

    p99_ms: float
    wait_percent: float | None
    device_drops: int

    def disturbances(self) -> list[str]:
        """Why a measurement over this time is disturbed; empty if it is not."""
        found: list[str] = []
        if self.p99_ms > P99_LIMIT_MS:
            found.append(f"1 % of the packets left more than {self.p99_ms:g} ms late (limit {P99_LIMIT_MS:g} ms)")
        if self.wait_percent is None:
            found.append("the kernel does not say how long the router waited for a processor")
        elif self.wait_percent > WAIT_LIMIT_PERCENT:
            found.append(
                f"the router waited {self.wait_percent:.1f} % of the time for a processor"
                f" (limit {WAIT_LIMIT_PERCENT:g} %)"
            )
        if self.device_drops:
            found.append(f"the kernel dropped {self.device_drops} packets that the router did not read in time")
        return found
