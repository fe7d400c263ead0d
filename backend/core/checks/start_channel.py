"""Checks of starting a channel where it stands: is it ours to start, and would it run?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.channels import unread_channels
from backend.core.checks.context import CheckContext, Move
from backend.core.findings import Finding, Severity
from backend.core.topology import PASSING_ERRORS, ChannelFacts

RELOCATE = "Relocate the link: it proves the place anew and points the channel at it."


def check_channel_stands(ctx: CheckContext) -> Iterator[Finding]:
    """There is a channel that counts, seen on a node that answers, with a thread that stands."""
    if not any(move.holder is not None for move in ctx.moves):
        yield Finding(
            "nothing_to_start",
            Severity.BLOCKER,
            "No channel of this link stands on a node that answers: each runs, or its node is not seen.",
            "Nothing to do where both channels run; where a node is gone, relocate the link.",
        )


def check_start_may_go_on(ctx: CheckContext) -> Iterator[Finding]:
    """An error of the source or of the data is met again by the next start."""
    for move in ctx.moves:
        channel = move.channel
        if channel is None:
            continue
        facts = {"direction": move.direction.value, "errno": channel.sql_errno or channel.io_errno}
        if channel.is_refused_by_source:
            yield Finding(
                "place_not_in_source_logs",
                Severity.BLOCKER,
                f"{move.source.node.name} does not have the place of the {move.direction} channel any more: "
                f"{channel.io_error[:300]}",
                RELOCATE,
                facts,
            )
        elif channel.sql_errno not in PASSING_ERRORS:
            yield _data_error(ctx, move, channel)
        elif channel.io_running == "No" and channel.io_errno:
            yield Finding(
                "reading_stopped_on_an_error",
                Severity.WARNING,
                f"{move.replica.node.name} stopped reading on error {channel.io_errno}: {channel.io_error[:300]}. "
                "Where its cause lasts, the start fails, and nothing else changes.",
                facts=facts,
            )


def _data_error(ctx: CheckContext, move: Move, channel: ChannelFacts) -> Finding:
    """The transaction is tried again: nothing is skipped, and nothing is won where its cause lasts."""
    facts = {"errno": channel.sql_errno, "direction": move.direction.value}
    sentence = f"The {move.direction} channel stopped on error {channel.sql_errno}: {channel.sql_error[:300]}"
    if ctx.attested_error_over:
        return Finding(
            "transaction_mended_attested",
            Severity.WARNING,
            f"{sentence}; a person attests that its cause is gone. The start tries that transaction again.",
            facts=facts,
        )
    return Finding(
        "transaction_would_fail_again",
        Severity.BLOCKER,
        sentence,
        f"Mend the row under {move.replica.node.name}, in a session with sql_log_bin=0 on the node whose log the other "
        "direction reads, then attest that the cause is gone; or relocate the link, which tells whether the "
        "transaction was applied before. Never skip it.",
        {**facts, "option": "attest_error_over"},
    )


def check_channel_is_alone(ctx: CheckContext) -> Iterator[Finding]:
    """Nothing is started beside another channel of its direction, be that one running or not."""
    for move in ctx.moves:
        for stray in move.strays:
            doing = "runs" if stray.channel.is_running else "still has"
            yield Finding(
                "second_channel",
                Severity.BLOCKER,
                f"{stray.replica.node.name} also {doing} a {move.direction} channel, from {stray.source.name}.",
                f"Remove the old channel on {stray.replica.node.name} first (plan kind remove_stray_channel).",
                {"node": stray.replica.node.name, "source": stray.source.name},
            )
        yield from unread_channels(ctx, move)


def check_loop_guard_is_whole(ctx: CheckContext) -> Iterator[Finding]:
    """A node that joined since has an id that the standing channel lets through: its writes would come home."""
    for move in ctx.moves:
        channel = move.channel
        if channel is None or channel.options.get("Replicate_Ignore_Domain_Ids"):
            continue
        own = set(ctx.link.receiving_cluster(move.direction).server_ids) - {move.replica.server_id}
        missing = sorted(own - set(channel.ignore_server_ids))
        if missing:
            yield Finding(
                "loop_guard_incomplete",
                Severity.BLOCKER,
                f"The {move.direction} channel does not ignore server_id {', '.join(map(str, missing))} of its own "
                "cluster: those transactions would come home and be applied again.",
                "Relocate the link onto the same nodes: it states the whole list.",
                {"missing": missing, "direction": move.direction.value},
            )
