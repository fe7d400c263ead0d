"""When each packet leaves: lines with a rate, a delay for each pair, and a heap of waiting packets. Pure.

The caller gives the time, so that tests have a clock of their own.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

from deploy.lab.wan.shape import Shape

MOST_PACKETS = 200_000
MOST_BYTES = 256 * 1024 * 1024


@dataclass(slots=True)
class Counters:
    """Packets of one ordered pair since the last reset, by what became of them; `bytes` are of the carried ones."""

    packets: int = 0
    bytes: int = 0
    lost: int = 0
    reordered: int = 0
    queue_full: int = 0
    cut: int = 0


class Line:
    """One direction of a line of limited rate, shared by every pair of a rule; free again at `free_at`."""

    __slots__ = ("free_at",)

    def __init__(self) -> None:
        self.free_at = 0.0

    def reserve(self, now: float, size: int, shape: Shape) -> float | None:
        """When the last bit of a packet is on the line; None if its queue is full."""
        start = max(self.free_at, now)
        if start - now > shape.queue_ms / 1000:
            return None
        self.free_at = start + size * 8 / (shape.rate_mbit * 1e6)
        return self.free_at


class Path:
    """From one end to another. `port` is whatever the caller needs to deliver."""

    __slots__ = ("counters", "is_cut", "last_due", "line", "port", "shape", "source", "target")

    def __init__(self, source: str, target: str, port: int = 0) -> None:
        self.source, self.target, self.port = source, target, port
        self.shape, self.line = Shape(), Line()
        self.is_cut, self.last_due = False, 0.0
        self.counters = Counters()


class Scheduler:
    """Holds packets until they are due. Bounded in packets and bytes; what is beyond counts as `queue_full`."""

    def __init__(
        self, random: Callable[[], float], most_packets: int = MOST_PACKETS, most_bytes: int = MOST_BYTES
    ) -> None:
        self._random = random
        self._most_packets, self._most_bytes = most_packets, most_bytes
        self._waiting: list[tuple[float, int, Path, bytes]] = []
        self._number = 0
        self._held_bytes = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def accept(self, path: Path, packet: bytes, now: float) -> None:
        """Take a packet that arrived now, or drop it as the path's shape says."""
        counters, shape = path.counters, path.shape
        if path.is_cut:
            counters.cut += 1
        elif shape.loss_percent and self._random() * 100 < shape.loss_percent:
            counters.lost += 1
        else:
            due = self._due(path, len(packet), now)
            if due is None:
                counters.queue_full += 1
                return
            counters.packets += 1
            counters.bytes += len(packet)
            self._number += 1
            self._held_bytes += len(packet)
            heapq.heappush(self._waiting, (due, self._number, path, packet))

    def _due(self, path: Path, size: int, now: float) -> float | None:
        if len(self._waiting) >= self._most_packets or self._held_bytes + size > self._most_bytes:
            return None
        shape = path.shape
        sent = path.line.reserve(now, size, shape) if shape.rate_mbit else now
        if sent is None:
            return None
        if shape.reorder_percent and self._random() * 100 < shape.reorder_percent:
            path.counters.reordered += 1
            return sent
        jitter = (2 * self._random() - 1) * shape.jitter_ms if shape.jitter_ms else 0.0
        path.last_due = max(path.last_due, sent + (shape.delay_ms + jitter) / 1000)
        return path.last_due

    def next_due(self) -> float | None:
        """When the next packet leaves; None if none waits."""
        return self._waiting[0][0] if self._waiting else None

    def pop(self, now: float) -> tuple[float, Path, bytes] | None:
        """The next packet that is due, with the time it was due; None if there is none yet."""
        if not self._waiting or self._waiting[0][0] > now:
            return None
        due, _, path, packet = heapq.heappop(self._waiting)
        self._held_bytes -= len(packet)
        return due, path, packet
