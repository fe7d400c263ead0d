"""Keys that a collation calls equal: a row that changes in letter case only is undone and replayed like any other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.orphans.conflicts import find_conflicts
from backend.core.orphans.model import OrphanList, RowImage, TableShape
from backend.core.orphans.rows.sql_literals import literal
from backend.core.orphans.statements import replay_statements, undo_statements
from backend.core.orphans.undo import UndoJudge
from tests.core.builders.orphan_worlds import COLUMNS, KEYED, book_of, delete, holding, insert, row, update
from tests.fakes.rows import FakeTables, Row
from tests.fakes.side_rows import FakeRows
from tests.fakes.world import FakeWorld

BY_NAME = TableShape("shop", "named", COLUMNS, keys=(("name",),))
UNIQUE_NAME = TableShape("shop", "unique_name", COLUMNS, keys=(("id",), ("name",)))
SHAPES = {shape.name: shape for shape in (BY_NAME, UNIQUE_NAME)}


def tables(shape: TableShape, *rows: RowImage) -> FakeTables:
    def stored(image: RowImage) -> Row:
        cells = zip(shape.columns, image, strict=True)
        return {column.name: literal(column, cell) for column, cell in cells if not column.is_generated}

    return FakeTables(rows={shape.name: [stored(one) for one in rows]}, keys={shape.name: shape.key})


def contents(held: FakeTables) -> list[str]:
    return sorted(map(str, held.rows[BY_NAME.name]))


A, UPPER, BLANK, OTHER = row(1, b"a"), row(1, b"A"), row(1, b"a "), row(2, b"b")
CHAINS = {
    "letter case": ([[update(A, UPPER, BY_NAME)]], [A], [UPPER]),
    "blank at the end": ([[update(A, BLANK, BY_NAME)]], [A], [BLANK]),
    "there and back": ([[update(A, UPPER, BY_NAME)], [update(UPPER, A, BY_NAME)]], [A], [A]),
    "removed and written again": ([[delete(A, BY_NAME)], [insert(UPPER, BY_NAME)]], [A], [UPPER]),
    "both in one": ([[delete(A, BY_NAME), insert(UPPER, BY_NAME)]], [A], [UPPER]),
    "moved away and taken": (
        [[update(A, row(1, b"c"), BY_NAME)], [insert(row(3, b"A"), BY_NAME)]],
        [A],
        [row(1, b"c"), row(3, b"A")],
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_replay__key_equal_by_collation__no_conflict(name: str) -> None:
    changes, before, after = CHAINS[name]
    there = tables(BY_NAME, *before, OTHER)
    made = book_of(changes)
    assert find_conflicts(made.transactions, SHAPES, lambda asked: {sql: there.count(sql) for sql in asked}) == ()
    for transaction in made.transactions:
        there.apply("b1", replay_statements(transaction, SHAPES))
    assert contents(there) == contents(tables(BY_NAME, *after, OTHER))


@pytest.mark.parametrize("name", CHAINS)
def test_undo__key_equal_by_collation__undone(name: str) -> None:
    changes, before, after = CHAINS[name]
    made, own = book_of(changes), tables(BY_NAME, *after, OTHER)
    assert conflicts_of_undo(made, own, tables(BY_NAME, *before, OTHER)) == []
    for transaction in reversed(made.transactions):
        own.apply("a1", undo_statements(transaction, SHAPES))
    assert contents(own) == contents(tables(BY_NAME, *before, OTHER))


def conflicts_of_undo(made: OrphanList, own: FakeTables, survivor: FakeTables) -> list[str]:
    world = FakeWorld()
    world.tables = {world.a.id: own, world.b.id: survivor}
    rows = FakeRows(world, world.node("a1")), FakeRows(world, world.node("b1"))
    judge = UndoJudge(replace(made, table_definitions=SHAPES), *rows, {}, is_replayed=lambda _, __: False)
    return [part.conflict.reason for part in judge.parts(reversed(made.transactions)) if part.conflict is not None]


def test_unique_value__changed_in_letter_case__replayed_and_undone() -> None:
    made = book_of([[update(A, UPPER, UNIQUE_NAME)]])
    there = tables(UNIQUE_NAME, A)
    assert find_conflicts(made.transactions, SHAPES, lambda asked: {sql: there.count(sql) for sql in asked}) == ()
    assert conflicts_of_undo(made, tables(UNIQUE_NAME, UPPER), tables(UNIQUE_NAME, A)) == []


def is_refused_where_another_row_has_it() -> bool:
    """Whether a key that a row of its own has is not taken for the changed row's."""
    made = book_of([[update(OTHER, row(2, b"A"), BY_NAME)]])
    there = tables(BY_NAME, A, OTHER)
    found = find_conflicts(made.transactions, SHAPES, lambda asked: {sql: there.count(sql) for sql in asked})
    return len(found) == 1


def conflicts_behind_a_refused_removal() -> list[int]:
    """The first orphan cannot be replayed, so its row stays and holds the key."""
    changed = row(1, b"a", "9.00")
    made = book_of([[delete(A, BY_NAME), delete(OTHER, BY_NAME)], [insert(row(4, b"B"), BY_NAME)]])
    there = tables(BY_NAME, changed, OTHER)
    found = find_conflicts(made.transactions, SHAPES, lambda asked: {sql: there.count(sql) for sql in asked})
    return [one.index for one in found]


def test_key__held_by_another_row__still_refused() -> None:
    """`A` is another row's: neither the one that is changed nor one that left."""
    assert is_refused_where_another_row_has_it()
    made = book_of([[update(OTHER, row(2, b"A"), BY_NAME)]])
    there = tables(BY_NAME, A, OTHER)
    (conflict,) = find_conflicts(made.transactions, SHAPES, lambda asked: {sql: there.count(sql) for sql in asked})
    assert conflict.reason == "another row there has the same name"


def test_key__of_a_row_whose_removal_was_refused__is_not_free() -> None:
    assert conflicts_behind_a_refused_removal() == [0, 1]


def test_key__of_numbers__never_asked_about() -> None:
    assert KEYED.keys == (("id",),)
    made = book_of([[update(row(1), row(2))]])
    there = holding(row(1), row(2)).tables()
    found = find_conflicts(
        made.transactions, {KEYED.name: KEYED}, lambda asked: {sql: there.count(sql) for sql in asked}
    )
    assert [one.reason for one in found] == ["another row there has the same id"]
