"""Checks of whose transactions stand in the logs, and of who is at the other end of every channel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from backend.core.checks.auto_position import guards_by_gtid
from backend.core.checks.context import CheckContext
from backend.core.facts.channel_ends import foreign_channels, misdirected, unclear_channels
from backend.core.facts.log_readers import unseen_finding, unseen_readers
from backend.core.facts.origin_findings import (
    differing_ids_finding,
    foreign_channel_finding,
    foreign_origin_finding,
    ignored_source_finding,
    misdirected_finding,
    switched_findings,
    undecided_finding,
    unread_finding,
    unread_readers_finding,
)
from backend.core.facts.origins import Way, loop_guard, nodes_under_different_ids
from backend.core.findings import Finding, Severity


def check_origins(ctx: CheckContext) -> Iterator[Finding]:
    """Of every server_id in the logs of a side that gets a channel it is known by which way it comes there."""
    for move in ctx.moves:
        if guards_by_gtid(move.replica):
            continue
        guard = loop_guard(ctx.link, move.direction)
        unread = unread_finding(guard)
        yield from [unread] if unread else ()
        if guard.of_source:
            yield ignored_source_finding(guard, ctx.link.source_cluster(move.direction))
        for one in guard.foreign:
            if one.way is not Way.UNKNOWN:
                yield foreign_origin_finding(guard, one)
            else:
                yield undecided_finding(guard, one, is_attested=ctx.attested_origins)
    for cluster in ctx.clusters:
        names = nodes_under_different_ids(cluster)
        yield from [differing_ids_finding(cluster, names)] if names else ()


def check_channel_ends(ctx: CheckContext) -> Iterator[Finding]:
    """No channel of either side leads to the other by an address that no node has, and each node answers as itself.

    Nor does one by a server between. Sessions at the sources for which no channel is known are named.
    """
    yield from map(foreign_channel_finding, unclear_channels(ctx.link))
    yield from (misdirected_finding(one, ctx.link.node(one.source.id)) for one in misdirected(ctx.link))
    yield from (unread_readers_finding(one) for one in foreign_channels(ctx.link) if one.may_be_relayed)
    yield from map(unseen_finding, unseen_readers(ctx.link))
    yield from switched_findings(ctx.link)


def check_no_foreign_channel(ctx: CheckContext) -> Iterator[Finding]:
    """A new link begins beside no channel whose source is not registered, whatever its connection name."""
    channels = (one for one in foreign_channels(ctx.link) if one.source is None)
    yield from (foreign_channel_finding(one, refuses=True) for one in channels)


def check_channels_of_survivor(ctx: CheckContext) -> Iterator[Finding]:
    """A channel by a virtual address goes on when the lost side returns, and applies what that side wrote alone.

    It does not refuse a failover: its relay log may hold the last transactions, and removing it discards them.
    """
    survivor, lost = ctx.link.standby, ctx.link.active
    for one in unclear_channels(ctx.link):
        if one.side.id == survivor.id:
            yield replace(
                foreign_channel_finding(one),
                severity=Severity.WARNING,
                remedy=f"Let it apply what it has read: that cannot be read again. Then remove it on "
                f"{one.replica.node.name} ({one.removal}) before {lost.name} returns: it would apply what {lost.name} "
                "wrote alone.",
            )
