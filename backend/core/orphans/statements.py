"""Orphans as statements: a replay writes them on the survivor, an undo reverts them on the returned side.

Every statement names one row by its whole image and requires that exactly one matches; anything else is a
conflict. Generated columns are omitted: the server computes them. Foreign keys are checked as in any
session; tables with triggers, or with children that change by CASCADE, are refused beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backend.core.orphans.model import Operation, OrphanTransaction, RowChange, RowImage, TableShape
from backend.core.orphans.rows.sql_literals import equals, identifier, literal
from backend.core.orphans.transactions import OWN_SCHEMA
from backend.core.ports import RowStatement


def replay_statements(
    transaction: OrphanTransaction, table_definitions: Mapping[str, TableShape]
) -> tuple[RowStatement, ...]:
    """The statements that write the transaction's rows, in order; UnreadableError where a value has no literal."""
    return tuple(replay_statement(row, table_definitions[row.definition]) for row in _rows(transaction))


def undo_statements(
    transaction: OrphanTransaction, table_definitions: Mapping[str, TableShape]
) -> tuple[RowStatement, ...]:
    """The statements that revert the transaction's rows, the last row first."""
    return tuple(_backward(row, table_definitions[row.definition]) for row in reversed(list(_rows(transaction))))


def _rows(transaction: OrphanTransaction) -> Iterator[RowChange]:
    return (row for row in transaction.rows if row.schema != OWN_SCHEMA)


def replay_statement(row: RowChange, shape: TableShape) -> RowStatement:
    """The statement that writes one row."""
    return change_statement(shape, row.before, row.after)


def _backward(row: RowChange, shape: TableShape) -> RowStatement:
    return change_statement(shape, row.after, row.before)


def change_statement(shape: TableShape, before: RowImage | None, after: RowImage | None) -> RowStatement:
    """The statement that changes one image to the other; the read-back expects the second image."""
    if before is None:
        assert after is not None
        return RowStatement(_insert(shape, after), count_sql(shape, after), _one(shape), Operation.INSERT.value)
    if after is None:
        gone = 0 if shape.key else None
        return RowStatement(_delete(shape, before), count_sql(shape, before), gone, Operation.DELETE.value)
    return RowStatement(_update(shape, before, after), count_sql(shape, after), _one(shape), Operation.UPDATE.value)


def _one(shape: TableShape) -> int | None:
    """The number of equal rows that a read-back must find: one by a key; without a key there may be more."""
    return 1 if shape.key else None


def _insert(shape: TableShape, image: RowImage) -> str:
    pairs = [(c, cell) for c, cell in zip(shape.columns, image, strict=True) if not c.is_generated]
    names = ", ".join(identifier(column.name) for column, _ in pairs)
    values = ", ".join(literal(column, cell) for column, cell in pairs)
    return f"INSERT INTO {_table(shape)} ({names}) VALUES ({values})"


def _update(shape: TableShape, before: RowImage, after: RowImage) -> str:
    pairs = [(c, cell) for c, cell in zip(shape.columns, after, strict=True) if not c.is_generated]
    values = ", ".join(f"{identifier(column.name)}={literal(column, cell)}" for column, cell in pairs)
    return f"UPDATE {_table(shape)} SET {values} WHERE {where(shape, before)} LIMIT 1"


def _delete(shape: TableShape, image: RowImage) -> str:
    return f"DELETE FROM {_table(shape)} WHERE {where(shape, image)} LIMIT 1"


def where(shape: TableShape, image: RowImage) -> str:
    """A condition for rows with exactly this image."""
    pairs = zip(shape.columns, image, strict=True)
    return " AND ".join(equals(column, cell) for column, cell in pairs if not column.is_generated)


def count_sql(shape: TableShape, image: RowImage) -> str:
    """The query for the number of rows with exactly this image."""
    return f"SELECT COUNT(*) AS n FROM {_table(shape)} WHERE {where(shape, image)}"


def _table(shape: TableShape) -> str:
    return f"{identifier(shape.schema)}.{identifier(shape.table)}"


def key_count_sql(shape: TableShape, key: tuple[str, ...], image: RowImage) -> str:
    """The query for the number of rows with these values of a unique key, compared by the key's collation."""
    return f"SELECT COUNT(*) AS n FROM {_table(shape)} WHERE {_has_key(shape, key, image)}"


def held_sql(shape: TableShape, holder: RowImage, key: tuple[str, ...], image: RowImage) -> str:
    """The query for whether the row with exactly the image `holder` has these values of a unique key of `image`."""
    return f"{count_sql(shape, holder)} AND {_has_key(shape, key, image)}"


def _has_key(shape: TableShape, key: tuple[str, ...], image: RowImage) -> str:
    by_name = {c.name: (c, cell) for c, cell in zip(shape.columns, image, strict=True)}
    return " AND ".join(f"{identifier(name)} <=> {literal(*by_name[name])}" for name in key)
