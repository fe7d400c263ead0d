"""Channels that apply late on purpose (MASTER_DELAY): threads run, and no position or gap tells it."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.findings import Finding, Severity
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.plural import pluralize
from backend.core.topology import Direction

DELAYED = "channel_delayed"
_COLUMNS = ("SQL_Delay", "DESIRED_DELAY")
"""Of SHOW SLAVE STATUS, and of MySQL's table of channel settings."""


def delay_s(holder: ChannelHolder) -> int:
    """For how long its channel holds each transaction back, counted from its commit on the source."""
    options = holder.channel.options
    return int(next((options[name] for name in _COLUMNS if options.get(name)), "0"))


def delayed_channels(link: LinkFacts, severity: Severity = Severity.WARNING) -> Iterator[Finding]:
    """One for each channel of the link with a delay; whether it is meant no server tells."""
    for direction in Direction:
        for holder in link.countable_holders(direction):
            if delay_s(holder):
                yield _delayed(link, holder, delay_s(holder), severity)


def _delayed(link: LinkFacts, holder: ChannelHolder, seconds: int, severity: Severity) -> Finding:
    side, node = link.receiving_cluster(holder.direction).name, holder.replica.node
    word = "MASTER_DELAY" if "SQL_Delay" in holder.channel.options else "SOURCE_DELAY"
    return Finding(
        DELAYED,
        severity,
        f"The {holder.direction} channel on {node.name} holds each transaction back for "
        f"{pluralize(seconds, 'second')} ({word}={seconds}). {side} is behind by so much: a switchover would refuse "
        "writes for as long, and a failover waits for it or loses what was not applied.",
        f"Stop the channel's SQL thread on {node.name}, set {word}=0 by CHANGE MASTER, which keeps position and relay "
        "log, and start it. Set the delay again afterwards.",
        {"node": node.name, "node_id": node.id, "direction": holder.direction.value, "delay_s": seconds},
    )
