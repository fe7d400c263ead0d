"""What a write-set of a known size costs: messages, round trips and time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from backend.core.adviser.concurrency.model import FRAGMENT_BYTES, Range, write_set_ms
from backend.core.estimates import Unknown

_MOST_BYTES = 2**31


@dataclass(frozen=True, slots=True)
class WriteSetCost:
    """Messages of one write-set, its round trips, and milliseconds at the fastest and at the mean delivery."""

    size_bytes: int
    fragments: int
    round_trips: float
    ms: Range


def cost(size: str | None, name: str, way: Range, send_window: int) -> WriteSetCost | Unknown:
    """The cost of a write-set of the size that a server states under this name."""
    text = size or ""
    size_bytes = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None
    if size_bytes is None or not 0 < size_bytes <= _MOST_BYTES:
        return Unknown(f"The node shows no {name} of 1 to {_MOST_BYTES:,} bytes.")
    return WriteSetCost(
        size_bytes,
        math.ceil(size_bytes / FRAGMENT_BYTES),
        write_set_ms(size_bytes, 1.0, send_window),
        Range(write_set_ms(size_bytes, way.low, send_window), write_set_ms(size_bytes, way.high, send_window)),
    )
