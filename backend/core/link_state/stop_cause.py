"""Why a channel stopped without an operator, as far as its server and its peers show; no error log can be read."""

from __future__ import annotations

from backend.core.connection_names import is_same_name
from backend.core.link_facts import LinkFacts
from backend.core.plural import pluralize
from backend.core.topology import NODE_NOT_READY, ChannelFacts, NodeFacts

LOST_CONFLICT = frozenset({1180, 1205, 1213, 1317})
"""Errors with which a transaction that lost certification may end: in its commit, a lock wait, a deadlock, a kill."""
RECENT_S = 900
"""A peer that was started longer ago is not named: that says little about a channel that is stopped now."""


def stop_cause(link: LinkFacts, replica: NodeFacts, channel: ChannelFacts) -> str:
    """The known cause; a server records a stop without an error only in its error log."""
    if channel.sql_errno == NODE_NOT_READY:
        return (
            f"{replica.node.name} left its cluster for a moment, and its SQL thread stopped with error 1047 "
            f"({channel.sql_error[:200]}). {_restart_setting(replica)}"
        )
    if channel.sql_errno:
        rise = _lost_conflicts(link, replica, channel)
        lost = f" {_certification(replica, rise)}" if channel.sql_errno in LOST_CONFLICT and rise else ""
        return f"Applying stopped with error {channel.sql_errno}: {channel.sql_error[:300].rstrip('.')}.{lost}"
    if channel.io_running == "No" and channel.io_errno:
        return f"Reading stopped with error {channel.io_errno}: {channel.io_error[:300]}"
    return f"{_silent(replica, channel)}{_neighbours(link, replica, channel)}"


def _restart_setting(replica: NodeFacts) -> str:
    value = replica.variable("wsrep_restart_slave")
    if value is None:
        return "It is unknown whether the server starts the channel again (wsrep_restart_slave)."
    if value.upper() in ("ON", "1"):
        return "With wsrep_restart_slave=ON the server restarts the channel once it is back, at an unproven position."
    return f"With wsrep_restart_slave={value} the server does not start the channel again."


def _silent(replica: NodeFacts, channel: ChannelFacts) -> str:
    name = replica.node.name
    if channel.io_running != "No":
        return f"The SQL thread of {name} stopped without an error; its I/O thread still runs."
    if channel.sql_running != "No":
        return f"The I/O thread of {name} stopped without an error; its SQL thread still runs."
    if replica.uptime_s is not None and replica.uptime_s < RECENT_S and _starts_nothing(replica):
        return f"{name} was started {replica.uptime_s} s ago and starts no channel at its start (skip_slave_start=ON)."
    return f"Both threads of {name} are stopped without an error, as after STOP SLAVE."


def _starts_nothing(replica: NodeFacts) -> bool:
    return (replica.variable("skip_slave_start") or "").upper() in ("ON", "1")


def _lost_conflicts(link: LinkFacts, replica: NodeFacts, channel: ChannelFacts) -> int | None:
    """How many transactions of the replica lost certification since its channel last applied.

    The counter begins at the start of the server, and counts those of its clients, too: what it showed before says
    nothing of this stop. None where nothing is known of then, or of now.
    """
    now = replica.wsrep.cert_failures if replica.wsrep is not None else None
    found = (one for one in link.recorded if one.replica_node_id == replica.node.id)
    recorded = next((one for one in found if is_same_name(one.channel.name, channel.name)), None)
    if now is None or recorded is None or recorded.cert_failures is None or recorded.applied_at_s is None:
        return None
    if replica.uptime_s is None:
        return None
    if replica.observed_at_s - replica.uptime_s > recorded.applied_at_s:
        return now or None  # counted since its start; what was lost before that is gone with the counter
    return now - recorded.cert_failures if now >= recorded.cert_failures else None


def _certification(replica: NodeFacts, rise: int) -> str:
    """A transaction of the channel that loses certification against a write of its own cluster stops the channel."""
    return (
        f"{replica.node.name} counted {pluralize(rise, 'certification failure')} since the channel last applied "
        "(wsrep_local_cert_failures): a transaction of the channel may have lost a conflict with a write on another "
        "node of its cluster. A start tries it again."
    )


def _neighbours(link: LinkFacts, replica: NodeFacts, channel: ChannelFacts) -> str:
    """What may have stopped the channel: a lost conflict, or a state transfer to a peer that was started lately.

    Only what the counter's rise allows is said: while it is unknown whether a conflict was lost, no cause is named.
    """
    lost = _lost_conflicts(link, replica, channel)
    side = link.active if link.active.id == replica.node.cluster_id else link.standby
    lately = [
        f"{node.node.name} was started {node.uptime_s} s ago"
        for node in side.nodes
        if node.node.id != replica.node.id and node.uptime_s is not None and node.uptime_s < RECENT_S
    ]
    conflict = f" {_certification(replica, lost)}" if lost else ""
    if not lately:
        return conflict
    transfer = "A state transfer may have stopped the channel"
    guess = f" {transfer}, too." if lost else f" {transfer}." if lost == 0 else " The cause is unknown."
    return f"{conflict} {'; '.join(lately)}.{guess}"
