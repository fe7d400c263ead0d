"""Checks of a planned change of the active site: will the fence hold, and will the drain end?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.checks.fencing import cannot_be_fenced
from backend.core.facts.membership import is_expelled
from backend.core.findings import Finding, Severity

LAG_LIMIT_S = 30
"""Behind by more than this, the drain would make the write pause long."""


def check_both_channels_run(ctx: CheckContext) -> Iterator[Finding]:
    """A switchover moves no channel: both must run, or the new active side would be unprotected."""
    for move in ctx.moves:
        channel = move.holder.channel if move.holder else None
        facts = {"direction": move.direction.value}
        if channel is None:
            yield Finding(
                "channel_not_seen",
                Severity.UNKNOWN,
                f"The {move.direction} channel is not seen on any node that answers.",
                "Relocate the link first.",
                facts,
            )
        elif (channel.io_running, channel.sql_running) != ("Yes", "Yes"):
            yield Finding(
                "channel_not_running",
                Severity.BLOCKER,
                f"The {move.direction} channel does not run (I/O {channel.io_running}, SQL {channel.sql_running}).",
                "Start it, or relocate the link first.",
                facts,
            )
        else:
            yield Finding("channel_runs", Severity.OK, f"The {move.direction} channel runs.", facts=facts)


def check_lag(ctx: CheckContext) -> Iterator[Finding]:
    """Writes are paused while the standby applies what it still owes."""
    for move in ctx.moves:
        lag_s = move.holder.channel.lag_s if move.holder else None
        if lag_s is not None and lag_s > LAG_LIMIT_S:
            yield Finding(
                "lag_too_long",
                Severity.BLOCKER,
                f"The {move.direction} channel is {lag_s} s behind: writes would be paused that long.",
                "Wait until it has caught up.",
                {"lag_s": lag_s, "direction": move.direction.value},
            )


def check_every_node_can_be_fenced(ctx: CheckContext) -> Iterator[Finding]:
    """A node of the old active side that is not fenced would go on taking writes."""
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
                f"{name} is down and cannot be fenced: should it come back, it takes writes unless its own "
                "configuration says read_only.",
                "Keep clients away from it, or set read_only in its configuration.",
                facts,
            )
        elif node.node.id in ctx.attested_fenced:
            yield Finding(
                "unreachable_node_attested", Severity.WARNING, f"A person attests that {name} is fenced.", "", facts
            )
        else:
            yield Finding(
                "node_cannot_be_fenced",
                Severity.UNKNOWN,
                f"{name} does not answer ({node.reach.value}) and may take writes that the fence does not stop.",
                f"Bring it back, or fence {name} yourself and attest it.",
                facts,
            )


def check_reconciled(ctx: CheckContext) -> Iterator[Finding]:
    """A side that was lost in a failover is no source, and no switch may lead to it, until it is reconciled."""
    divergence = ctx.link.divergence
    if divergence is None:
        return
    lost = ctx.link.active if ctx.link.active.id == divergence.lost_cluster_id else ctx.link.standby
    if divergence.is_reconciled:
        yield Finding(
            "reprotect_first",
            Severity.BLOCKER,
            f"{lost.name} is reconciled, but nothing shows yet that its channels carry: a place found now could lie "
            "where the sides parted.",
            f"Resume the reprotect of {lost.name}, or reprotect it anew.",
            {"cluster_id": lost.id, "run_id": divergence.run_id},
        )
        return
    yield Finding(
        "reprotect_first",
        Severity.BLOCKER,
        f"{lost.name} was lost in a failover and is not reconciled: it may hold transactions nobody else has.",
        f"Reprotect {lost.name} first.",
        {"cluster_id": lost.id, "run_id": divergence.run_id},
    )


def check_failback_target(ctx: CheckContext) -> Iterator[Finding]:
    """A failback leads to the link's home side and nowhere else."""
    if ctx.link.home_cluster_id == ctx.link.active.id:
        yield Finding(
            "already_home",
            Severity.BLOCKER,
            f"{ctx.link.active.name} is the home side and takes writes: there is nowhere to go back to.",
            "Nothing to do.",
        )
