"""Frozen facts about a link between two clusters: its channels, what was last recorded of them, and a divergence."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.topology import ChannelFacts, ClusterFacts, Direction, NodeFacts, NodeRef


@dataclass(frozen=True, slots=True)
class ChannelHolder:
    """A channel found on a node: `replica` holds it, `source` is the registered node it replicates from."""

    direction: Direction
    replica: NodeFacts
    source: NodeRef
    channel: ChannelFacts
    observed_live: bool = True


@dataclass(frozen=True, slots=True)
class RecordedChannel:
    """Where the console last observed a direction's channel, for when its replica node is down.

    `left_on` names nodes (ids) that it was moved away from and that could not be cleaned up yet: a server that returns
    starts its old channel automatically, and that one is never the current one again. `waits_for_position`: its
    source's log was reset, so its position is one of the previous log.
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
    """The divergence point of two clusters: what the survivor had applied of the lost side.

    `lost_transactions` were observed on the lost side and are not on the survivor, counted once its relay log was
    applied to the end; `planned_lost_transactions` is the bound that the plan stated before (older records hold that
    bound in `lost_transactions`).
    `applied_*` is a position in the lost side's own log (of `source_node_id`); `seam` holds the content digests of the
    last groups of its stream that the survivor holds, oldest first. Counts are None where they are unknown. Once
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
    last_seen_seqno: int | None = None
    last_seen_at_s: float | None = None
    lost_transactions: int | None = None
    planned_lost_transactions: int | None = None
    lost_s: float | None = None
    detail: str = ""
    is_reconciled: bool = False
    fences_on_return: bool = False


@dataclass(frozen=True, slots=True)
class SideFence:
    """The run that last set a side read-only, and when one of its nodes was first seen writable since (Unix times)."""

    cluster_id: str
    run_id: str
    kind: str
    fenced_at_s: float
    opened_at_s: float | None = None


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """One link: both clusters, the connection name its channels use, and what was last recorded.

    `divergence` is set from a failover until the lost side is attached again. `elsewhere`: nodes of other clusters that
    channels of its nodes read from. `fences`: of sides that a run fenced.
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
