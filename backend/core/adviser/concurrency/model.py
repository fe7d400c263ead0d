"""How many commits a number of writers reaches over a distance, and how long a large write-set takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from backend.core.adviser.advice.layout import DISTANT_S
from backend.core.estimates import Unknown, in_range

BASE = 1.04
"""Round trips of a commit. Measured: 1.03 to 1.04 with one writer; the article's: 1.02 to 1.03."""
DEFAULT_WINDOW, LARGE_WINDOW = 2, 512
"""`evs.user_send_window`: the default, and the one that was measured beside it."""
_STALLED = ((2, BASE), (4, 1.2), (16, 1.7))
"""By writers, with the default window. Measured: 1.19 to 1.30 at 4, 1.42 to 1.78 at 16, 1.63 to 2.30 at 32 and 64."""
FRAGMENT_BYTES = 32_636
"""What one message carries, whatever gcs.max_packet_size says above that (from the server's log)."""
LEAST_MS = DISTANT_S * 1000
"""Below it the lab's rate was the cluster's own, whatever the distance."""
MEASURED_WRITERS = 64
"""More writers than this were not tried."""
_MOST_WRITERS = 100_000


@dataclass(frozen=True, slots=True)
class Range:
    """Two bounds, equal where the model has one value."""

    low: float
    high: float


def factors(writers: int, send_window: int) -> Range:
    """Round trips that one commit costs, by how many write at a time.

    Measured for a window of 2 and of 512, without loss. Between them only the bounds are known. With 1 % of packets
    lost the large window gains nothing (1.97 against 1.84 at 16 writers).
    """
    in_range("writers", writers, 1, _MOST_WRITERS, "writers")
    in_range("send_window", send_window, DEFAULT_WINDOW, 65_535, "messages")
    if send_window >= LARGE_WINDOW:
        return Range(BASE, BASE)
    stalled = _stalled(writers)
    return Range(BASE if send_window > DEFAULT_WINDOW else stalled, stalled)


def _stalled(writers: int) -> float:
    """Between measured numbers of writers, by their logarithm."""
    for (low, at_low), (high, at_high) in pairwise(_STALLED):
        if writers <= high:
            part = math.log(max(writers, low) / low) / math.log(high / low)
            return at_low + part * (at_high - at_low)
    return _STALLED[-1][1]


def commits_per_s(writers: int, latency_ms: float, send_window: int, own_rate: float | None) -> Range:
    """What so many writers reach together: writers / (latency x factor), and never more than without distance.

    `own_rate`: commits a second of this cluster without distance; the lab's was 2,000 to 3,500. None: unknown, so below
    `LEAST_MS`, where it is what limits, there is no bound.
    """
    found = factors(writers, send_window)
    top = math.inf if own_rate is None else in_range("own_rate_per_s", own_rate, 0.1, 1e7, "commits a second")
    if latency_ms <= 0 or (own_rate is None and latency_ms < LEAST_MS):
        return Range(top, top)
    low, high = (writers / (latency_ms / 1000 * factor) for factor in (found.high, found.low))
    return Range(min(low, top), min(high, top))


def writers_for(wanted: float, latency_ms: float, send_window: int, own_rate: float | None) -> int | Unknown:
    """The fewest writers that reach a rate for certain."""
    in_range("wanted_per_s", wanted, 0.001, 1e7, "commits a second")
    if own_rate is not None and wanted > own_rate:
        return Unknown(f"Without distance the cluster commits {own_rate:,.0f} a second: more writers do not help.")
    if latency_ms <= 0:
        return Unknown("There is no distance: what limits the rate then is not in this model.")
    if own_rate is None and latency_ms < LEAST_MS:
        return Unknown(
            f"Below {LEAST_MS:g} ms the cluster's own rate limits. Give its commits a second without distance."
        )
    low, high = 1, _MOST_WRITERS
    if commits_per_s(high, latency_ms, send_window, own_rate).low < wanted:
        return Unknown(f"More than {_MOST_WRITERS:,} writers would be needed.")
    while low < high:
        middle = (low + high) // 2
        if commits_per_s(middle, latency_ms, send_window, own_rate).low >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


def write_set_ms(size_bytes: float, latency_ms: float, send_window: int) -> float:
    """Milliseconds of one commit with a write-set of this size: each window of fragments waits another time.

    Measured at 50 ms and a window of 2: 60 (32 KB), 157 (120 KB) and 939 ms (1 MB); this law says 77, 146 and 855. With
    512 it says 52 and 55 for the latter two; 57 and 309 to 403 were measured, as TCP counts then: a lower bound.
    """
    in_range("write_set_bytes", size_bytes, 0, 2**31, "bytes")
    in_range("send_window", send_window, DEFAULT_WINDOW, 65_535, "messages")
    return latency_ms * (BASE + size_bytes / FRAGMENT_BYTES / send_window)
