"""Bytes on the wire for one byte of write-sets, by number of nodes and segments: the lab's and the article's.

From one run of `make bench ARGS=bandwidth`; docs/measurements/bandwidth.md has it whole.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MeasuredBandwidth:
    """Bytes on the wire for one byte of write-sets, measured on the lab; the article's in KB/s of its writer."""

    near: int
    far: int
    writer_one: float
    writer_two: float
    across_one: float
    across_two: float
    article_low_kb: int | None = None
    article_high_kb: int | None = None


ROWS = (
    MeasuredBandwidth(1, 1, 1.11, 1.13, 1.11, 1.13, 172, 200),
    MeasuredBandwidth(2, 1, 2.33, 2.37, 1.30, 1.23, 342, 368),
    MeasuredBandwidth(2, 2, 3.55, 2.51, 2.65, 1.33),
    MeasuredBandwidth(3, 2, 4.70, 3.81, 2.86, 1.45),
)
"""Nodes of both sites; what the writer sends, and what goes from its site to the other, in one and in two segments."""
