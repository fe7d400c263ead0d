"""Who reads the binary logs of a side, as its process lists show it: a channel stands there however it leads there.

A session tells its account and the host that its connection comes from, which is that of a proxy where one is between.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from dataclasses import dataclass

from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.plural import pick, pluralize
from backend.core.topology import ChannelFacts, ClusterFacts, LogReader, NodeFacts


@dataclass(frozen=True, slots=True)
class UnseenReaders:
    """More sessions read the logs of `source` with the accounts of the link's channels than `channels` are known."""

    source: ClusterFacts
    receiving: ClusterFacts
    sessions: tuple[tuple[NodeFacts, LogReader], ...]
    channels: int


def relay_session(channel: ChannelFacts, other: ClusterFacts) -> tuple[NodeFacts, LogReader] | None:
    """A session by which a channel's source, a server of neither side, reads the other side's log itself.

    What it reads there it may log and pass on. A loopback address is another machine on each host and proves nothing.
    """
    if _is_loopback(channel.source_host) or ignores(channel, other):
        return None
    found = ((node, reader) for node in other.nodes for reader in node.log_readers or ())
    return next((one for one in found if _is_same_host(one[1].host, channel.source_host)), None)


def ignores(channel: ChannelFacts, other: ClusterFacts) -> bool:
    """Whether nothing that the other side logged first comes by this channel, whoever passes it on."""
    return bool(other.server_ids) and set(other.server_ids) <= set(channel.ignore_server_ids)


def unread_logs(other: ClusterFacts) -> tuple[NodeFacts, ...]:
    """Nodes that respond and do not tell who reads their logs."""
    return tuple(node for node in other.nodes if node.is_up and node.log_readers is None)


def unseen_readers(link: LinkFacts) -> tuple[UnseenReaders, ...]:
    """Of each side whose logs are read by more sessions than channels are known."""
    sides = ((link.active, link.standby), (link.standby, link.active))
    found = (_readers_of(link, source, receiving) for source, receiving in sides)
    return tuple(one for one in found if len(one.sessions) > one.channels)


def _readers_of(link: LinkFacts, source: ClusterFacts, receiving: ClusterFacts) -> UnseenReaders:
    accounts = _accounts(link, source, receiving)
    sessions = tuple(
        (node, reader)
        for node in source.nodes
        if node.is_up
        for reader in node.log_readers or ()
        if reader.user in accounts
    )
    known = sum(_may_read_from(channel, source) for node in link.nodes for channel in node.channels or ())
    known += sum(_stands_unseen(link, source, one.source_node_id, one.replica_node_id) for one in link.recorded)
    return UnseenReaders(source, receiving, sessions, known + link.channels_elsewhere.get(source.id, 0))


def _accounts(link: LinkFacts, source: ClusterFacts, receiving: ClusterFacts) -> set[str]:
    channels = [channel for node in receiving.nodes for channel in node.channels or ()]
    named = {channel.source_user for channel in channels if source.node_at(channel.source_address) is not None}
    of_record = {one.channel.source_user for one in link.recorded if _is_of(source, one.source_node_id)}
    return (named | of_record) - {""}


def _may_read_from(channel: ChannelFacts, source: ClusterFacts) -> bool:
    """Whether a session there may be this channel's; one that connects just now may be."""
    leads_there = source.node_at(channel.source_address) is not None
    is_known = channel.source_server_id is not None
    answered = not is_known or channel.source_server_id in source.server_ids
    return channel.io_running != "No" and (leads_there or answered)


def _stands_unseen(link: LinkFacts, source: ClusterFacts, source_id: str, replica_id: str) -> bool:
    """Whether a recorded channel may stand there whose node does not tell."""
    return _is_of(source, source_id) and link.node(replica_id).channels is None


def _is_of(cluster: ClusterFacts, node_id: str) -> bool:
    return any(node.node.id == node_id for node in cluster.nodes)


def unseen_finding(one: UnseenReaders) -> Finding:
    """A node, a relay or a backup that the console does not see may carry the direction a second time."""
    more = len(one.sessions) - one.channels
    places = Counter((node.node.name, reader.user, reader.host) for node, reader in one.sessions)
    shown = "; ".join(f"{name}: {user} from {host}" + _times(n) for (name, user, host), n in sorted(places.items()))
    return Finding(
        "log_reader_unseen",
        Severity.WARNING,
        f"{pluralize(len(one.sessions), 'session')} of the channels' accounts "
        f"{pick(len(one.sessions), 'reads', 'read')} the binary logs of {one.source.name}, and "
        f"{pluralize(one.channels, 'channel')} from there {pick(one.channels, 'is', 'are')} known ({shown}). "
        f"If a server of {one.receiving.name} or one that feeds it reads there, transactions arrive twice.",
        f"Find out who connects from there. If it belongs to {one.receiving.name}, register that node or remove its "
        "channel. Give every other reader an account of its own. A session whose reader is gone ends by itself.",
        {
            "cluster_id": one.source.id,
            "unseen": more,
            "channels": one.channels,
            "sessions": [
                {"node": node.node.name, "user": reader.user, "host": reader.host} for node, reader in one.sessions
            ],
        },
    )


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""


def _is_same_host(one: str, other: str) -> bool:
    return one.casefold().rstrip(".") == other.casefold().rstrip(".")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold().rstrip(".") == "localhost"
