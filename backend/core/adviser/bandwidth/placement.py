"""Which node is in which segment, and what is written on each, from the facts of the nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from backend.core.adviser.bandwidth.traffic import Member, Traffic, traffic
from backend.core.adviser.node_absence.donors import segment_of
from backend.core.adviser.node_absence.rates import Rate
from backend.core.adviser.node_absence.summary import is_synced
from backend.core.estimates import Unknown
from backend.core.topology import NodeFacts


@dataclass(frozen=True, slots=True)
class Placed:
    """One node; `segment` None: its provider options were not read."""

    id: str
    name: str
    segment: Annotated[str | None, "`gmcast.segment`; null: not read"]
    is_member: Annotated[bool, "a synced member now"]


@dataclass(frozen=True, slots=True)
class Placement:
    """The nodes of a cluster; `unregistered` is the number of members that are not registered, None where unknown."""

    nodes: tuple[Placed, ...]
    unregistered: int | None

    @property
    def members(self) -> tuple[Placed, ...]:
        """The nodes that are synced members now."""
        return tuple(node for node in self.nodes if node.is_member)

    @property
    def segments(self) -> tuple[str, ...] | Unknown:
        """The segments of the members; unknown while one is."""
        unread = [node.name for node in self.members if node.segment is None]
        if unread or not self.members:
            return Unknown(f"The segment of {', '.join(unread) or 'every node'} is unknown.")
        return tuple(sorted({node.segment for node in self.members if node.segment is not None}, key=_order))


def _order(segment: str) -> tuple[int, str]:
    return (int(segment) if segment.isdigit() else 256, segment)


def placement(facts: Sequence[NodeFacts]) -> Placement:
    """Of all registered nodes of a cluster."""
    nodes = tuple(Placed(one.node.id, one.node.name, segment_of(one), is_synced(one)) for one in facts)
    sizes = [one.wsrep.cluster_size for one in facts if is_synced(one) and one.wsrep is not None]
    members = sum(node.is_member for node in nodes)
    return Placement(nodes, max(0, max(sizes) - members) if sizes else None)


def own_rate(rate: Rate | Unknown) -> float | Unknown:
    """Bytes of write-sets a second that a node replicated itself."""
    if isinstance(rate, Unknown):
        return rate
    return rate.bytes_per_s * (rate.own_share or 0.0)


def traffic_of(placed: Placement, rates: Mapping[str, Rate | Unknown]) -> Traffic | Unknown:
    """From each member's own rate, by id; unknown while a segment or a rate is."""
    if isinstance(placed.segments, Unknown):
        return placed.segments
    written: dict[str, float] = {}
    for node in placed.members:
        rate = own_rate(rates.get(node.id, Unknown("Nothing was counted.")))
        if isinstance(rate, Unknown):
            return Unknown(f"How much is written on {node.name} is unknown. {rate.reason}")
        written[node.name] = rate
    members = [Member(node.name, node.segment or "") for node in placed.members]
    return traffic(members, written, placed.unregistered or 0)
