"""Who is at the other end of a channel: the address that it names proves nothing.

A forwarder, a virtual address or another name leads to a node as well, and then no node has the channel's address. The
server that answered there tells its server_id to the replica (`Master_Server_Id`, observed at each connect). A server
between, which reads the other side's log and passes it on, has an id of its own: its session stands at that side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from backend.core.dialects import quoting
from backend.core.facts.log_readers import ignores, relay_session, unread_logs
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.topology import ChannelFacts, ClusterFacts, Direction, NodeFacts, NodeRef


class End(StrEnum):
    """What a channel reads from that names no node of the other cluster.

    OUTSIDE: a server of neither cluster; REGISTERED: a node of a third cluster; RELAY: either, and it reads the log of
    the other side itself.
    """

    OTHER_SIDE = "other_side"
    OWN_SIDE = "own_side"
    OUTSIDE = "outside"
    REGISTERED = "registered"
    RELAY = "relay"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ForeignChannel:
    """A channel whose source address is that of no node of the other cluster."""

    replica: NodeFacts
    side: ClusterFacts
    other: ClusterFacts
    channel: ChannelFacts
    end: End
    source: NodeRef | None = None

    @property
    def is_unclear(self) -> bool:
        """Whether it may carry a direction of this link, or its own cluster's transactions a second time."""
        return self.end in (End.OTHER_SIDE, End.OWN_SIDE, End.RELAY, End.UNKNOWN)

    @property
    def may_be_relayed(self) -> bool:
        """Whether it is unknown if its source reads the other side's log, and nothing keeps that out."""
        is_outside = self.end in (End.OUTSIDE, End.REGISTERED)
        return is_outside and bool(unread_logs(self.other)) and not ignores(self.channel, self.other)

    @property
    def address(self) -> str:
        """Its source as it names it."""
        return f"{self.channel.source_host}:{self.channel.source_port}"

    @property
    def sentence(self) -> str:
        """Where it leads, and what answered there."""
        name = f" ({self.channel.name})" if self.channel.name else ""
        start = f"{self.replica.node.name} has a channel{name} from {self.address}, {self._whose}"
        return f"{start}. It {'runs' if self.channel.is_running else 'is stopped'}. {self._answered}"

    @property
    def _whose(self) -> str:
        if self.source is not None:
            return f"a node of a third cluster ({self.source.name})"
        return "which is the address of no registered node"

    @property
    def _answered(self) -> str:
        server_id = self.channel.source_server_id
        return {
            End.OTHER_SIDE: f"server_id {server_id} of {self.other.name} answers there.",
            End.OWN_SIDE: f"server_id {server_id} of {self.side.name} itself answers there.",
            End.UNKNOWN: "Which server answers there is unknown.",
            End.RELAY: self._relays,
        }.get(self.end, f"server_id {server_id} answers there, which is of neither cluster.")

    @property
    def _relays(self) -> str:
        session = relay_session(self.channel, self.other)
        where = "" if session is None else f" of {session[0].node.name} (session of {session[1].user})"
        return f"server_id {self.channel.source_server_id} answers there, and that host reads the binary log{where}."

    @property
    def removal(self) -> str:
        """The statements that remove it."""
        name = quoting.shown_channel(self.channel.name)
        return f"STOP SLAVE{name}; RESET SLAVE{name} ALL"


def foreign_channels(link: LinkFacts) -> tuple[ForeignChannel, ...]:
    """Every such channel on a node that could be read, running or not, whatever its connection name."""
    sides = ((link.active, link.standby), (link.standby, link.active))
    return tuple(one for side, other in sides for one in foreign_channels_of(side, other, link.elsewhere))


def unclear_channels(link: LinkFacts) -> tuple[ForeignChannel, ...]:
    """Those beside which no channel is created or started."""
    return tuple(one for one in foreign_channels(link) if one.is_unclear)


def may_be_carried(link: LinkFacts, direction: Direction) -> tuple[ForeignChannel, ...]:
    """Channels that may carry a direction although none of them names a node as its source."""
    receiving = link.receiving_cluster(direction)
    ends = (End.OTHER_SIDE, End.RELAY, End.UNKNOWN)
    return tuple(one for one in unclear_channels(link) if one.side.id == receiving.id and one.end in ends)


def hindrance(link: LinkFacts) -> str | None:
    """Why no channel may be created or started now; None where each one's other end is known."""
    unclear = unclear_channels(link)
    if unclear:
        one = unclear[0]
        return f"{one.replica.node.name} has a channel from {one.address}, which is no registered address."
    wrong = misdirected(link)
    if wrong:
        return f"Another server than {wrong[0].source.name} answers the channel of {wrong[0].replica.node.name}."
    return None


def foreign_channels_of(
    side: ClusterFacts, other: ClusterFacts, elsewhere: Iterable[NodeRef] = ()
) -> Iterator[ForeignChannel]:
    """Those of one side."""
    nodes = {node.address: node for node in elsewhere}
    for replica in side.nodes:
        for channel in replica.channels or ():
            if other.node_at(channel.source_address) is None:
                source = nodes.get(channel.source_address)
                yield ForeignChannel(replica, side, other, channel, _end(side, other, channel, source), source)


def _end(side: ClusterFacts, other: ClusterFacts, channel: ChannelFacts, source: NodeRef | None) -> End:
    if side.node_at(channel.source_address) is not None or channel.source_server_id in side.server_ids:
        return End.OWN_SIDE
    if channel.source_server_id in other.server_ids:
        return End.OTHER_SIDE
    if channel.source_server_id is None:
        return End.UNKNOWN
    if relay_session(channel, other) is not None:
        return End.RELAY
    return End.OUTSIDE if source is None else End.REGISTERED


def foreign_addresses(active: ClusterFacts, standby: ClusterFacts) -> frozenset[tuple[str, int]]:
    """The addresses that such channels name."""
    found = (*foreign_channels_of(active, standby), *foreign_channels_of(standby, active))
    return frozenset(one.channel.source_address for one in found)


def misdirected(link: LinkFacts) -> tuple[ChannelHolder, ...]:
    """Connected channels that name a node, and to which another server answers: a proxy, or an address translated.

    Its position is one in that server's log. What answered before the last connect tells nothing of now.
    """
    held = (holder for direction in Direction for holder in link.holders(direction))
    return tuple(holder for holder in held if _answers_another(holder, link.node(holder.source.id)))


def _answers_another(holder: ChannelHolder, source: NodeFacts) -> bool:
    seen = holder.channel.source_server_id
    is_connected = holder.channel.io_running == "Yes" and source.is_up
    return is_connected and None not in (seen, source.server_id) and seen != source.server_id
