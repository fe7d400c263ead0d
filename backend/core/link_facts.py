"""Frozen facts about a link between two clusters: its channels, what was last recorded of them, and a divergence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.stream_account import StreamAccount, Unaccounted
from backend.core.topology import ChannelFacts, ClusterFacts, Direction, EventsByNode, NodeFacts, NodeRef


@dataclass(frozen=True, slots=True)
class ChannelHolder:
    """A channel found on a node: `replica` holds it, `source` is the registered node it replicates from."""

    direction: Direction
    replica: NodeFacts
    source: NodeRef
    channel: ChannelFacts
    observed_live: bool = True


@dataclass(frozen=True, slots=True)
class LogRecord:
    """What a node's binary log held when it was last read, by which another log of the same name is known.

    `created_s`: when the server began the file, by its own clock. `event_offset` is where the last event of the newest
    numbered transaction begins, None where the file holds none yet; `seqno` is the highest seqno seen under the state
    UUID. `started_at_s`: the start of the server (Unix time) since which the log is known to be the same one.
    `unread_since_s`: since when it has to be compared and could not be read.
    """

    state_uuid: str
    seqno: int
    file: str
    created_s: int
    event_offset: int | None
    end_offset: int
    xid: int | None
    server_id: int | None
    started_at_s: float
    observed_at_s: float
    unread_since_s: float | None = None

    @property
    def place(self) -> FilePosition:
        """Where to read what has to stand there still: the last event, or the file's first one."""
        return FilePosition(self.file, self.event_offset or FIRST_EVENT_OFFSET)

    @property
    def end(self) -> FilePosition:
        """How far the log was known."""
        return FilePosition(self.file, self.end_offset)


@dataclass(frozen=True, slots=True)
class LogBreak:
    """Why it is not proven that a channel reads on in the log that it has read so far.

    `seam_seqno`: a transaction under `state_uuid` that the receiving side is known to have applied before, and
    `seam_at_s` when it was seen, by the clock of its node; None where no sample tells.
    """

    code: str
    sentence: str
    found_at_s: float
    state_uuid: str = ""
    seam_seqno: int | None = None
    seam_at_s: float | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordedChannel:
    """Where the console last observed a direction's channel, for when its replica node is down.

    `left_on` names nodes (ids) that it was moved away from and that could not be cleaned up yet: a server that returns
    starts its old channel automatically, and that one is never the current one again. `waits_for_position`: its
    source's log was reset, so its position is one of the previous log. `log`: what its source's log held; `log_break`:
    why it is not proven that the source still has the log that the channel has read. `cert_failures`: what its replica
    counted when it last applied, at `applied_at_s`. `account`: which transactions of its stream stand on both sides.
    """

    direction: Direction
    replica_node_id: str
    source_node_id: str
    channel: ChannelFacts
    observed_at_s: float
    left_on: frozenset[str] = frozenset()
    waits_for_position: bool = False
    log: LogRecord | None = None
    log_break: LogBreak | None = None
    cert_failures: int | None = None
    applied_at_s: float | None = None
    account: StreamAccount = field(default_factory=StreamAccount)

    @property
    def is_of_another_log(self) -> bool:
        """Whether its position may be one of a log that its source does not have any more."""
        return self.waits_for_position or self.log_break is not None


@dataclass(frozen=True, slots=True)
class Divergence:
    """The divergence point of two clusters: what the survivor had applied of the lost side.

    `lost_transactions` were read on the lost side until `last_seen_at_s` and are not on the survivor, counted once its
    relay log was applied to the end: a lower bound, as the side may have written more. `planned_lost_transactions` is
    the count before that (older records hold it in `lost_transactions`). `orphaned` is what a scan of the returned side
    found, exactly, and `outcome` what a reprotect did with that (`core.orphans.outcome`).
    `applied_*` is a position in the lost side's own log (of `source_node_id`); `seam` holds the content digests of the
    last groups of its stream that the survivor holds, oldest first; the lost side's log has those `passed_over` among
    them. Counts are None where they are unknown. Once
    `is_reconciled` the side may be a source again, within a reprotect: other plans wait until its channels are proven
    to replicate. `fences_on_return`: the failover's plan stated, and an operator confirmed, that nodes of the lost side
    are fenced as they return.
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
    passed_over: tuple[Unaccounted, ...] = ()
    last_seen_seqno: int | None = None
    last_seen_at_s: float | None = None
    lost_transactions: int | None = None
    planned_lost_transactions: int | None = None
    lost_s: float | None = None
    detail: str = ""
    is_reconciled: bool = False
    fences_on_return: bool = False
    orphaned: int | None = None
    orphans_read_at_s: float | None = None
    outcome: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SideFence:
    """The run that last set a side read-only, and when one of its nodes was first seen writable since (Unix times)."""

    cluster_id: str
    run_id: str
    kind: str
    fenced_at_s: float
    opened_at_s: float | None = None


@dataclass(frozen=True, slots=True)
class UnsafePeriod:
    """A time in which a node had a setting with which rows come to differ unseen (Unix times).

    `node` is its name then. `until_s` is None while it has the setting, as far as is known.
    """

    node_id: str
    node: str
    variable: str
    value: str
    since_s: float
    until_s: float | None = None


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """One link: both clusters, the connection name its channels use, and what was last recorded.

    `divergence` is set from a failover until the lost side is attached again. `elsewhere`: nodes of other clusters that
    channels of its nodes read from. `fences`: of sides that a run fenced. `events` are those of the nodes that were
    read lately, of a node that is down as last read.
    `writes_on_both_sides`: as registered, applications write on the standby side, too. `channels_elsewhere`: how many
    channels of other registered clusters read from a side, by its id; read where more sessions than channels are seen.
    `other_breaks`: of channels from addresses of no node of the other side, by node id and channel name.
    `unsafe_periods`: those that nobody settled. `unsafe_in_logs`: settings of sessions, with their values, by node id
    and variable, as the nodes' logs showed them lately. `proven_within_s`: how long ago the account of a stream may
    have last stood.
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
    elsewhere: tuple[NodeRef, ...] = ()
    fences: tuple[SideFence, ...] = ()
    writes_on_both_sides: bool = False
    events: EventsByNode = field(default_factory=dict)
    channels_elsewhere: Mapping[str, int] = field(default_factory=dict)
    other_breaks: Mapping[tuple[str, str], LogBreak] = field(default_factory=dict)
    unsafe_periods: tuple[UnsafePeriod, ...] = ()
    unsafe_in_logs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    proven_within_s: float = 60.0

    def source_cluster(self, direction: Direction) -> ClusterFacts:
        """The cluster that a direction's transactions come from."""
        return self.active if direction is Direction.FORWARD else self.standby

    def receiving_cluster(self, direction: Direction) -> ClusterFacts:
        """The cluster that applies a direction's transactions."""
        return self.standby if direction is Direction.FORWARD else self.active

    def is_invalidated(self, direction: Direction) -> bool:
        """Whether that direction would replicate from a lost side that is not reconciled."""
        divergence = self.divergence
        if divergence is None or divergence.is_reconciled:
            return False
        return divergence.lost_cluster_id == self.source_cluster(direction).id

    def fence_of(self, cluster_id: str) -> SideFence | None:
        """The run that last fenced that side; None where none did."""
        return next((fence for fence in self.fences if fence.cluster_id == cluster_id), None)

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
        """As `holders`, without nodes that the channel was moved away from and that are still to be cleaned up."""
        recorded = self.recorded_channel(direction)
        left_on = recorded.left_on - {recorded.replica_node_id} if recorded is not None else frozenset()
        return tuple(h for h in self.holders(direction) if h.replica.node.id not in left_on)

    def recorded_channel(self, direction: Direction) -> RecordedChannel | None:
        """The last known channel of that direction."""
        return next((r for r in self.recorded if r.direction is direction), None)
