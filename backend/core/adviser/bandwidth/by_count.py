"""What one writer sends by the number of nodes over two sites, in one segment and in two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from backend.core.adviser.bandwidth.span import ByteSpan, Span
from backend.core.adviser.bandwidth.traffic import Member, flows

COUNTS = range(2, 8)


@dataclass(frozen=True, slots=True)
class CountRow:
    """One writer by number of nodes, in one segment and with a segment for each site."""

    nodes: int
    near: Annotated[int, "nodes at the writer's site"]
    far: int
    outbound_one: ByteSpan
    outbound_two: ByteSpan
    across_one: ByteSpan
    across_two: ByteSpan


def by_count(bytes_per_s: float) -> tuple[CountRow, ...]:
    """For 2 to 7 nodes, halved over two sites, where one at the larger site writes so many bytes of write-sets."""
    return tuple(_row(count, bytes_per_s) for count in COUNTS)


def _row(count: int, bytes_per_s: float) -> CountRow:
    near = (count + 1) // 2
    outbound_one, across_one = _sent(count, near, bytes_per_s, segments=1)
    outbound_two, across_two = _sent(count, near, bytes_per_s, segments=2)
    return CountRow(count, near, count - near, outbound_one, outbound_two, across_one, across_two)


def _sent(count: int, near: int, bytes_per_s: float, *, segments: int) -> tuple[ByteSpan, ByteSpan]:
    """What the first node sends, and what crosses the line."""
    members = [Member(str(i), "0" if segments == 1 or i < near else "1") for i in range(count)]
    written = {member.name: bytes_per_s if member.name == "0" else 0.0 for member in members}
    found = flows(members, written, lambda _sender, names: names[0])
    outbound = sum(rate for (source, _), rate in found.items() if source == "0")
    across = sum(rate for (source, target), rate in found.items() if int(source) < near <= int(target))
    return Span(outbound, outbound).on_the_wire(), Span(across, across).on_the_line()
