"""Converts a derived link view to the plain data that is stored and returned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from backend.clusters.models import Link
from backend.core.known_groups import KnownGroups
from backend.core.link_facts import LinkFacts
from backend.core.link_state import ChannelView, LinkView, brief
from backend.core.link_state.readiness import PrimaryAction
from backend.core.topology import Direction
from backend.monitoring.models import LinkStatus
from backend.monitoring.recording.replication_gap import UNKNOWN_GAP, Gap, ReadBefore

KNOWN_GROUPS = "known_groups"
"""What was read of a lost side: a run counts in it from the place that its relay log tells."""


def channels_json(link: LinkFacts, view: LinkView, gaps: Mapping[Direction, Gap]) -> list[dict[str, Any]]:
    """The current channel of each direction first, then its stray channels."""
    shown = []
    for direction in view.directions:
        if direction.channel is not None:
            gap = gaps.get(direction.direction, UNKNOWN_GAP)
            shown.append(_channel(link, direction.channel, gap))
        shown += [_channel(link, stray, UNKNOWN_GAP) for stray in direction.strays]
    return shown


def read_before(link: Link, status: LinkStatus | None) -> dict[Direction, ReadBefore]:
    """What the last status tells of a side that was lost by then, under the link's roles of now."""
    if status is None or status.clusters.get("active", {}).get("id") != link.active_cluster_id:
        return {}
    return {
        Direction(channel["direction"]): ReadBefore(KnownGroups.from_json(known), channel["gap_read_at_s"])
        for channel in status.channels
        if (known := channel.get(KNOWN_GROUPS)) and not channel["stray"]
    }


def _channel(link: LinkFacts, view: ChannelView, gap: Gap) -> dict[str, Any]:
    channel = view.channel
    return {
        "direction": view.direction.value,
        "source_node": view.source_node_id,
        "source_name": link.node(view.source_node_id).node.name,
        "replica_node": view.replica_node_id,
        "replica_name": link.node(view.replica_node_id).node.name,
        "io_running": None if view.recorded else channel.io_running,
        "sql_running": None if view.recorded else channel.sql_running,
        "lag_s": view.lag_s,
        "gap_transactions": gap.transactions,
        "gap_at_least": gap.at_least,
        "gap_read_at_s": gap.read_at_s,
        KNOWN_GROUPS: gap.known.to_json(),
        "executed": None if view.recorded else str(channel.exec_position or ""),
        "error": view.reason or channel.sql_error or channel.io_error,
        "state": view.state.value,
        "observed_at_s": view.observed_at_s,
        "recorded": view.recorded,
        "stray": view.is_stray,
    }


def action_json(action: PrimaryAction | None) -> dict[str, Any] | None:
    """The recommended operation, or None."""
    if action is None:
        return None
    return {**asdict(action), "url_options": dict(action.url_options)}


def clusters_json(link: LinkFacts) -> dict[str, Any]:
    """Both sides in brief."""
    return {"active": asdict(brief(link.active)), "standby": asdict(brief(link.standby))}
