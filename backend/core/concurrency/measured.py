"""500 single-row inserts by threads and distance: the article's seconds, the lab's, and the model's."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.concurrency.model import DEFAULT_WINDOW, LARGE_WINDOW, commits_per_s
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
    Cell(1, 0.05, 0.268, 0.343, None),
    Cell(4, 0.05, 0.187, 0.223, None),
    Cell(8, 0.05, 0.146, 0.278, None),
    Cell(16, 0.05, 0.130, 0.142, None),
    Cell(32, 0.05, 0.122, 0.158, None),
    Cell(64, 0.05, 0.098, 0.232, None),
    Cell(1, 50, 25.583, 27.5, 26.1),
    Cell(2, 50, None, None, 13.0),
    Cell(4, 50, 8.359, 8.11, 6.52),
    Cell(8, 50, 4.18, 4.51, 3.72),
    Cell(16, 50, 2.353, 2.78, 1.73),
    Cell(32, 50, 1.16, 1.30, 0.95),
    Cell(64, 50, 0.925, 0.90, 0.63),
    Cell(1, 100, 51.671, 54.2, 51.6),
    Cell(2, 100, None, None, 26.0),
    Cell(4, 100, 13.936, 14.9, 13.3),
    Cell(8, 100, 7.84, 8.26, 6.60),
    Cell(16, 100, 4.641, 4.44, 3.30),
    Cell(32, 100, 2.33, 2.55, 1.81),
    Cell(64, 100, 1.808, 1.15, 0.97),
)
"""The lab's delay of the first block is about 0.2 ms. At 64 threads a run is 7 rounds long: connecting weighs more."""
