"""Times as sentences name them."""

from __future__ import annotations

from itertools import pairwise

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def duration(seconds: float) -> str:
    """Two units at most, rounded down: `3 h 20 min`, `10 min`, `45 s`."""
    whole = int(seconds)
    for (size, unit), (part, small_unit) in pairwise(_UNITS):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {unit}" + (f" {rest} {small_unit}" if rest else "")
    return f"{whole} s"
