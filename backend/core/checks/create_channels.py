"""Checks of creating a link's channels: there is none yet, and the sides that the plan fences can be fenced."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.checks.fencing import cannot_be_fenced
from backend.core.findings import Finding, Severity
from backend.core.topology import Direction


def check_no_channel(ctx: CheckContext) -> Iterator[Finding]:
    """A channel that exists, running or stopped, has a position of its own: it is moved or removed, not created."""
    found = [holder for direction in Direction for holder in ctx.link.holders(direction)]
    for holder in found:
        name = holder.replica.node.name
        state = "runs" if holder.channel.is_running else "is stopped"
        yield Finding(
            "channel_exists",
            Severity.BLOCKER,
            f"{name} has a {holder.direction} channel from {holder.source.name}, which {state}.",
            "Use relocate to move the channels, start_channel to start a stopped one, or remove_channels first.",
            {"node": name, "source": holder.source.name, "direction": holder.direction.value},
        )
    if not found:
        yield Finding("no_channel", Severity.OK, "No node that responds has a channel of this link.")


def check_every_node_is_up(ctx: CheckContext) -> Iterator[Finding]:
    """A node that does not respond may hold a channel or hold other data; a new link starts with all of them."""
    for node in ctx.link.nodes:
        if not node.is_up:
            yield Finding(
                "node_needed_for_setup",
                Severity.UNKNOWN,
                f"{node.node.name} is not responding ({node.reach.value}). It may hold a channel.",
                f"Start {node.node.name}, or remove it from the registration.",
                {"node": node.node.name, "node_id": node.node.id, "reach": node.reach.value},
            )
        elif node.channels is None:
            yield Finding(
                "channels_unknown",
                Severity.UNKNOWN,
                f"The replication channels of {node.node.name} are unknown.",
                "Grant SLAVE MONITOR to the monitor account.",
                {"node": node.node.name, "node_id": node.node.id},
            )


def check_standby_can_be_fenced(ctx: CheckContext) -> Iterator[Finding]:
    """The standby is fenced before a position on it is read."""
    for node in ctx.link.standby.nodes:
        unread = cannot_be_fenced(ctx, node) if node.is_up else None
        yield from [unread] if unread else ()
