"""Checks of a planned change of the active site: will the fence hold, and will the drain end?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.channels import remedy_unseen
from backend.core.checks.context import CheckContext
from backend.core.checks.fencing import cannot_be_fenced
from backend.core.facts.membership import is_expelled
from backend.core.findings import Finding, Severity

LAG_LIMIT_S = 30
"""With more lag the drain would make the write pause long."""


def check_both_channels_run(ctx: CheckContext) -> Iterator[Finding]:
    """A switchover moves no channel: both must run, or the new active side would be unprotected."""
    for move in ctx.moves:
        channel = move.holder.channel if move.holder else None
        facts = {"direction": move.direction.value}
        if channel is None:
            yield Finding(
                "channel_not_seen",
                Severity.UNKNOWN,
                f"No node that responds holds the {move.direction} channel.",
                remedy_unseen(ctx, move, "Relocate the link first."),
                facts,
            )
        elif (channel.io_running, channel.sql_running) != ("Yes", "Yes"):
            yield Finding(
                "channel_not_running",
                Severity.BLOCKER,
                f"The {move.direction} channel is not running (I/O {channel.io_running}, SQL {channel.sql_running}).",
                "Start the channel, or relocate the link first.",
                facts,
            )
        else:
            yield Finding("channel_runs", Severity.OK, f"The {move.direction} channel is running.", facts=facts)


def check_lag(ctx: CheckContext) -> Iterator[Finding]:
    """Writes are paused while the standby side applies its backlog."""
    for move in ctx.moves:
        lag_s = move.holder.channel.lag_s if move.holder else None
        if lag_s is not None and lag_s > LAG_LIMIT_S:
            yield Finding(
                "lag_too_long",
                Severity.BLOCKER,
                f"The lag of the {move.direction} channel is {lag_s} s; a switchover needs {LAG_LIMIT_S} s or less. "
                "Writes would be paused that long.",
                "Wait until the channel has caught up.",
                {"lag_s": lag_s, "direction": move.direction.value},
            )


def check_every_node_can_be_fenced(ctx: CheckContext) -> Iterator[Finding]:
    """A node of the old active side that is not fenced would continue to accept writes."""
    for node in ctx.link.active.nodes:
        name = node.node.name
        facts = {"node": name, "node_id": node.node.id, "reach": node.reach.value}
        if node.is_up:
            unread = cannot_be_fenced(ctx, node)
            yield from [unread] if unread else ()
        elif is_expelled(ctx.link.active, node):
            yield Finding(
                "node_down_unfenced",
                Severity.WARNING,
                f"{name} is down and cannot be fenced. When it returns it is writable, unless its configuration sets "
                "read_only.",
                f"Keep clients away from {name}, or set read_only in its configuration.",
                facts,
            )
        elif node.node.id in ctx.attested_fenced:
            yield Finding(
                "unreachable_node_attested", Severity.WARNING, f"An operator attested that {name} is fenced.", "", facts
            )
        else:
            yield Finding(
                "node_cannot_be_fenced",
                Severity.UNKNOWN,
                f"{name} is not responding ({node.reach.value}) and may accept writes that the fence does not stop.",
                f"Bring {name} back, or fence it yourself and attest that {name} is fenced.",
                facts,
            )


def check_reconciled(ctx: CheckContext) -> Iterator[Finding]:
    """A side that was lost in a failover must not be a source or become active until it is reconciled."""
    divergence = ctx.link.divergence
    if divergence is None:
        return
    lost = ctx.link.active if ctx.link.active.id == divergence.lost_cluster_id else ctx.link.standby
    if divergence.is_reconciled:
        yield Finding(
            "reprotect_first",
            Severity.BLOCKER,
            f"{lost.name} is reconciled, but replication has not been verified yet. A position found now could lie at "
            "the divergence point.",
            f"Resume the reprotect of {lost.name}, or reprotect it again.",
            {"cluster_id": lost.id, "run_id": divergence.run_id},
        )
        return
    yield Finding(
        "reprotect_first",
        Severity.BLOCKER,
        f"{lost.name} was lost in a failover and is not reconciled. It may hold orphaned transactions.",
        f"Reprotect {lost.name} first.",
        {"cluster_id": lost.id, "run_id": divergence.run_id},
    )


def check_failback_target(ctx: CheckContext) -> Iterator[Finding]:
    """A failback makes the link's home side active, and no other."""
    if ctx.link.home_cluster_id == ctx.link.active.id:
        yield Finding(
            "already_home",
            Severity.BLOCKER,
            f"{ctx.link.active.name} is the home side and already active. There is nothing to fail back.",
            "Do nothing.",
        )
