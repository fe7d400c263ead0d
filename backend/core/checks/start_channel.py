"""Checks of starting a channel at its position: is it the current channel, and would it run?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.auto_position import guards_by_gtid
from backend.core.checks.channels import is_relay_log_unreadable, unread_channels, unreadable_relay_log
from backend.core.checks.context import CheckContext, Move
from backend.core.checks.reading import reading_findings
from backend.core.facts.origin_findings import incomplete_guard_finding
from backend.core.facts.origins import loop_guard
from backend.core.findings import Finding, Severity
from backend.core.topology import PASSING_ERRORS, ChannelFacts

RELOCATE = "Relocate the link: this proves the position again and points the channel at it."


def check_channel_stands(ctx: CheckContext) -> Iterator[Finding]:
    """At least one current channel, on a node that responds, has a stopped thread."""
    if not any(move.holder is not None for move in ctx.moves):
        yield Finding(
            "nothing_to_start",
            Severity.BLOCKER,
            "No node that responds has a stopped channel of this link.",
            "If both channels run, do nothing. If a node is down, relocate the link.",
        )


def check_start_may_go_on(ctx: CheckContext) -> Iterator[Finding]:
    """The next start meets an error of the source or of the data again."""
    for move in ctx.moves:
        channel = move.channel
        if channel is None or move.holder is None:
            continue
        yield from reading_findings(ctx, move, has_new_position=False)
        if is_relay_log_unreadable(channel):
            yield Finding(
                "relay_log_unreadable",
                Severity.BLOCKER,
                unreadable_relay_log(move),
                "Relocate the link. Check the disk of the replica.",
                {"errno": channel.sql_errno, "direction": move.direction.value},
            )
        elif channel.sql_errno not in PASSING_ERRORS:
            yield _data_error(ctx, move, channel)


def _data_error(ctx: CheckContext, move: Move, channel: ChannelFacts) -> Finding:
    """The start retries the transaction: it skips nothing, and it fails again while the cause persists."""
    facts = {"errno": channel.sql_errno, "direction": move.direction.value}
    sentence = f"The {move.direction} channel stopped with error {channel.sql_errno}: {channel.sql_error[:300]}"
    if ctx.attested_error_over:
        return Finding(
            "transaction_mended_attested",
            Severity.WARNING,
            f"{sentence}. An operator attested that its cause is fixed. The start retries that transaction.",
            facts=facts,
        )
    return Finding(
        "transaction_would_fail_again",
        Severity.BLOCKER,
        sentence,
        f"Fix the row on each node of the cluster of {move.replica.node.name}, in a session with wsrep_on=OFF and "
        "sql_log_bin=0. Then attest that the cause is fixed. Or relocate the link: the plan shows whether the "
        "transaction was applied before. Never skip the transaction.",
        {**facts, "option": "attest_error_over"},
    )


def check_channel_is_alone(ctx: CheckContext) -> Iterator[Finding]:
    """A channel is not started beside another channel of its direction, running or not."""
    for move in ctx.moves:
        for stray in move.strays:
            doing = "runs" if stray.channel.is_running else "has"
            yield Finding(
                "second_channel",
                Severity.BLOCKER,
                f"{stray.replica.node.name} also {doing} a {move.direction} channel, from {stray.source.name}.",
                f"Remove the stray channel on {stray.replica.node.name} first (plan kind remove_stray_channel).",
                {"node": stray.replica.node.name, "source": stray.source.name},
            )
        yield from unread_channels(ctx, move)


def check_loop_guard_is_whole(ctx: CheckContext) -> Iterator[Finding]:
    """A node that joined later has a server_id that the channel does not ignore: its writes would return to it."""
    for move in ctx.moves:
        channel = move.channel
        if channel is None or channel.options.get("Replicate_Ignore_Domain_Ids") or guards_by_gtid(move.replica):
            continue
        guard = loop_guard(ctx.link, move.direction)
        missing = guard.missing(move.replica)
        if missing:
            yield incomplete_guard_finding(guard, missing)
