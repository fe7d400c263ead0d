"""The line whose load is compared with its capacity: between two segments, or the connection of the busiest node."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from backend.core.adviser.bandwidth.span import Span
from backend.core.adviser.bandwidth.traffic import Traffic
from backend.core.adviser.node_absence.rates import Rate
from backend.core.estimates import Unknown


class LineKind(StrEnum):
    """`ACROSS`: from one segment to another; `OUTBOUND`: all that one node sends, where there is one segment."""

    ACROSS = "across"
    OUTBOUND = "outbound"


@dataclass(frozen=True, slots=True)
class Line:
    """Its ends (segments, or a node and nothing), and bytes on it for one byte that is written in the cluster."""

    kind: LineKind
    source: str
    target: str
    copies: Span


def line_of(found: Traffic | Unknown) -> Line | Unknown:
    """The direction with the highest load."""
    if isinstance(found, Unknown):
        return found
    if not found.written:
        return Unknown("Nothing was written in this time, so what crosses the line for a write is unknown.")
    if found.across:
        source, target = max(found.across, key=lambda pair: found.across[pair].high)
        copies = found.across[source, target] * (1 / found.written)
        return Line(LineKind.ACROSS, source, target, copies.on_the_line())
    node = max(found.outbound, key=lambda name: found.outbound[name].high)
    return Line(LineKind.OUTBOUND, node, "", (found.outbound[node] * (1 / found.written)).on_the_wire())


def peak_factor(busiest_hour: Rate | Unknown, week: Rate | Unknown) -> float | Unknown:
    """The busiest hour of the week against its average."""
    if isinstance(busiest_hour, Unknown):
        return busiest_hour
    if isinstance(week, Unknown):
        return week
    if not week.bytes_per_s:
        return Unknown("Nothing was written in the last week.")
    return max(1.0, busiest_hour.bytes_per_s / week.bytes_per_s)
