"""A value of which two bounds are known."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.estimates import Tenths


@dataclass(frozen=True, slots=True)
class Span:
    """From `low` to `high`, equal where the value is exact."""

    low: Tenths
    high: Tenths

    def __add__(self, other: Span) -> Span:
        return Span(self.low + other.low, self.high + other.high)

    def __mul__(self, factor: float) -> Span:
        return Span(self.low * factor, self.high * factor)

    def on_the_wire(self) -> ByteSpan:
        """Of bytes of write-sets: what the network carries for them between two nodes."""
        return ByteSpan(self.low * WIRE.low, self.high * WIRE.high)

    def on_the_line(self) -> ByteSpan:
        """The same between two sites, with the acknowledgements that all their nodes send across."""
        return ByteSpan(self.low * LINE.low, self.high * LINE.high)


@dataclass(frozen=True, slots=True)
class ByteSpan(Span):
    """Bounds of bytes a second on the wire."""


NOTHING = Span(0.0, 0.0)
WIRE = Span(1.11, 1.18)
"""Bytes on the wire for one byte of write-sets and each receiver. Measured with rows of 1 KB, headers included."""
LINE = Span(1.11, 1.45)
"""The same for each copy from site to site, with the acknowledgements of 1 + 1 to 3 + 2 nodes. Same measurement."""
