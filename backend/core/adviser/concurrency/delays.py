"""One-way delays between sites, and the longest closed triangle of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.estimates import FieldError, in_range

MOST_SITES = 16
MOST_MS = 10_000.0


@dataclass(frozen=True, slots=True)
class Triangle:
    """The way that decides a commit: from the writer to `over`, to `back`, and to the writer again."""

    ms: float
    over: int
    back: int


@dataclass(frozen=True, slots=True)
class Delays:
    """`ms[a][b]`: milliseconds from site a to site b. A site of an arbitrator counts as one."""

    ms: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        """Refuse what is no matrix of delays, by the name of the field."""
        count = len(self.ms)
        if not 2 <= count <= MOST_SITES:
            raise FieldError("delays_ms", f"Give delays_ms for 2 to {MOST_SITES} sites, not for {count}.")
        for a, row in enumerate(self.ms):
            if len(row) != count:
                raise FieldError("delays_ms", f"Give delays_ms as {count} rows of {count}; row {a + 1} has {len(row)}.")
            for b, value in enumerate(row):
                in_range(f"delays_ms[{a + 1}][{b + 1}]", value, 0, 0 if a == b else MOST_MS, "ms")

    def triangle(self, writer: int) -> Triangle:
        """The longest closed triangle from this site: the latency of a commit, less about 1 ms.

        Why: safe delivery needs to know that every member has every other member's acknowledgement. Measured: 11
        layouts, 1 to 4 ms above the law; two sites cost one round trip, three up to one and a half.
        """
        if not 0 <= writer < len(self.ms):
            raise FieldError("writer", f"Give writer as a number from 1 to {len(self.ms)}, not {writer + 1}.")
        ways = (
            Triangle(self.ms[writer][j] + self.ms[j][k] + self.ms[k][writer], j, k)
            for j in range(len(self.ms))
            for k in range(len(self.ms))
        )
        return max(ways, key=lambda way: (way.ms, way.over == way.back))

    def round_trip(self, writer: int) -> float:
        """The longest way there and back, in milliseconds."""
        return max(self.ms[writer][j] + self.ms[j][writer] for j in range(len(self.ms)))


def delays_given(rows: Sequence[Sequence[float]]) -> Delays:
    """The matrix as a caller gives it."""
    return Delays(tuple(tuple(row) for row in rows))
