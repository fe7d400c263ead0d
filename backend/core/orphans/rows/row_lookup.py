"""Looks up a row by its key, every value exactly as in a row image, so that both sides' rows are comparable."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.orphans.model import Column, RowImage, TableShape, Value, ValueKind
from backend.core.orphans.rows.sql_literals import identifier, literal

_NUMBERS = frozenset({ValueKind.INT, ValueKind.NUMBERED})
_BYTES = frozenset({ValueKind.TEXT, ValueKind.BINARY, ValueKind.GEOMETRY})


def lookup_sql(shape: TableShape, image: RowImage) -> str:
    """The query for the row with this row's key, a text for each value, in the order of the columns; needs a key.

    The session's time zone must be UTC, as in the log.
    """
    selected = ", ".join(f"{cell_sql(column)} AS c{i}" for i, column in enumerate(shape.columns))
    by_name = {c.name: (c, cell) for c, cell in zip(shape.columns, image, strict=True)}
    key = " AND ".join(f"{identifier(name)} <=> {literal(*by_name[name])}" for name in shape.key)
    return f"SELECT {selected} FROM {identifier(shape.schema)}.{identifier(shape.table)} WHERE {key}"


def row_of(shape: TableShape, values: Sequence[object]) -> RowImage:
    """The row's values as a row image."""
    pairs = zip(shape.columns, values, strict=True)
    return tuple(None if shape.is_derived(column) else value_of(column, value) for column, value in pairs)


def cell_sql(column: Column) -> str:
    """The text of a column from which `value_of` reads its value."""
    name = identifier(column.name)
    if column.kind in _BYTES:
        return f"HEX(CAST({name} AS BINARY))"
    if column.kind is ValueKind.NUMBERED:
        return f"CAST(CAST({name} AS UNSIGNED) AS CHAR)"
    if column.kind is ValueKind.FLOAT:
        return f"CAST({name} + 0e0 AS CHAR)"  # widened: a FLOAT itself is shown with six digits
    return f"CAST({name} AS CHAR)"


def value_of(column: Column, cell: object) -> Value:
    """The value as a row image has it."""
    if cell is None:
        return None
    text = str(cell)
    if column.kind in _BYTES:
        return bytes.fromhex(text)
    if column.kind in _NUMBERS:
        return int(text)
    return repr(float(text)) if column.kind is ValueKind.FLOAT else text
