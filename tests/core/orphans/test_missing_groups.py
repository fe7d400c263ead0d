"""What is asked of which node for groups that a log lacks, and what its answers come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from backend.core.binlog.groups import Group
from backend.core.orphans.missing_groups import rows_as_left
from backend.core.orphans.model import OrphanList
from backend.core.orphans.transactions import TooManyError
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from tests.core.builders.orphan_worlds import SHAPES, holding, row, transaction, update
from tests.fakes.rows import FakeTables
from tests.fakes.world import FakeWorld


@dataclass
class Sides:
    """Implements `RowSource`: one transaction in the source's log, and the replica's tables."""

    tables: FakeTables
    fault: Exception | None = None
    asked: list[str] = field(default_factory=list)

    def book(self, source_id: str, replica_id: str, begins: FilePosition, groups: Sequence[Group]) -> OrphanList:
        self.asked.append(f"book {source_id} {replica_id} {begins}")
        if self.fault is not None:
            raise self.fault
        one = transaction(0, [update(row(1, b"1"), row(1, b"2"))])
        return OrphanList("d" * 64, (replace(one, end=groups[-1].end_position),), dict(SHAPES))

    def count(self, node_id: str, asked: Sequence[str]) -> Mapping[str, int]:
        self.asked.append(f"count {node_id}")
        return {sql: self.tables.count(sql) for sql in asked}


def a_group() -> Group:
    world = FakeWorld()
    world.write("b1")
    placed = world.node("b1").log.placed[-1]
    return Group(
        placed.end.file, placed.start.offset, placed.end.offset, 21, None, placed.xid, "dml", "", (), (), (), None, 5, 0
    )


def sides(name: bytes, fault: Exception | None = None) -> Sides:
    return Sides(holding(row(1, name)).tables(), fault)


@pytest.mark.parametrize(("name", "stand"), [(b"2", True), (b"1", False)])
def test_rows_as_left__images_of_the_source_and_tables_of_the_replica(name: bytes, stand: bool) -> None:
    rows, group = sides(name), a_group()
    answer = rows_as_left(rows, "n_b1", "n_a1", "a1")([group], [group])
    assert answer.stand is stand
    assert rows.asked == [f"book n_b1 n_a1 {group.begin_position}", "count n_a1"]


@pytest.mark.parametrize("fault", [NodeError("a1", "SELECT command denied", code=1142), TooManyError("too many rows")])
def test_rows_as_left__cannot_be_read__cannot_say_and_why(fault: Exception) -> None:
    group = a_group()
    answer = rows_as_left(sides(b"2", fault), "n_b1", "n_a1", "a1")([group], [group])
    assert answer.stand is None
    assert str(fault) in answer.detail
