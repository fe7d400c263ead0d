"""Every transaction ever written, followed one by one: what got across, what a loss was stated for."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.fakes.cluster import FakeCluster
from tests.fakes.world import FakeWorld
from tests.sim.orphans import rows_of, write_rows


@dataclass(slots=True)
class Ledger:
    """`settled`: transactions of a lost side that were stated lost, undone or replayed."""

    world: FakeWorld
    resolved: set[int] = field(default_factory=set)

    def written(self, side: FakeCluster) -> list[int]:
        """What that side wrote of its own and still owes or has delivered, in order."""
        ids = side.server_ids
        return [
            e.txn.uid
            for e in side.history
            if e.txn.server_id in ids and not e.txn.is_local and e.txn.uid not in self.resolved
        ]

    def received(self, side: FakeCluster) -> list[int]:
        """What the other side holds of it, in its order."""
        ids, other = side.server_ids, self.world.b if side is self.world.a else self.world.a
        return [e.txn.uid for e in other.history if e.txn.server_id in ids and not e.txn.is_local]

    def missing(self, side: FakeCluster) -> list[int]:
        """Written there and not here yet."""
        got = set(self.received(side))
        return [uid for uid in self.written(side) if uid not in got]

    def record_divergence(self, lost_id: str) -> None:
        """A failover was recorded: the rows of what is missing stand on the lost side alone."""
        side = next(c for c in (self.world.a, self.world.b) if c.id == lost_id)
        write_rows(self.world, side, self.missing(side))

    def resolve(self, side: FakeCluster, uids: list[int]) -> None:
        """They were dealt with."""
        self.resolved |= set(uids)

    def rows(self, side: FakeCluster) -> list[int]:
        """Orphans whose rows stand there."""
        return rows_of(self.world, side)
