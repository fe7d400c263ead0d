"""500 single-row inserts by threads and distance: the article's seconds, the lab's, and the model's."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.adviser.concurrency.model import DEFAULT_WINDOW, LARGE_WINDOW, commits_per_s
from backend.core.estimates import Unknown

ROWS = 500
NO_DISTANCE_MS = 0.05
NOT_LIMITED = Unknown("Here the cluster's own rate limits, not the distance.")


@dataclass(frozen=True, slots=True)
class Cell:
    """Seconds with so many threads at a delay (round trip, ms); `lab` with the default window, `lab_large` with 512."""

    threads: int
    delay_ms: float
    article: float | None
    lab: float | None
    lab_large: float | None

    def model(self, send_window: int) -> float | Unknown:
        """The model's seconds."""
        if self.delay_ms == NO_DISTANCE_MS:
            return NOT_LIMITED
        return ROWS / commits_per_s(self.threads, self.delay_ms, send_window, None).low

    @property
    def model_default(self) -> float | Unknown:
        """With the default window."""
        return self.model(DEFAULT_WINDOW)

    @property
    def model_large(self) -> float | Unknown:
        """With a window of 512."""
        return self.model(LARGE_WINDOW)


CELLS = (
    Cell(1, 0.05, 0.268, 0.88, 0.73),
    Cell(2, 0.05, None, 0.46, 0.47),
    Cell(4, 0.05, 0.187, 0.22, 0.28),
    Cell(8, 0.05, 0.146, 0.16, 0.25),
    Cell(16, 0.05, 0.13, 0.13, 0.17),
    Cell(32, 0.05, 0.122, 0.13, 0.17),
    Cell(64, 0.05, 0.098, 0.12, 0.20),
    Cell(1, 50, 25.583, 26.74, 26.34),
    Cell(2, 50, None, 13.51, 14.47),
    Cell(4, 50, 8.359, 7.60, 6.99),
    Cell(8, 50, 4.18, 4.15, 3.35),
    Cell(16, 50, 2.353, 2.19, 1.74),
    Cell(32, 50, 1.16, 1.16, 0.91),
    Cell(64, 50, 0.925, 0.61, 0.55),
    Cell(1, 100, 51.671, 54.18, 50.99),
    Cell(2, 100, None, 28.21, 25.57),
    Cell(4, 100, 13.936, 15.19, 12.99),
    Cell(8, 100, 7.84, 9.05, 6.42),
    Cell(16, 100, 4.641, 4.64, 3.22),
    Cell(32, 100, 2.33, 2.26, 1.69),
    Cell(64, 100, 1.808, 1.20, 0.84),
)
"""By `make bench ARGS=concurrency`, docs/measurements/concurrency.md; the lab's first block is without added delay."""
