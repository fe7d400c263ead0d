"""Why a channel stopped by itself, as far as its server and its neighbours tell; nobody can read the error log."""

from __future__ import annotations

from backend.core.link_facts import LinkFacts
from backend.core.topology import NODE_NOT_READY, ChannelFacts, NodeFacts

RECENT_S = 900
"""A neighbour that was started longer ago is named no more: it says little about a channel that stands now."""


def stop_cause(link: LinkFacts, replica: NodeFacts, channel: ChannelFacts) -> str:
    """One sentence of what is known; of a silent stop the server keeps no word but in its error log."""
    if channel.sql_errno == NODE_NOT_READY:
        return (
            f"{replica.node.name} left its cluster for a moment, and its SQL thread stopped on error 1047 "
            f"({channel.sql_error[:200]}); {_restart_setting(replica)}"
        )
    if channel.sql_errno:
        return f"Applying stopped on error {channel.sql_errno}: {channel.sql_error[:300]}"
    if channel.io_running == "No" and channel.io_errno:
        return f"Reading stopped on error {channel.io_errno}: {channel.io_error[:300]}"
    return f"{_silent(replica, channel)}{_neighbours(link, replica)}"


def _restart_setting(replica: NodeFacts) -> str:
    value = replica.variable("wsrep_restart_slave")
    if value is None:
        return "whether it would start again by itself (wsrep_restart_slave) is not known."
    if value.upper() in ("ON", "1"):
        return "wsrep_restart_slave=ON starts it again once the node is back, its place unproven."
    return f"with wsrep_restart_slave={value} it does not start again by itself."


def _silent(replica: NodeFacts, channel: ChannelFacts) -> str:
    name = replica.node.name
    if channel.io_running != "No":
        return f"The SQL thread of {name} stopped without an error, and it still reads."
    if channel.sql_running != "No":
        return f"{name} stopped reading without an error, and it still applies."
    if replica.uptime_s is not None and replica.uptime_s < RECENT_S and _starts_nothing(replica):
        return f"{name} was started {replica.uptime_s} s ago and starts no channel by itself (skip_slave_start=ON)."
    return f"Both threads of {name} stand without an error, as after STOP SLAVE."


def _starts_nothing(replica: NodeFacts) -> bool:
    return (replica.variable("skip_slave_start") or "").upper() in ("ON", "1")


def _neighbours(link: LinkFacts, replica: NodeFacts) -> str:
    """Nodes of its cluster that were started lately: a state transfer may have gone on."""
    side = link.active if link.active.id == replica.node.cluster_id else link.standby
    lately = [
        f"{node.node.name} was started {node.uptime_s} s ago"
        for node in side.nodes
        if node.node.id != replica.node.id and node.uptime_s is not None and node.uptime_s < RECENT_S
    ]
    return f" {'; '.join(lately)}: its state transfer may have stopped it." if lately else ""
