"""Frozen facts about servers, clusters and links, each with the time it was observed.

`None` always means *unknown*; an unknown fact never passes a check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from backend.core.positions import FilePosition, PositionError


class Direction(StrEnum):
    """Which way a channel carries transactions within a link."""

    FORWARD = "forward"
    REVERSE = "reverse"

    @property
    def other(self) -> Direction:
        """The opposite direction."""
        return Direction.REVERSE if self is Direction.FORWARD else Direction.FORWARD


class Reach(StrEnum):
    """How a node answered the last poll; *hung* is not *down*: it may still be writing."""

    UP = "up"
    DOWN = "down"
    HUNG = "hung"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class NodeRef:
    """A registered node: who it is and where it listens."""

    id: str
    name: str
    host: str
    port: int
    cluster_id: str

    @property
    def address(self) -> tuple[str, int]:
        """Host and port, as a channel names its source."""
        return self.host, self.port


ER_MASTER_FATAL_ERROR_READING_BINLOG = 1236
"""ER_MASTER_FATAL_ERROR_READING_BINLOG: what the replica asks for is not in the source's logs, or no longer."""
NODE_NOT_READY = 1047
"""WSREP has not yet prepared node: the SQL thread stops with it where its node is expelled (seen after a thaw)."""


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """One replication connection as its replica node reports it (SHOW ALL SLAVES STATUS).

    `options` holds every setting that must survive a move, under the server's own column
    names (TLS, delay, retry, heartbeat, filters, GTID mode).
    """

    name: str
    source_host: str
    source_port: int
    source_user: str
    io_running: str
    sql_running: str
    read_file: str
    read_offset: int
    relay_file: str
    relay_offset: int
    exec_file: str
    exec_offset: int
    lag_s: int | None
    io_errno: int
    io_error: str
    sql_errno: int
    sql_error: str
    using_gtid: str
    ignore_server_ids: tuple[int, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    sql_state: str = ""
    source_server_id: int | None = None

    @property
    def source_address(self) -> tuple[str, int]:
        """Host and port of the source it was told to follow."""
        return self.source_host, self.source_port

    @property
    def is_running(self) -> bool:
        """Whether any thread works or tries to: `Connecting` will apply as soon as it can."""
        return self.io_running != "No" or self.sql_running != "No"

    @property
    def is_refused_by_source(self) -> bool:
        """Whether its source said that it cannot go on from there: the place is purged or not in its logs."""
        return self.io_running != "Yes" and self.io_errno == ER_MASTER_FATAL_ERROR_READING_BINLOG

    @property
    def is_relay_drained(self) -> bool:
        """Whether everything read was also executed."""
        return (self.read_file, self.read_offset) == (self.exec_file, self.exec_offset)

    @property
    def is_applied_out(self) -> bool:
        """Whether the SQL thread has nothing left that it could apply.

        A source that died in the middle of a group leaves half of it in the relay log: read stays
        ahead of executed for ever, and the thread waits at the log's end.
        """
        waits = self.sql_running == "Yes" and self.sql_state.startswith("Slave has read all relay log")
        return self.is_relay_drained or (self.io_running != "Yes" and waits)

    @property
    def exec_position(self) -> FilePosition | None:
        """End of the last executed group, in the source's coordinates; None before the first."""
        return _position(self.exec_file, self.exec_offset)

    @property
    def read_position(self) -> FilePosition | None:
        """End of the last event read from the source, in the source's coordinates."""
        return _position(self.read_file, self.read_offset)


def _position(file: str, offset: int) -> FilePosition | None:
    try:
        return FilePosition(file, offset)
    except PositionError:
        return None


@dataclass(frozen=True, slots=True)
class WsrepFacts:
    """Galera's own status of a node."""

    cluster_status: str
    state: str
    local_state: int
    ready: bool
    connected: bool
    cluster_size: int
    state_uuid: str
    local_state_uuid: str
    last_committed: int
    conf_id: int
    recv_queue: int = 0
    flow_control_paused_ns: int = 0
    desync_count: int = 0


@dataclass(frozen=True, slots=True)
class BinlogFacts:
    """Where a node's binary log ends and what of it is retained (name, size in bytes)."""

    file: str
    offset: int
    files: tuple[tuple[str, int], ...] = ()

    @property
    def end(self) -> FilePosition:
        """Current end of the binlog, always the end of a group."""
        return FilePosition(self.file, self.offset)

    @property
    def first_file(self) -> str | None:
        """Oldest retained file; None where the list could not be read."""
        return self.files[0][0] if self.files else None


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """Everything one poll learnt of one node; `observed_at_s` is the console's Unix time."""

    node: NodeRef
    observed_at_s: float
    reach: Reach
    error: str = ""
    flavor: str | None = None
    version: str | None = None
    server_id: int | None = None
    hostname: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    wsrep: WsrepFacts | None = None
    channels: tuple[ChannelFacts, ...] | None = None
    binlog: BinlogFacts | None = None
    clock_offset_s: float | None = None
    uptime_s: int | None = None
    probe_ms: float | None = None

    @property
    def is_up(self) -> bool:
        """Whether the poll got its answers."""
        return self.reach is Reach.UP

    def variable(self, name: str) -> str | None:
        """A global variable as text, None where unknown."""
        return self.variables.get(name)

    def channel(self, name: str) -> ChannelFacts | None:
        """The connection of that name, None where absent or unknown."""
        return next((c for c in self.channels or () if c.name == name), None)


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """A registered cluster with the facts of its nodes.

    `recorded_state_uuid` is the incarnation seen at registration or acknowledged since;
    `known_server_ids` are all ids its nodes were ever seen with, so that a dead node's id
    still guards against loops.
    """

    id: str
    name: str
    site: str
    nodes: tuple[NodeFacts, ...]
    recorded_state_uuid: str | None
    known_server_ids: Mapping[str, int] = field(default_factory=dict)

    def node(self, node_id: str) -> NodeFacts:
        """Facts of one node; KeyError where it is not of this cluster."""
        for facts in self.nodes:
            if facts.node.id == node_id:
                return facts
        raise KeyError(node_id)

    def node_at(self, address: tuple[str, int]) -> NodeFacts | None:
        """The registered node listening at that address."""
        return next((n for n in self.nodes if n.node.address == address), None)

    @property
    def server_ids(self) -> tuple[int, ...]:
        """All server ids of this cluster, dead nodes' included, sorted."""
        live = {n.server_id for n in self.nodes if n.server_id is not None}
        return tuple(sorted(live | set(self.known_server_ids.values())))


@dataclass(frozen=True, slots=True)
class ChannelHolder:
    """A channel found on a node: `replica` runs it, `source` is the registered node it follows."""

    direction: Direction
    replica: NodeFacts
    source: NodeRef
    channel: ChannelFacts
    observed_live: bool = True


@dataclass(frozen=True, slots=True)
class RecordedChannel:
    """Where the console last saw a direction's channel, for when its replica node is gone.

    `left_on` names nodes (ids) it was moved away from that could not be cleaned yet: a server that
    comes back starts its old channel by itself, and that one never counts again. `waits_for_position`: its source's log
    began anew under it, so that its place is one of the log before.
    """

    direction: Direction
    replica_node_id: str
    source_node_id: str
    channel: ChannelFacts
    observed_at_s: float
    left_on: frozenset[str] = frozenset()
    waits_for_position: bool = False


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where two histories part: what the survivor had applied of the side that was lost.

    `applied_*` is in the lost side's own coordinates (of `source_node_id`); `seam` holds the content
    digests of the last groups of its stream that the survivor holds, oldest first. Counts are None
    where they are not known. Once `is_reconciled` the side may be a source again, within a reprotect: other plans
    wait until its channels are shown to carry.
    """

    lost_cluster_id: str
    survivor_cluster_id: str
    lost_state_uuid: str | None
    at_s: float
    run_id: str = ""
    source_node_id: str | None = None
    applied_file: str | None = None
    applied_offset: int | None = None
    applied_seqno: int | None = None
    applied_trailing: int = 0
    applied_gtid: str | None = None
    seam: tuple[str, ...] = ()
    last_seen_seqno: int | None = None
    last_seen_at_s: float | None = None
    lost_transactions: int | None = None
    lost_s: float | None = None
    detail: str = ""
    is_reconciled: bool = False


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """One link: both clusters, the connection name its channels use, and what was last recorded.

    `divergence` stands from a failover until the lost side is attached again.
    """

    id: str
    name: str
    active: ClusterFacts
    standby: ClusterFacts
    channel_name: str
    recorded: tuple[RecordedChannel, ...] = ()
    observed_at_s: float = 0.0
    divergence: Divergence | None = None
    home_cluster_id: str | None = None

    def source_cluster(self, direction: Direction) -> ClusterFacts:
        """Where a direction's transactions come from."""
        return self.active if direction is Direction.FORWARD else self.standby

    def receiving_cluster(self, direction: Direction) -> ClusterFacts:
        """Where a direction's transactions are applied."""
        return self.standby if direction is Direction.FORWARD else self.active

    def is_invalidated(self, direction: Direction) -> bool:
        """Whether that direction would come from a side that was lost and is not reconciled."""
        parted = self.divergence
        if parted is None or parted.is_reconciled:
            return False
        return parted.lost_cluster_id == self.source_cluster(direction).id

    def node(self, node_id: str) -> NodeFacts:
        """Facts of a node of either cluster; KeyError where it is of neither."""
        for cluster in (self.active, self.standby):
            for facts in cluster.nodes:
                if facts.node.id == node_id:
                    return facts
        raise KeyError(node_id)

    @property
    def nodes(self) -> tuple[NodeFacts, ...]:
        """All nodes of both clusters, active side first."""
        return self.active.nodes + self.standby.nodes

    def holders(self, direction: Direction) -> tuple[ChannelHolder, ...]:
        """Every channel of that direction configured on a node that could be read, running or not."""
        source = self.source_cluster(direction)
        found = []
        for facts in self.receiving_cluster(direction).nodes:
            for channel in facts.channels or ():
                from_node = source.node_at(channel.source_address)
                if from_node is not None:
                    found.append(ChannelHolder(direction, facts, from_node.node, channel))
        return tuple(found)

    def countable_holders(self, direction: Direction) -> tuple[ChannelHolder, ...]:
        """As `holders`, without nodes the channel was moved away from and that are still to be cleaned."""
        recorded = self.recorded_channel(direction)
        left_on = recorded.left_on - {recorded.replica_node_id} if recorded is not None else frozenset()
        return tuple(h for h in self.holders(direction) if h.replica.node.id not in left_on)

    def recorded_channel(self, direction: Direction) -> RecordedChannel | None:
        """The last known channel of that direction."""
        return next((r for r in self.recorded if r.direction is direction), None)
