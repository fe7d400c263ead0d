"""500 single-row inserts by threads and distance: the article's seconds, the lab's, and the model's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from backend.core.adviser.concurrency.model import DEFAULT_WINDOW, LARGE_WINDOW, commits_per_s
from backend.core.estimates import Hundredths

ROWS = 500
NO_DISTANCE_MS = 0.05


@dataclass(frozen=True, slots=True)
class ConcurrencyCell:
    """Seconds of 500 single-row inserts; null = not measured, or not of this model."""

    threads: int
    delay_ms: Annotated[float, "round trip"]
    article_s: float | None
    lab_s: Annotated[float | None, "`evs.user_send_window` 2"]
    lab_large_window_s: Annotated[float | None, "512"]
    model_s: Hundredths | None
    model_large_window_s: Hundredths | None


def _cell(threads: int, delay_ms: float, article: float | None, lab: float, lab_large: float) -> ConcurrencyCell:
    """With the model's seconds; without distance the cluster's own rate limits."""
    rates = [commits_per_s(threads, delay_ms, window, None) for window in (DEFAULT_WINDOW, LARGE_WINDOW)]
    model, model_large = (None if delay_ms == NO_DISTANCE_MS else ROWS / rate.low for rate in rates)
    return ConcurrencyCell(threads, delay_ms, article, lab, lab_large, model, model_large)


CELLS = (
    _cell(1, 0.05, 0.268, 0.88, 0.73),
    _cell(2, 0.05, None, 0.46, 0.47),
    _cell(4, 0.05, 0.187, 0.22, 0.28),
    _cell(8, 0.05, 0.146, 0.16, 0.25),
    _cell(16, 0.05, 0.13, 0.13, 0.17),
    _cell(32, 0.05, 0.122, 0.13, 0.17),
    _cell(64, 0.05, 0.098, 0.12, 0.20),
    _cell(1, 50, 25.583, 26.74, 26.34),
    _cell(2, 50, None, 13.51, 14.47),
    _cell(4, 50, 8.359, 7.60, 6.99),
    _cell(8, 50, 4.18, 4.15, 3.35),
    _cell(16, 50, 2.353, 2.19, 1.74),
    _cell(32, 50, 1.16, 1.16, 0.91),
    _cell(64, 50, 0.925, 0.61, 0.55),
    _cell(1, 100, 51.671, 54.18, 50.99),
    _cell(2, 100, None, 28.21, 25.57),
    _cell(4, 100, 13.936, 15.19, 12.99),
    _cell(8, 100, 7.84, 9.05, 6.42),
    _cell(16, 100, 4.641, 4.64, 3.22),
    _cell(32, 100, 2.33, 2.26, 1.69),
    _cell(64, 100, 1.808, 1.20, 0.84),
)
"""By `make bench ARGS=concurrency`, docs/measurements/concurrency.md; the lab's first block is without added delay."""
