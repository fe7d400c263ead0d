"""What the sides of a `FakeWorld` hold: one table, whose checksum is that of all transactions in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.equal_data.contents import SideContents, TableContents
from backend.core.ports import NodeError
from tests.fakes.world import FakeWorld

DEFINITION = "CREATE TABLE `orders` (`id` int(11) NOT NULL)"


@dataclass(slots=True)
class FakeContents:
    """Implements `ContentsReader`."""

    world: FakeWorld

    def __call__(self, node_ids: Sequence[str], *, has_checksums: bool, limit_s: float) -> Sequence[SideContents]:
        """As the tables are now; probes are not among them."""
        del limit_s
        return [self._one(node_id, has_checksums=has_checksums) for node_id in node_ids]

    def _one(self, node_id: str, *, has_checksums: bool) -> SideContents:
        node = self.world.node(node_id)
        if not node.is_up:
            raise NodeError(node.name, "cannot connect")
        history = self.world.cluster_of(node).history
        rows = frozenset(entry.txn.uid for entry in history if entry.txn.table != "hawser.probe")
        checksum = hash(rows) if has_checksums else None
        return SideContents(node.name, {"shop.orders": TableContents("BASE TABLE", DEFINITION, 16_384, checksum)})
