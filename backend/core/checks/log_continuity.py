"""Checks whether the source of each channel still has the log that the channel has read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from backend.core.checks.context import CheckContext, Move
from backend.core.facts.log_continuity import plan_finding, stop_first, without_a_seam
from backend.core.facts.state_uuid import is_another_history
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LogBreak, RecordedChannel
from backend.core.link_state.clusters import is_serving
from backend.core.topology import ClusterFacts, Direction


def check_log_continuity(ctx: CheckContext) -> Iterator[Finding]:
    """What was read of another log proves nothing of this one: nothing is drained through such a channel."""
    for move in ctx.moves:
        finding = plan_finding(ctx.link, move.direction)
        if finding is not None:
            yield finding


def check_seam_to_prove(ctx: CheckContext) -> Iterator[Finding]:
    """A move proves the seam between the two logs (`locate.seam`), or is refused by it.

    What could not be compared is unknown: the monitor does so in a moment.
    """
    for move in ctx.moves:
        finding = plan_finding(ctx.link, move.direction)
        if finding is None:
            continue
        recorded, source = ctx.link.recorded_channel(move.direction), ctx.link.source_cluster(move.direction)
        if recorded is not None and recorded.log_break is not None and not is_another_history(source):
            yield replace(
                finding,
                severity=Severity.WARNING,
                remedy="The plan proves that what was applied before stands in the log of now, and that nothing was "
                "left out since. Otherwise it is refused.",
            )
        else:
            yield finding


def check_history_continues(ctx: CheckContext) -> Iterator[Finding]:
    """The log of a side that was bootstrapped again still holds the last transaction seen of the old history.

    A side that was emptied and filled anew may end at the same file and offset.
    """
    for move in ctx.moves:
        side, recorded = ctx.link.source_cluster(move.direction), ctx.link.recorded_channel(move.direction)
        finding = plan_finding(ctx.link, move.direction)
        if finding is not None:
            yield finding
        elif not is_another_history(side):
            continue
        elif recorded is None or recorded.log is None or recorded.source_node_id != move.source.node.id:
            yield _seam_unknown(ctx, move, side, recorded)
        else:
            yield Finding(
                "history_continues",
                Severity.OK,
                f"The log of {move.source.node.name} still holds the last transaction seen before {side.name} was "
                f"bootstrapped again ({recorded.log.file}).",
                facts={"direction": move.direction.value, "node": move.source.node.name},
            )


def _seam_unknown(ctx: CheckContext, move: Move, side: ClusterFacts, recorded: RecordedChannel | None) -> Finding:
    """Only the log of the node that the channel read from was compared; its own state decides what helps."""
    remedy = without_a_seam(ctx.link, side)
    if recorded is not None:
        remedy = f"{stop_first(ctx.link, recorded)} {remedy}"
    if recorded is not None and recorded.log is not None:
        read = ctx.link.node(recorded.source_node_id)
        first = "Choose" if is_serving(read) else "Wait until it is Synced, and choose"
        remedy = f"The channel reads from {read.node.name}. {first} {read.node.name}. If it has lost its log: {remedy}"
    return Finding(
        "history_seam_unknown",
        Severity.UNKNOWN,
        f"It is unknown whether the log of {move.source.node.name} continues the history that {side.name} had before: "
        "nothing that it held then was read.",
        remedy,
        {"direction": move.direction.value, "node": move.source.node.name},
    )


def check_drain_of_one_log(ctx: CheckContext) -> Iterator[Finding]:
    """A failover applies the relay log to its end: what came of another history must not be among it."""
    finding, recorded = plan_finding(ctx.link, Direction.FORWARD), ctx.link.recorded_channel(Direction.FORWARD)
    if finding is None or recorded is None or recorded.log_break is None:
        return
    yield from _received_of_another_history(ctx, recorded, recorded.log_break)
    yield Finding(
        "standby_not_proven_whole",
        Severity.WARNING if ctx.accepts_loss else Severity.BLOCKER,
        finding.message,
        "Compare the data of both sides. If the standby has the data that counts, accept the loss.",
        {**finding.facts, "option": "accept_loss"},
    )


def _received_of_another_history(ctx: CheckContext, recorded: RecordedChannel, log: LogBreak) -> Iterator[Finding]:
    waiting = [h for h in ctx.link.holders(Direction.FORWARD) if not h.channel.is_relay_drained]
    if waiting:
        name = waiting[0].replica.node.name
        yield Finding(
            "relay_log_of_another_history",
            Severity.BLOCKER,
            f"{name} has received transactions that it has not applied, and {ctx.link.active.name} may have written "
            f"them in another history. {log.sentence}.",
            f"{stop_first(ctx.link, recorded)} Then discard what was received (RESET SLAVE), and plan again.",
            {"direction": Direction.FORWARD.value, "node": name},
        )
