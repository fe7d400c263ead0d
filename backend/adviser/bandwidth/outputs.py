"""The bandwidth of a cluster as the API returns it. Bytes are a second and on the wire unless said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from backend.core.adviser.advice.model import Risk
from backend.core.adviser.bandwidth.by_count import CountRow
from backend.core.adviser.bandwidth.capacity import UntilFull
from backend.core.adviser.bandwidth.line import LineKind
from backend.core.adviser.bandwidth.measured import MeasuredBandwidth
from backend.core.adviser.bandwidth.placement import Placed
from backend.core.adviser.bandwidth.span import ByteSpan
from backend.core.adviser.node_absence.rates import Window
from backend.core.estimates import Rounded, Tenths


@dataclass(frozen=True, slots=True)
class OwnWrites:
    """Write-sets that a node replicated itself; null = unknown, and `reason` says why."""

    window: Window
    bytes_per_s: Annotated[Tenths | None, "of write-sets"]
    reason: str


@dataclass(frozen=True, slots=True)
class PlacedNode(Placed):
    """A node and its segment."""

    written: tuple[OwnWrites, ...]


@dataclass(frozen=True, slots=True)
class BandwidthAdvice:
    """Advice on segments or multicast, dismissed or not; `GET /clusters/ID/advice` has the changes."""

    code: str
    risk: Risk
    title: str
    fact: str
    consequence: str
    remedy: str
    evidence: str


@dataclass(frozen=True, slots=True)
class PairSpan(ByteSpan):
    """From one node or segment to another."""

    sender: str
    receiver: str


@dataclass(frozen=True, slots=True)
class Outbound(ByteSpan):
    """All that a node sends."""

    node: str


@dataclass(frozen=True, slots=True)
class ComputedTraffic:
    """Computed from the write rates of a time and the segments; empty = unknown, and `reason` says why."""

    window: Window
    reason: str = ""
    pairs: Annotated[tuple[PairSpan, ...], "of nodes"] = ()
    across: Annotated[tuple[PairSpan, ...], "of segments"] = ()
    outbound: tuple[Outbound, ...] = ()
    to_other_members: Annotated[ByteSpan | None, "to members that are not registered"] = None


@dataclass(frozen=True, slots=True)
class ByCount:
    """If one node wrote all that the cluster wrote in the last hour; null = unknown."""

    bytes_per_s: Annotated[Tenths | None, "of write-sets"]
    reason: str
    rows: tuple[CountRow, ...]


@dataclass(frozen=True, slots=True)
class LineCapacity:
    """The capacity as an operator entered it."""

    mbit_per_s: float
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class BandwidthLine:
    """The line whose load is compared: between two segments, or all that one node sends."""

    kind: LineKind | Literal["unknown"]
    sender: str = ""
    receiver: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LineLoad:
    """The load of the line; null = unknown. `share` is that of the upper bound."""

    window: Window
    low: Tenths | None = None
    high: Tenths | None = None
    share: Annotated[float | None, Rounded(4), "of the capacity; 1 is all of it"] = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Growth:
    """A line through the averages of the last days; null = unknown. Bytes are of write-sets."""

    now_bytes_per_s: Tenths | None = None
    per_day: Annotated[Tenths | None, "bytes a second more each day"] = None
    error: Annotated[Tenths | None, "of `per_day`, 95 %"] = None
    days: int | None = None
    is_growing: Annotated[bool | None, "by more than the days' scatter"] = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """Segments of a cluster, bytes between its nodes, and the line that they take."""

    cluster_id: str
    cluster_name: str
    at: datetime
    nodes: tuple[PlacedNode, ...]
    segments: tuple[str, ...] | None
    segments_reason: str
    other_members: Annotated[int | None, "members that are not registered, such as an arbitrator; null: unknown"]
    advice: tuple[BandwidthAdvice, ...]
    computed: tuple[ComputedTraffic, ...]
    by_count: ByCount
    measured: tuple[MeasuredBandwidth, ...]
    capacity: LineCapacity | None
    line: BandwidthLine
    loads: tuple[LineLoad, ...]
    growth: Growth
    until_full: UntilFull
