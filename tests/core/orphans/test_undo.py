"""The undo on paper: as wanted already, still to be undone, or neither; a part that was done is not done twice."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given

from backend.core.orphans.model import OrphanList, RowChange, RowImage
from backend.core.orphans.rows.row_keys import key_digest, row_key_of
from backend.core.orphans.statements import undo_statements
from backend.core.orphans.undo import UndoJudge, UndoPart
from tests.core.builders.orphan_worlds import (
    KEYED,
    KEYLESS,
    Model,
    book_of,
    delete,
    holding,
    insert,
    row,
    same_contents,
    steps,
    update,
)
from tests.fakes.rows import FakeTables
from tests.fakes.side_rows import FakeRows
from tests.fakes.world import FakeWorld


def tables_with(*rows: RowImage) -> FakeTables:
    """One side's table."""
    return holding(*rows).tables()


def judged(
    book: OrphanList,
    own: FakeTables,
    survivor: FakeTables,
    overwritten: Mapping[str, int] | None = None,
    *,
    is_replayed: bool = False,
) -> list[UndoPart]:
    """What is left of the undo, last first."""
    world = FakeWorld()
    world.tables = {world.a.id: own, world.b.id: survivor}
    sides = (FakeRows(world, world.node("a1")), FakeRows(world, world.node("b1")))
    return list(
        UndoJudge(book, *sides, overwritten or {}, is_replayed=lambda _, __: is_replayed).parts(
            reversed(book.transactions)
        )
    )


def left(parts: list[UndoPart]) -> list[tuple[int, int, int]]:
    """Index, rows to undo, rows as wanted."""
    return [(part.transaction.index, len(part.transaction.rows), part.settled) for part in parts]


def key(one: RowImage) -> str:
    return key_digest(row_key_of(one, KEYED))


CHANGED = book_of([[update(row(1), row(1, b"x"))]])


def test_undo__row_as_the_orphan_left_it__undone() -> None:
    assert left(judged(CHANGED, tables_with(row(1, b"x")), tables_with(row(1)))) == [(0, 1, 0)]


@pytest.mark.parametrize(
    ("rows", "stands"),
    [
        ([update(row(1), row(1, b"x"))], [row(1)]),
        ([insert(row(1))], []),
        ([delete(row(1))], [row(1)]),
        ([update(row(1), row(2, b"x"))], [row(1)]),
    ],
)
def test_undo__row_as_before_the_orphan__done(rows: list[RowChange], stands: list[RowImage]) -> None:
    assert left(judged(book_of([rows]), tables_with(*stands), tables_with())) == [(0, 0, 1)]


def test_undo__row_as_the_survivor_has_it__done() -> None:
    theirs = tables_with(row(1, b"theirs"))
    assert left(judged(CHANGED, tables_with(row(1, b"theirs")), theirs)) == [(0, 0, 1)]


def test_undo__row_deleted_by_the_survivors_channel__done() -> None:
    assert left(judged(CHANGED, tables_with(), tables_with())) == [(0, 0, 1)]


def test_undo__row_that_is_neither__conflict_with_both_sides_values() -> None:
    (part,) = judged(CHANGED, tables_with(row(1, b"by hand")), tables_with(row(1, b"theirs")))
    assert part.conflict is not None
    assert part.conflict.table == KEYED.name
    assert set(part.conflict.values) == {"a1", "b1", "orphan", "before"}
    assert part.conflict.to_json()["values"] == dict(part.conflict.values)


def test_undo__equal_by_chance_but_overwritten_in_the_log__left_as_it_is() -> None:
    """Both sides counted from 1 to 2: undone, the returned side would stay at 1 for ever."""
    same = tables_with(row(1, b"x"))
    assert left(judged(CHANGED, same, tables_with(row(1, b"later")), {key(row(1)): 1})) == [(0, 0, 1)]


def test_undo__changed_alike_on_both_sides__left_as_it_is_whether_or_not_the_channel_brought_it() -> None:
    book = book_of([[update(row(1), row(1, b"w"))], [update(row(1, b"w"), row(1, b"x"))]])
    assert left(judged(book, tables_with(row(1, b"x")), tables_with(row(1, b"x")))) == [(1, 0, 1), (0, 0, 1)]


@pytest.mark.parametrize("rows", [[[insert(row(1))]], [[insert(row(1, b"w"))], [update(row(1, b"w"), row(1))]]])
def test_undo__inserted_alike_on_both_sides__undone_so_that_the_channels_insert_goes_through(rows: list) -> None:  # type: ignore[type-arg]
    parts = judged(book_of(rows), tables_with(row(1)), tables_with(row(1)))
    assert [part.settled for part in parts] == [0] * len(rows)


def test_undo__changed_alike_by_the_replay__undone() -> None:
    same = tables_with(row(1, b"x"))
    assert left(judged(CHANGED, same, tables_with(row(1, b"x")), is_replayed=True)) == [(0, 1, 0)]


def test_undo__orphan_behind_the_channels_write__undone_and_the_one_before_it_left() -> None:
    book = book_of([[update(row(1), row(1, b"x"))], [update(row(1, b"theirs"), row(1, b"y"))]])
    parts = judged(book, tables_with(row(1, b"y")), tables_with(row(1, b"theirs")), {key(row(1)): 1})
    assert left(parts) == [(1, 1, 0), (0, 0, 1)]


def test_undo__chain_on_one_row__followed_on_paper() -> None:
    book = book_of([[insert(row(1))], [update(row(1), row(1, b"x"))], [delete(row(1, b"x"))], [insert(row(1, b"y"))]])
    assert left(judged(book, tables_with(row(1, b"y")), tables_with())) == [(3, 1, 0), (2, 1, 0), (1, 1, 0), (0, 1, 0)]


def test_undo__row_behind_one_that_cannot_be_undone__named_as_such() -> None:
    book = book_of([[insert(row(1))], [update(row(1), row(1, b"x"))]])
    parts = judged(book, tables_with(row(1, b"by hand")), tables_with())
    assert [part.conflict.reason for part in parts if part.conflict] == [
        "the row has neither the orphaned transaction's values nor those before it",
        "it changes a row of transaction 2, which cannot be undone",
    ]


def test_undo__row_without_a_key_that_is_gone__conflict() -> None:
    book = book_of([[insert(row(1), KEYLESS)]])
    (part,) = judged(book, tables_with(), tables_with())
    assert part.conflict is not None
    assert "no key identifies one" in part.conflict.reason


@given(steps, steps)
def test_undo__any_orphans_half_of_them_undone__the_rest_ends_as_before(first: list, then: list) -> None:  # type: ignore[type-arg]
    model = Model()
    for one in first:
        model.change(*one)
    before = model.tables()
    book = book_of([[change] for one in then if (change := model.change(*one)) is not None])
    tables = model.tables()
    half = len(book.transactions) // 2
    for transaction in list(reversed(book.transactions))[:half]:
        tables.apply("a1", undo_statements(transaction, book.table_definitions))
    rest = OrphanList(book.digest, book.transactions[: len(book.transactions) - half], book.table_definitions)
    for part in judged(rest, tables, before):
        assert part.conflict is None
        tables.apply("a1", undo_statements(part.transaction, book.table_definitions))
    assert same_contents(tables, before)
