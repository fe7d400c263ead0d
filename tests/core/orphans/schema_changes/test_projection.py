"""Rows under several definitions of one table: compared by what all have, sent whole."""

from __future__ import annotations

from dataclasses import replace

from backend.core.orphans.model import Column, Operation, OrphanList, RowChange, TableShape
from backend.core.orphans.schema_changes.projection import ProjectedList, RowsWithoutTables, whole_rows
from backend.core.orphans.statements import count_sql
from tests.core.builders.orphan_worlds import KEYED, insert, row, transaction

ID, NAME, NOTE = (Column(name, "int", "int(11)") for name in ("id", "name", "note"))
NOW = TableShape("shop", "t", (NOTE, ID, NAME), (("id",),))
BEFORE = replace(NOW, columns=(ID, NAME), version=1)


def change(before: tuple[int, ...] | None, after: tuple[int, ...] | None, version: int = 0) -> RowChange:
    return RowChange("shop", "t", Operation.UPDATE, before, after, version)


def book(*rows: RowChange) -> OrphanList:
    definitions = {shape.definition: shape for shape in (NOW, BEFORE, KEYED)}
    return OrphanList("d" * 64, (transaction(0, list(rows)),), definitions)


def test_projection__rows_before_and_behind_a_change__by_common_columns_and_back() -> None:
    rows = change((1, 2), (1, 3), 1), change((0, 1, 3), (0, 1, 4)), insert(row(1))
    projected = ProjectedList(book(*rows), {})
    (found,) = projected.ascending()
    assert [(one.before, one.after) for one in found.rows[:2]] == [((1, 2), (1, 3)), ((1, 3), (1, 4))]
    assert {projected.table_definitions[one.definition].columns for one in found.rows[:2]} == {(ID, NAME)}
    assert whole_rows(found).rows == rows
    assert next(projected.descending(0)) == found


def test_projection__only_the_added_column_changed__goes_with_its_column() -> None:
    (found,) = ProjectedList(book(change((1, 2), (1, 3), 1), change((0, 1, 3), (7, 1, 3))), {}).ascending()
    assert len(found.rows) == 1


def test_projection__other_side_lacks_a_column__compared_without_it() -> None:
    definitions = {NOW.definition: NOW}
    only_now = OrphanList("d" * 64, (transaction(0, [change(None, (5, 1, 2))]),), definitions)
    projected = ProjectedList(only_now, {NOW.name: replace(NOW, columns=(ID, NAME))})
    (found,) = projected.ascending()
    assert found.rows[0].after == (1, 2)
    assert projected.table_definitions[NOW.name].columns == (ID, NAME)


def test_projection__other_side_has_a_column_of_its_own__not_compared_by_it() -> None:
    other = replace(NOW, columns=(ID, Column("theirs", "int", "int(11)")))
    assert ProjectedList(book(), {NOW.name: other}).table_definitions[NOW.name].columns == (ID, NAME)


def test_projection__no_definition_changed__the_rows_themselves() -> None:
    plain = OrphanList("d" * 64, (transaction(0, [insert(row(1))]),), {KEYED.definition: KEYED})
    assert next(ProjectedList(plain, {}).ascending()) is plain.transactions[0]


def test_rows_without_tables__table_that_is_not_there__holds_nothing() -> None:
    class Node:
        node = "b1"

        def count(self, asked: list[str]) -> dict[str, int]:
            assert all("`t`" not in sql for sql in asked)
            return dict.fromkeys(asked, 3)

        def find(self, shape: TableShape, image: object) -> object:
            return image

        def close(self) -> None:
            return

    without = RowsWithoutTables(Node(), {BEFORE.definition: BEFORE}, {})  # type: ignore[arg-type]
    absent, there = count_sql(BEFORE, (1, 2)), count_sql(KEYED, row(1))
    assert without.count([absent, there]) == {absent: 0, there: 3}
    assert without.find(BEFORE, (1, 2)) is None
    assert without.find(KEYED, row(1)) == row(1)
