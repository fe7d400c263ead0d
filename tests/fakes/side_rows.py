"""Rows of both sides of a `FakeWorld`, looked up as replay and undo do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.core.orphans.model import OrphanList, RowImage, TableShape
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from tests.fakes.cluster import FakeNode
from tests.fakes.world import FakeWorld


@dataclass(slots=True)
class FakeSideRows:
    """Implements `SideRows`."""

    world: FakeWorld

    def on(self, node_id: str) -> FakeRows:
        """A session that looks rows up."""
        return FakeRows(self.world, self.world.node(node_id))

    def overwritten(
        self, node_id: str, since: FilePosition, survivor_ids: Sequence[int], book: OrphanList
    ) -> Mapping[str, int]:
        """As the world was told that the channel wrote over orphans."""
        return self.world.overwritten


@dataclass(slots=True)
class FakeRows:
    """Implements `NodeRows` over the tables of the node's cluster."""

    world: FakeWorld
    at: FakeNode

    @property
    def node(self) -> str:
        """Its name."""
        return self.at.name

    def count(self, asked: Sequence[str]) -> Mapping[str, int]:
        """As the tables count."""
        if not self.at.is_up:
            raise NodeError(self.at.name, "cannot connect")
        tables = self.world.tables[self.world.cluster_of(self.at).id]
        return {sql: tables.count(sql) for sql in asked}

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        """A row by its key, as literals: two of them compare, and that is all they are for."""
        if not self.at.is_up:
            raise NodeError(self.at.name, "cannot connect")
        return self.world.tables[self.world.cluster_of(self.at).id].find(shape, image)

    def close(self) -> None:
        """Nothing to end."""
