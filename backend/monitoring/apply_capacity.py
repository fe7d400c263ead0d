"""A link's apply capacity from the samples of the last hour, as the API returns it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final

from backend.clusters.models import Link
from backend.common.rest.outputs import filled
from backend.core.adviser.apply_capacity import Appliers, CapacityReason, Sample, Verdict, applier_reasons, judge
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelState, view_direction
from backend.core.topology import Direction, NodeFacts
from backend.monitoring.models import Checkpoint, LagSample
from backend.monitoring.stored_facts import link_facts

_A_SECOND: Final = "in transactions a second; null is unknown"
SPAN = timedelta(hours=1)
SLOT_S = 20
"""Seqno and gap are read within a second of each other, so a rate over so many seconds errs by a twentieth."""


@dataclass(frozen=True, slots=True)
class CapacityNode:
    """A node of the channel."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class DirectionCapacity:
    """Whether one channel's replica keeps up with what the other side writes."""

    from_: Annotated[datetime, "beginning of the time that the rates are of"]
    direction: Direction
    source_node: CapacityNode
    replica_node: CapacityNode
    to: Annotated[datetime, "end of the time that the rates are of"]
    verdict: Verdict
    gap_transactions: Annotated[int | None, "what the replica lacks now"]
    writes_per_s: Annotated[
        float | None,
        f"median of the last ten minutes at the sending cluster, what it received included, {_A_SECOND}",
    ]
    writes_high_per_s: Annotated[float | None, f"95th percentile of the hour at the sending cluster, {_A_SECOND}"]
    applied_per_s: Annotated[float | None, f"median of the last ten minutes at the replica, {_A_SECOND}"]
    capacity_per_s: Annotated[
        float | None, f"what the replica applied while it had a backlog (95th percentile), {_A_SECOND}"
    ]
    drain_s: Annotated[float | None, "time for the present gap at the net rate of earlier backlogs; null is unknown"]
    appliers: Appliers
    reasons: tuple[CapacityReason, ...]


@dataclass(frozen=True, slots=True)
class ApplyCapacity:
    """Each direction that has a channel."""

    results: tuple[DirectionCapacity, ...]


def apply_capacities(link: Link, now: datetime) -> ApplyCapacity:
    """Each direction with a channel: its judgement, and what limits the appliers of its replica."""
    facts = link_facts(link)
    found = (_of(facts, direction, now) for direction in Direction)
    return ApplyCapacity(tuple(one for one in found if one is not None))


def _of(facts: LinkFacts, direction: Direction, now: datetime) -> DirectionCapacity | None:
    holder = next(iter(facts.holders(direction)), None)
    if holder is None:
        return None
    samples = _samples(facts.id, direction, holder.source.id, now)
    receiving = facts.receiving_cluster(direction)
    writes = _accepts_writes(receiving.nodes)
    judged = judge(samples, now.timestamp(), standby_writes=writes, stopped_by=_stopped_by(facts, direction))
    appliers = _appliers(holder.replica, receiving.nodes)
    return filled(
        DirectionCapacity,
        judged,
        from_=now - SPAN,
        direction=direction,
        source_node=CapacityNode(holder.source.id, holder.source.name),
        replica_node=CapacityNode(holder.replica.node.id, holder.replica.node.name),
        to=now,
        appliers=appliers,
        reasons=(*judged.reasons, *applier_reasons(appliers)),
    )


def _stopped_by(facts: LinkFacts, direction: Direction) -> str:
    """Why the channel of a direction does not replicate; blank while it does."""
    view = view_direction(facts, direction).channel
    if view is None or view.state is ChannelState.RUNNING:
        return ""
    return view.reason


def _samples(link_id: str, direction: Direction, source_id: str, now: datetime) -> list[Sample]:
    """One sample in each slot: the source's newest checkpoint there, and the gap of that second."""
    since = now - SPAN
    rows = Checkpoint.objects.filter(node_id=source_id, observed_at__gt=since, observed_at__lte=now)
    newest = {
        _slot(at): (at, seqno, history)
        for at, seqno, history in rows.order_by("observed_at", "pk").values_list("observed_at", "seqno", "state_uuid")
    }
    gaps = _gaps(link_id, direction, since, now)
    return [
        Sample(at.timestamp(), seqno, gaps.get(int(at.timestamp())), history) for at, seqno, history in newest.values()
    ]


def _gaps(link_id: str, direction: Direction, since: datetime, now: datetime) -> dict[int, int | None]:
    name = f"{direction.value}_gap"
    rows = LagSample.objects.filter(link_id=link_id, at__gt=since, at__lte=now).values_list("at", name)
    return {int(at.timestamp()): gap for at, gap in rows}


def _slot(at: datetime) -> int:
    return int(at.timestamp()) // SLOT_S


def _accepts_writes(nodes: Iterable[NodeFacts]) -> bool | None:
    """Whether any node of a side accepts writes; None where a node does not tell."""
    values = [node.variables.get("read_only") if node.is_up else None for node in nodes]
    if any(value in ("OFF", "0") for value in values):
        return True
    return None if None in values else False


def _appliers(replica: NodeFacts, nodes: Iterable[NodeFacts]) -> Appliers:
    threads = [_number(node.variables.get("wsrep_slave_threads")) for node in nodes if node is not replica]
    known = [value for value in threads if value is not None]
    return Appliers(
        _number(replica.variables.get("slave_parallel_threads")),
        replica.variables.get("slave_parallel_mode"),
        min(known) if known else None,
    )


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None
