"""The input of every check: the facts of one link, and the pair of nodes that will hold the channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from backend.core.facts.activity import NodeActivity
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.topology import ChannelFacts, ClusterFacts, Direction, EventsByNode, NodeFacts

FACTS_LIMIT_S = 10.0
"""Facts older than this decide nothing."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The two nodes that will hold both channels: one in the active, one in the standby cluster."""

    active_node_id: str
    standby_node_id: str


@dataclass(frozen=True, slots=True)
class Move:
    """One direction of the planned move, with its current channel.

    `holder` is the channel found on a node that responded; `channel` is the same one, or the channel as last recorded
    where its node is down. `strays` are further channels of the same direction.
    """

    direction: Direction
    source: NodeFacts
    replica: NodeFacts
    holder: ChannelHolder | None
    channel: ChannelFacts | None
    old_source_id: str | None
    old_replica_id: str | None
    strays: tuple[ChannelHolder, ...] = ()
    is_old_source_up: bool = True


@dataclass(frozen=True, slots=True)
class CheckContext:
    """Everything a check may use.

    `activity`, `may_reject` and `may_set_semi_sync`, by node id, and `replication_logins` were read by queries of their
    own; so were `events`, a lost side's as last read, and `event_lacks`: by node and event the privileges that the
    operator account lacks to alter it. `events_choice` is empty where nothing was chosen.
    """

    link: LinkFacts
    moves: tuple[Move, ...]
    now_s: float
    attested_fenced: frozenset[str] = frozenset()
    attested_path: bool = False
    attested_error_over: bool = False
    attested_origins: bool = False
    replication_logins: Mapping[str, str | None] = field(default_factory=dict)
    unfinished_run_id: str | None = None
    requires_approval: bool = False
    attested_accounts: bool = False
    accepts_loss: bool = False
    overrides_partition: bool = False
    allows_long_transactions: bool = False
    rejects_queries: bool = False
    activity: Mapping[str, NodeActivity] = field(default_factory=dict)
    may_reject: Mapping[str, bool] = field(default_factory=dict)
    may_set_semi_sync: Mapping[str, bool] = field(default_factory=dict)
    events: EventsByNode = field(default_factory=dict)
    event_lacks: Mapping[str, Mapping[tuple[str, str], tuple[str, ...]]] = field(default_factory=dict)
    events_choice: str = ""
    focus: tuple[NodeFacts, ...] = ()

    @property
    def subjects(self) -> tuple[NodeFacts, ...]:
        """The nodes that the plan uses: the pair, or in a failover only the survivor's."""
        return self.focus or self.pair

    @property
    def pair(self) -> tuple[NodeFacts, NodeFacts]:
        """The new nodes, active side first."""
        return self.forward.source, self.forward.replica

    @property
    def forward(self) -> Move:
        """The direction whose source is the active side."""
        return next(move for move in self.moves if move.direction is Direction.FORWARD)

    @property
    def clusters(self) -> tuple[ClusterFacts, ClusterFacts]:
        """Both clusters, active side first."""
        return self.link.active, self.link.standby

    def cluster_of(self, node: NodeFacts) -> ClusterFacts:
        """The cluster a node belongs to."""
        active, standby = self.clusters
        return active if node.node.cluster_id == active.id else standby

    def side(self, name: str) -> ClusterFacts:
        """The cluster of a role as options name it: active or standby."""
        return self.link.active if name == "active" else self.link.standby
