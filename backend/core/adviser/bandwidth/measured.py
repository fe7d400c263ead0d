"""Bytes on the wire for one byte of write-sets, by number of nodes and segments: the lab's and the article's.

From one run of `make bench ARGS=bandwidth`; docs/measurements/bandwidth.md has it whole.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """The nodes of both sites; `writer`: what the writing node sends, `across`: from its site to the other."""

    near: int
    far: int
    writer_one: float
    writer_two: float
    across_one: float
    across_two: float
    article_kb: tuple[int, int] | None = None
    """KB/s of the article's writer, in one segment."""


ROWS = (
    MeasuredRow(1, 1, 1.11, 1.13, 1.11, 1.13, (172, 200)),
    MeasuredRow(2, 1, 2.33, 2.37, 1.30, 1.23, (342, 368)),
    MeasuredRow(2, 2, 3.55, 2.51, 2.65, 1.33),
    MeasuredRow(3, 2, 4.70, 3.81, 2.86, 1.45),
)
