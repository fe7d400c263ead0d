"""How much a calibration may write, and for how long."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.estimates import FieldError, in_range

WRITERS = (1, 4, 16)
MOST_S = 10.0
MOST_ROWS = 500
"""For each number of writers."""
MOST_ROW_BYTES = 1_000
MOST_COMMIT_MS = 2_000.0
MOST_PAUSED = 0.1
"""Share of the time for which flow control may pause the node."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one calibration may do. `seconds` are those of all its steps together."""

    seconds: float = 6.0
    writers: tuple[int, ...] = WRITERS
    rows: int = 200
    row_bytes: int = 100

    def __post_init__(self) -> None:
        """Refuse what is more than the console writes, by the name of the field."""
        in_range("seconds", self.seconds, 1, MOST_S, "s")
        in_range("rows", self.rows, 1, MOST_ROWS, "rows")
        in_range("row_bytes", self.row_bytes, 1, MOST_ROW_BYTES, "bytes")
        if not self.writers or set(self.writers) - set(WRITERS) or len(set(self.writers)) < len(self.writers):
            raise FieldError("writers", f"Give writers as some of {', '.join(map(str, WRITERS))}, each once.")

    @property
    def step_s(self) -> float:
        """Seconds of each step; a tenth is left for what comes between them, so that the last one is not cut short."""
        return self.seconds * 0.9 / len(self.writers)
