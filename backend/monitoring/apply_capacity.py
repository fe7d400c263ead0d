"""Samples of the last hour for the judgement of a link's apply capacity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from backend.clusters.models import Link
from backend.core.adviser.apply_capacity import Appliers, ApplyCapacity, Reason, Sample, applier_reasons, judge
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelState, view_direction
from backend.core.topology import Direction, NodeFacts
from backend.monitoring.models import Checkpoint, LagSample
from backend.monitoring.stored_facts import link_facts

SPAN = timedelta(hours=1)
SLOT_S = 20
"""Seqno and gap are read within a second of each other, so a rate over so many seconds errs by a twentieth."""


def apply_capacities(link: Link, now: datetime) -> list[dict[str, Any]]:
    """Each direction with a channel: its judgement, and what limits the appliers of its replica."""
    facts = link_facts(link)
    return [found for direction in Direction if (found := _of(facts, direction, now)) is not None]


def _of(facts: LinkFacts, direction: Direction, now: datetime) -> dict[str, Any] | None:
    holder = next(iter(facts.holders(direction)), None)
    if holder is None:
        return None
    samples = _samples(facts.id, direction, holder.source.id, now)
    receiving = facts.receiving_cluster(direction)
    writes = _accepts_writes(receiving.nodes)
    judged = judge(samples, now.timestamp(), standby_writes=writes, stopped_by=_stopped_by(facts, direction))
    appliers = _appliers(holder.replica, receiving.nodes)
    return {
        "direction": direction.value,
        "source_node": {"id": holder.source.id, "name": holder.source.name},
        "replica_node": {"id": holder.replica.node.id, "name": holder.replica.node.name},
        "from": now - SPAN,
        "to": now,
        **_figures(judged),
        "appliers": asdict(appliers),
        "reasons": [_shown(reason) for reason in (*judged.reasons, *applier_reasons(appliers))],
    }


def _stopped_by(facts: LinkFacts, direction: Direction) -> str:
    """Why the channel of a direction does not replicate; blank while it does."""
    view = view_direction(facts, direction).channel
    if view is None or view.state is ChannelState.RUNNING:
        return ""
    return view.reason


def _figures(judged: ApplyCapacity) -> dict[str, Any]:
    return {
        "verdict": judged.verdict.value,
        "gap_transactions": judged.gap_transactions,
        "writes_per_s": judged.writes_per_s,
        "writes_high_per_s": judged.writes_high_per_s,
        "applied_per_s": judged.applied_per_s,
        "capacity_per_s": judged.capacity_per_s,
        "drain_s": judged.drain_s,
    }


def _shown(reason: Reason) -> dict[str, Any]:
    return {"code": reason.code, "sentence": reason.sentence, "facts": reason.facts}


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
