"""The channels that already run between two clusters, by what their nodes report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from backend.core.connection_names import is_same_name
from backend.core.discovery.servers import DiscoveredChannel, DiscoveredServer

Side = Sequence[DiscoveredServer]


@dataclass(frozen=True, slots=True)
class FoundChannel:
    """A channel that exists."""

    component: ClassVar[str] = "DraftChannel"
    name: str
    from_first: bool  # it reads from the first cluster
    source_name: str  # empty where it reads from no node of the other cluster
    source_host: str
    source_port: int
    replica_name: str
    mode: str
    is_running: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class LinkFound:
    """`state`: `linked`, `one_way`, `not_linked`, `several` or `unknown`. `foreign` lead to no known node."""

    state: str
    sentence: str
    channels: tuple[FoundChannel, ...]
    foreign: tuple[FoundChannel, ...]
    channel_name: str | None


def link_found(first: Side, second: Side) -> LinkFound:
    """Existing channels of both directions. A server that does not tell its channels makes their absence unknown."""
    every = (*_held(second, first, from_first=True), *_held(first, second, from_first=False))
    channels = tuple(one for one in every if one.source_name)
    foreign = tuple(one for one in every if not one.source_name)
    unread = [one.shown for side in (first, second) for one in side if one.channels is None]
    counts = [sum(one.from_first is way for one in channels) for way in (True, False)]
    state = _state(counts, is_complete=bool(first and second) and not unread)
    return LinkFound(state, _sentence(state, channels, unread), channels, foreign, _name(state, channels))


def active_suggestion(first: Side, second: Side) -> int | None:
    """The side where applications seem to write: 0 or 1 where only that one is open to writes; None: unknown."""
    opened = [[one.variables.get("read_only", "").upper() for one in side if one.is_up] for side in (first, second)]
    writable = ["OFF" in side for side in opened]
    closed = [bool(side) and set(side) == {"ON"} for side in opened]
    return next((one for one in (0, 1) if writable[one] and closed[1 - one]), None)


def _held(replicas: Side, sources: Side, *, from_first: bool) -> Iterator[FoundChannel]:
    for replica in replicas:
        for channel in replica.channels or ():
            yield _found(channel, replica, _source(channel, sources), from_first=from_first)


def _source(channel: DiscoveredChannel, sources: Side) -> DiscoveredServer | None:
    """The node at the address that the channel names, else the only one with the server_id that it reads from."""
    at = next((one for one in sources if one.is_at(channel.source_host, channel.source_port)), None)
    if at is not None or not channel.source_server_id:
        return at
    same = [one for one in sources if one.server_id == channel.source_server_id]
    return same[0] if len(same) == 1 else None


def _found(
    channel: DiscoveredChannel, replica: DiscoveredServer, source: DiscoveredServer | None, *, from_first: bool
) -> FoundChannel:
    uses_gtid = channel.using_gtid.lower() != "no"
    mode = f"GTID ({channel.using_gtid})" if uses_gtid else f"position {channel.exec_file}:{channel.exec_offset}"
    is_running = (channel.io_running, channel.sql_running) == ("Yes", "Yes")
    name = f"The channel {channel.name}" if channel.name else "The default channel"
    address = f"{channel.source_host}:{channel.source_port}"
    where = f"{source.shown} as {address}" if source else f"{address}, which is no node of the other cluster"
    state = "runs" if is_running else f"does not run (IO {channel.io_running}, SQL {channel.sql_running})"
    sentence = f"{name} on {replica.shown} reads from {where}, by {mode}, and {state}."
    return FoundChannel(
        channel.name,
        from_first,
        source.shown if source else "",
        channel.source_host,
        channel.source_port,
        replica.shown,
        mode,
        is_running,
        sentence,
    )


def _state(counts: Sequence[int], *, is_complete: bool) -> str:
    if max(counts) > 1:
        return "several"
    if min(counts) == 1:
        return "linked"
    if not is_complete:
        return "unknown"
    return "one_way" if max(counts) == 1 else "not_linked"


def _sentence(state: str, channels: Sequence[FoundChannel], unread: Sequence[str]) -> str:
    if state == "unknown":
        return (
            f"It is unknown whether the clusters are linked: the channels of {', '.join(unread) or 'a cluster'} were "
            "not read."
        )
    if state == "several":
        return "A direction has more than one channel. Decide which one stays, and remove the other one first."
    if state == "not_linked":
        return "The clusters are not linked: no node of one reads from a node of the other."
    if state == "one_way":
        one = channels[0]
        return f"Only one direction has a channel: {one.replica_name} reads from {one.source_name}."
    names = {one.name for one in channels}
    if _name(state, channels) is None:
        return f"Both directions have a channel, with different names ({', '.join(sorted(names))}). A link has one."
    return "The clusters are linked: both directions have a channel."


def _name(state: str, channels: Sequence[FoundChannel]) -> str | None:
    """The connection name that both directions share; None where there is none, or they differ."""
    if state not in ("linked", "one_way"):
        return None
    names = [one.name for one in channels]
    return names[0] if all(is_same_name(names[0], name) for name in names) else None
