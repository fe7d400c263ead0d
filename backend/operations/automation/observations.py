"""One observation of a link from the monitor's stored facts: what is lost, and everything that is unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backend.clusters.models import Link
from backend.core.automatic_start import StartObservation
from backend.core.automation import LostEndpoint, Mode, Observation, Policy, WatchState
from backend.core.findings import Severity
from backend.core.link_state import ChannelState
from backend.core.topology import Direction, Reach
from backend.monitoring.models import LinkStatus, NodeState
from backend.monitoring.times import from_unix
from backend.operations.automation.models import LinkAutomation
from backend.operations.runs.models import Run

FRESH_S = 10.0
"""Older facts do not count as current."""


def policy_of(row: LinkAutomation) -> Policy:
    """The row as the core's policy."""
    return Policy(Mode(row.mode), float(row.loss_for_s), float(row.block_s))


def watch_state_of(row: LinkAutomation) -> WatchState:
    """The row as the core's watch state."""
    return WatchState(
        seen_at_s=row.watch_state.get("seen_at_s"),
        lost_since_s=row.watch_state.get("lost_since_s", {}),
        acted_at_s=row.acted_at.timestamp() if row.acted_at else None,
        acknowledged_at_s=row.acknowledged_at.timestamp() if row.acknowledged_at else None,
        retry_at_s=row.retry_at.timestamp() if row.retry_at else None,
    )


def save_state(row: LinkAutomation, memory: WatchState, reason: str) -> None:
    """Store the result of an observation."""
    row.watch_state = {"seen_at_s": memory.seen_at_s, "lost_since_s": dict(memory.lost_since_s)}
    row.reason = reason
    row.observed_at = from_unix(memory.seen_at_s) if memory.seen_at_s is not None else None
    row.save(update_fields=["watch_state", "reason", "observed_at"])


def observe(link: Link, now_s: float) -> Observation:
    """The current link; every missing or outdated fact is an unknown of its own."""
    status = LinkStatus.objects.filter(pk=link.pk).first()
    if status is None:
        return Observation(now_s, unknowns=("the link has not been observed yet.",))
    ids = [node.id for side in (link.active_cluster, link.standby_cluster) for node in side.nodes.all()]
    states = NodeState.objects.select_related("node").in_bulk(ids)
    return Observation(
        at_s=now_s,
        lost=tuple(_lost(status, states)),
        unknowns=tuple(_unknowns(status, ids, states, now_s)),
        relocate=status.readiness.get("relocate", {}).get("state", "unknown"),
        unfinished_run=Run.objects.filter(unfinished_link=link.pk).values_list("pk", flat=True).first(),
    )


def observe_standing(link: Link, now_s: float) -> StartObservation:
    """The same for channels that stopped without an error: the SQL thread is stopped, the IO thread still runs."""
    seen, status = observe(link, now_s), LinkStatus.objects.filter(pk=link.pk).first()
    if status is None:
        return StartObservation(now_s, unknowns=seen.unknowns)
    return StartObservation(
        at_s=now_s,
        standing=tuple(
            f"the {channel['direction']} channel on {channel['replica_name']}"
            for channel in status.channels
            if _is_silent(channel)
        ),
        unknowns=seen.unknowns,
        start=status.readiness.get("start_channel", {}).get("state", "unknown"),
        unfinished_run=seen.unfinished_run,
    )


def _is_silent(channel: Mapping[str, Any]) -> bool:
    """Whether a channel stopped without an error (`stopped`); one that does not read either was stopped by hand."""
    is_ours = not channel["stray"] and not channel["recorded"] and channel["state"] == ChannelState.STOPPED
    return is_ours and channel["sql_running"] == "No" and channel["io_running"] != "No"


def _ends(status: LinkStatus) -> set[str]:
    own = [channel for channel in status.channels if not channel["stray"]]
    return {channel[end] for channel in own for end in ("source_node", "replica_node") if channel[end]}


def _lost(status: LinkStatus, states: Mapping[str, NodeState]) -> Iterator[LostEndpoint]:
    """Nodes of the link's channels whose port is closed; a node that only does not respond may still be up."""
    for node_id in sorted(_ends(status)):
        state = states.get(node_id)
        if state is not None and state.reach == Reach.DOWN:
            yield LostEndpoint(node_id, state.node.name, state.since.timestamp())


def _unknowns(status: LinkStatus, ids: list[str], states: Mapping[str, NodeState], now_s: float) -> Iterator[str]:
    if status.state == "unknown":
        yield f"the link's state. {status.sentence}"
    if now_s - status.observed_at.timestamp() > FRESH_S:
        yield f"the link has not been observed for more than {FRESH_S:.0f} s."
    for side in status.clusters.values():
        if side["status"] == "unknown":
            yield f"{side['name']} is not reachable."
    for node_id in ids:
        state = states.get(node_id)
        if state is None or state.reach not in (Reach.UP, Reach.DOWN):
            yield f"{state.node.name} is {state.reach}." if state else "a node has not been polled yet."
    for finding in status.findings:
        if finding["severity"] == Severity.UNKNOWN:
            yield str(finding["message"])
    for direction in Direction:
        if not any(c["direction"] == direction and not c["stray"] for c in status.channels):
            yield f"the nodes of the {direction} channel."
