"""Percentiles of single times; one that too few samples could support is left unknown."""

from __future__ import annotations

import math
from collections.abc import Sequence

_WANTED = {"p50_ms": (0.5, 3), "p95_ms": (0.95, 20), "p99_ms": (0.99, 100)}
"""The share below it, and the samples from which on it is told."""


def percentiles_of(times_ms: Sequence[float]) -> dict[str, float]:
    """By nearest rank, so that each is a time that was measured."""
    ordered = sorted(times_ms)
    return {
        name: ordered[math.ceil(share * len(ordered)) - 1]
        for name, (share, least) in _WANTED.items()
        if len(ordered) >= least
    }
