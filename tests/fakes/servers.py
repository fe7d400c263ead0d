"""The servers of both clusters, which side is active by the record, and what each side wrote and received."""

from __future__ import annotations

from dataclasses import dataclass, field

from backend.core.topology import Direction
from tests.fakes.clock import FakeClock
from tests.fakes.cluster import FakeCluster, FakeNode


@dataclass(slots=True)
class FakeServers:
    """Two clusters of three nodes under one clock. `is_turned`: b is the active side."""

    has_gtid_mode: bool = False
    has_gtid_channels: bool = False
    clock: FakeClock = field(default_factory=FakeClock)
    is_turned: bool = False
    a: FakeCluster = field(init=False)
    b: FakeCluster = field(init=False)

    def __post_init__(self) -> None:
        mode, one_id = self.has_gtid_mode or self.has_gtid_channels, self.has_gtid_channels
        self.a = FakeCluster("a", "10.0.1", 10, first_seqno=100, has_gtid_mode=mode, is_one_server_id=one_id)
        self.b = FakeCluster("b", "10.0.2", 20, first_seqno=5_000, has_gtid_mode=mode, is_one_server_id=one_id)

    @property
    def nodes(self) -> list[FakeNode]:
        """All six."""
        return self.a.nodes + self.b.nodes

    def node(self, key: str) -> FakeNode:
        """By name or id."""
        return next(n for n in self.nodes if key in (n.name, n.ref.id))

    def cluster_of(self, node: FakeNode) -> FakeCluster:
        """Its cluster."""
        return self.a if node in self.a.nodes else self.b

    def opposite(self, node: FakeNode) -> FakeCluster:
        """The cluster it is not of."""
        return self.b if node in self.a.nodes else self.a

    @property
    def active(self) -> FakeCluster:
        """The side that accepts writes, by the console's record."""
        return self.b if self.is_turned else self.a

    @property
    def standby(self) -> FakeCluster:
        """The other side."""
        return self.a if self.is_turned else self.b

    def source_cluster(self, direction: Direction) -> FakeCluster:
        """Where that direction comes from."""
        return self.active if direction is Direction.FORWARD else self.standby

    def receiving_cluster(self, direction: Direction) -> FakeCluster:
        """Where that direction goes to."""
        return self.standby if direction is Direction.FORWARD else self.active

    def stream(self, direction: Direction) -> list[int]:
        """Transactions written in a direction's source cluster, in order (node-local ones left out)."""
        source = self.source_cluster(direction)
        return [e.txn.uid for e in source.history if e.txn.server_id in source.server_ids]

    def received(self, direction: Direction) -> list[int]:
        """Those of them the receiving cluster holds, in its order."""
        source, history = self.source_cluster(direction), self.receiving_cluster(direction).history
        ids, written = source.server_ids, source.uids
        return [e.txn.uid for e in history if e.txn.server_id in ids and e.txn.uid in written]
