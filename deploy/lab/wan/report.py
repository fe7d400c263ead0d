"""What the router tells of its packets and of itself, since the last reset."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from deploy.lab.wan.devices import dropped
from deploy.lab.wan.lateness import Health, Lateness
from deploy.lab.wan.routes import Routes


def processor_wait_s() -> float | None:
    """How long this process was ready to run and had no processor; None where the kernel does not say."""
    try:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return None


class Observation:
    """The router's measurements of itself; `undelivered` packets found no device that was up."""

    def __init__(self, namespaces: list[str], device: str) -> None:
        self._namespaces, self._device = namespaces, device
        self.reset()

    def reset(self) -> None:
        """Begin afresh."""
        self.lateness = Lateness()
        self.undelivered = 0
        self._began = time.monotonic()
        self._waited_before = processor_wait_s()
        self._dropped_before = self._dropped()

    def _dropped(self) -> int:
        return sum(dropped(namespace, self._device) for namespace in self._namespaces)

    def report(self, routes: Routes, queued: int) -> dict[str, Any]:
        """Plain values: ordered pairs with shape and counters, the lateness, and why the time was disturbed."""
        seconds = time.monotonic() - self._began
        waited, before = processor_wait_s(), self._waited_before
        percent = None if waited is None or before is None else (waited - before) / max(seconds, 1e-3) * 100
        lost_on_device = self._dropped() - self._dropped_before
        health = Health(self.lateness.percentile_ms(99), percent, lost_on_device)
        return {
            "seconds": round(seconds, 3),
            "queued": queued,
            "undelivered": self.undelivered,
            "lateness": self.lateness.to_json(),
            "wait_percent": None if percent is None else round(percent, 2),
            "device_drops": lost_on_device,
            "disturbed": health.disturbances(),
            "pairs": [
                {"from": path.source, "to": path.target, "shape": asdict(path.shape), "is_cut": path.is_cut,
                 **asdict(path.counters)}
                for path in routes
            ],
        }  # fmt: skip
