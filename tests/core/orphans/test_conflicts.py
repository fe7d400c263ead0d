"""The dry run of a replay: what is in the way is named, and so is everything that depends on it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from backend.core.orphans.conflicts import find_conflicts
from backend.core.orphans.model import RowImage, TableShape
from backend.core.orphans.statements import replay_statements
from backend.core.ports import RowConflictError
from tests.core.builders.orphan_worlds import (
    KEYED,
    KEYLESS,
    SHAPES,
    book_of,
    delete,
    diverged,
    holding,
    insert,
    row,
    steps,
    update,
)
from tests.fakes.rows import FakeTables


def asked(tables: FakeTables):  # type: ignore[no-untyped-def]
    """Counts as that server would answer."""
    return lambda statements: {sql: tables.count(sql) for sql in statements}


def there(*rows: RowImage, shape: TableShape = KEYED) -> FakeTables:
    """The other side with these rows."""
    return holding(*rows, shape=shape).tables()


def indexes(tables: FakeTables, rows: list) -> list[tuple[int, int | None]]:  # type: ignore[type-arg]
    return [(c.index, c.depends_on) for c in find_conflicts(book_of(rows).transactions, SHAPES, asked(tables))]


def test_conflicts__rows_as_before__none() -> None:
    rows = [[insert(row(1))], [update(row(1), row(1, b"x"))], [delete(row(1, b"x"))], [insert(row(1, b"y"))]]
    assert indexes(there(), rows) == []


@pytest.mark.parametrize(
    ("tables", "rows"),
    [
        (there(row(1, b"other")), [[insert(row(1))]]),
        (there(row(1, b"other")), [[update(row(1), row(1, b"x"))]]),
        (there(), [[delete(row(1))]]),
        (there(row(1), row(2)), [[update(row(1), row(2, b"x"))]]),
        (there(shape=KEYLESS), [[delete(row(1), KEYLESS)]]),
        (there(row(1), shape=KEYLESS), [[delete(row(1), KEYLESS)], [delete(row(1), KEYLESS)]]),
    ],
)
def test_conflicts__row_changed_missing_or_key_taken__named(tables: FakeTables, rows: list) -> None:  # type: ignore[type-arg]
    assert len(indexes(tables, rows)) == 1


def test_conflicts__ones_after_it_on_the_same_row__depend_on_it() -> None:
    rows = [[insert(row(1))], [update(row(1), row(1, b"x"))], [insert(row(2))], [delete(row(1, b"x"))]]
    assert indexes(there(row(1, b"other")), rows) == [(0, None), (1, 0), (3, 0)]


def test_conflicts__second_row_of_a_transaction_refused__first_is_not_taken_as_done() -> None:
    rows = [[insert(row(5)), insert(row(1))], [update(row(5), row(5, b"x"))], [insert(row(6))]]
    assert indexes(there(row(1, b"other")), rows) == [(0, None), (1, 0)]


def test_conflicts__told_with_the_reason() -> None:
    (conflict,) = find_conflicts(book_of([[insert(row(1))]]).transactions, SHAPES, asked(there(row(1))))
    assert conflict.reason == "another row there has the same id"
    assert conflict.to_json()["table"] == "shop.keyed"


@given(steps, steps, steps)
def test_conflicts__none_found__replay_of_all_goes_through(first: list, theirs: list, ours: list) -> None:  # type: ignore[type-arg]
    book, other = diverged(first, theirs, ours)
    tables = other.tables()
    skipped = {c.index for c in find_conflicts(book.transactions, SHAPES, asked(tables))}
    for transaction in book.transactions:
        statements: Sequence = replay_statements(transaction, SHAPES)  # type: ignore[type-arg]
        if transaction.index not in skipped:
            tables.apply("b1", statements)


def test_conflicts__first_one__really_is_one() -> None:
    book = book_of([[insert(row(1))]])
    tables = there(row(1, b"other"))
    with pytest.raises(RowConflictError):
        tables.apply("b1", replay_statements(book.transactions[0], SHAPES))
