"""Replay and undo on paper: there and back is the identity, and whatever changed meanwhile is noticed."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given

from backend.core.orphans import statements
from backend.core.orphans.model import Column, RowChange, Value
from backend.core.orphans.rows import sql_literals
from backend.core.orphans.rows.sql_literals import equals, identifier, literal
from backend.core.orphans.serialization import (
    rows_to_json,
    shape_from_json,
    shape_to_json,
    shown_row,
    transaction_from_json,
    transaction_to_json,
)
from backend.core.orphans.statements import replay_statements, undo_statements
from backend.core.orphans.tally import OrphanTally
from backend.core.ports import RowConflictError
from backend.core.row_event_bytes import UnreadableError
from tests.core.builders.orphan_worlds import (
    COLUMNS,
    KEYED,
    SHAPES,
    Model,
    book_of,
    delete,
    holding,
    insert,
    row,
    same_contents,
    steps,
    transaction,
    update,
)


def _drawn(model: Model, drawn: list) -> list[RowChange]:  # type: ignore[type-arg]
    found = [model.change(shape, one, pick, what) for shape, one, pick, what in drawn]
    return [change for change in found if change is not None]


@given(steps, steps)
def test_undo__after_any_changes__tables_as_before(first: list, then: list) -> None:  # type: ignore[type-arg]
    model = Model()
    _drawn(model, first)
    before = model.tables()
    one = transaction(0, _drawn(model, then))
    tables = model.tables()
    tables.apply("a1", undo_statements(one, SHAPES))
    assert same_contents(tables, before)


@given(steps, steps)
def test_replay__on_the_state_before__same_state_as_after(first: list, then: list) -> None:  # type: ignore[type-arg]
    model = Model()
    _drawn(model, first)
    tables = model.tables()
    one = transaction(0, _drawn(model, then))
    tables.apply("b1", replay_statements(one, SHAPES))
    assert same_contents(tables, model.tables())


@given(steps)
def test_json__there_and_back__equal(drawn: list) -> None:  # type: ignore[type-arg]
    one = transaction(3, _drawn(Model(), drawn))
    assert transaction_from_json(transaction_to_json(one)) == one


def _undo_of_changed() -> RowConflictError | None:
    """Undo an update whose row an operator changed to a text that only looks equal."""
    one = transaction(0, [update(row(1, b"b"), row(1, b"a"))])
    model = holding(row(1, b"A"))
    tables = model.tables()
    before = deepcopy(tables.rows)
    try:
        tables.apply("a1", undo_statements(one, SHAPES))
    except RowConflictError as conflict:
        assert tables.rows == before
        return conflict
    return None


def test_undo__row_looks_equal_but_is_another__conflict_and_nothing_changed() -> None:
    assert _undo_of_changed() is not None


def test_undo__comparison_by_bytes_taken_out__the_change_would_be_overwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "equals", lambda column, cell: equals(column, cell).split(" AND CAST(")[0])
    assert _undo_of_changed() is None


@pytest.mark.parametrize("keeps", ["id"])
def test_undo__before_image_not_compared__another_value_would_be_lost(
    keeps: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = transaction(0, [update(row(1, b"b", "1.50"), row(1, b"a", "1.50"))])
    model = holding(row(1, b"a", "-1.50"))
    with pytest.raises(RowConflictError):
        model.tables().apply("a1", undo_statements(one, SHAPES))
    monkeypatch.setattr(statements, "where", lambda shape, image: equals(shape.columns[0], image[0]))
    model.tables().apply("a1", undo_statements(one, SHAPES))


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        (Column("c", "int", "int(11)"), -5, "-5"),
        (Column("c", "bigint", "bigint(20) unsigned"), 2**64 - 1, "18446744073709551615"),
        (Column("c", "decimal", "decimal(30,10)"), "-0.5000000000", "-0.5000000000"),
        (Column("c", "float", "float"), "1.100000023841858", "1.100000023841858e0"),
        (Column("c", "double", "double"), "-2.5e-300", "-2.5e-300"),
        (Column("c", "varchar", "varchar(9)", charset="latin1"), b"\xe9", "_latin1 x'e9'"),
        (Column("c", "varchar", "varchar(9)", charset="utf8mb4"), b"", "''"),
        (Column("c", "varchar", "varchar(9)", charset="utf8mb4"), b"'; DROP--", "_utf8mb4 x'273b2044524f502d2d'"),
        (Column("c", "longtext", "longtext", charset="utf8mb4"), b"{}", "_utf8mb4 x'7b7d'"),
        (Column("c", "blob", "blob"), b"\0\xff", "x'00ff'"),
        (Column("c", "binary", "binary(2)"), b"\0\0", "x'0000'"),
        (Column("c", "point", "point"), b"\1", "x'01'"),
        (Column("c", "date", "date"), "2021-00-00", "'2021-00-00'"),
        (Column("c", "time", "time(3)"), "-00:00:00.001", "'-00:00:00.001'"),
        (Column("c", "timestamp", "timestamp"), "2038-01-19 03:14:07", "'2038-01-19 03:14:07'"),
        (Column("c", "year", "year(4)"), 0, "'0000'"),
        (Column("c", "bit", "bit(64)"), 2**64 - 1, "18446744073709551615"),
        (Column("c", "enum", "enum('a')"), 1, "1"),
        (Column("c", "set", "set('a')"), 0, "0"),
        (Column("c", "int", "int(11)"), None, "NULL"),
    ],
)
def test_literal__each_type__exact(column: Column, cell: Value, expected: str) -> None:
    assert literal(column, cell) == expected


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        (Column("c", "enum", "enum('a')"), 0),
        (Column("c", "double", "double"), "-0.0"),
        (Column("c", "double", "double"), "nan"),
    ],
)
def test_literal__value_without_one__refused_by_name(column: Column, cell: Value) -> None:
    with pytest.raises(UnreadableError, match="c: "):
        literal(column, cell)


def test_identifier__quotes_in_it__doubled() -> None:
    assert identifier("a`b") == "`a``b`"


def test_statements__generated_column__never_written_nor_compared() -> None:
    one = transaction(0, [update(row(1), row(2)), insert(row(3)), delete(row(3))])
    assert all("twice" not in s.sql + s.check for s in replay_statements(one, SHAPES))


def test_statements__undo__opposite_order_and_operation() -> None:
    one = transaction(0, [insert(row(1)), update(row(1), row(2))])
    assert [s.operation for s in undo_statements(one, SHAPES)] == ["update", "delete"]


def test_by_table__counts_rows_by_operation() -> None:
    book = book_of([[insert(row(1)), insert(row(2))], [delete(row(2)), update(row(1), row(3))]])
    tally = OrphanTally()
    assert len(list(tally.counted(book.ascending()))) == tally.count
    (count,) = tally.tables
    assert (count.table, count.inserts, count.updates, count.deletes) == ("keyed", 2, 1, 1)


def test_shown_row__texts_readable_and_bytes_as_hexadecimal() -> None:
    (stored,) = rows_to_json(transaction(0, [insert(row(1, "ü".encode()))]))
    shown = shown_row(stored, KEYED)
    assert shown["before"] is None
    assert shown["after"] == {
        "id": 1, "name": "ü", "amount": "1.50", "data": None, "rate": None, "kind": 1, "at": None,
    }  # fmt: skip
    (stored,) = rows_to_json(transaction(0, [insert(row(1, b"\xff"))]))
    assert shown_row(stored, KEYED)["after"]["name"] == "0xff"


def test_shape_json__there_and_back__equal() -> None:
    assert shape_from_json(shape_to_json(KEYED)) == KEYED
    assert KEYED.columns == COLUMNS


def test_text_literal__any_name__hexadecimal() -> None:
    assert sql_literals.text_literal("it's") == "_utf8mb4 x'69742773'"
