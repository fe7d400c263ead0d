"""Writes column values as SQL literals, exact for every type under any `sql_mode` and session character set.

Strings are sent as hexadecimal with their own charset, so no escape, conversion or collation
changes them. Comparisons are by bytes: a row that is equal only by collation (`a` and `A`) is detected.
"""

from __future__ import annotations

from backend.core.orphans.model import Column, RowChange, TableShape, Value, ValueKind
from backend.core.row_event_bytes import UnreadableError


def identifier(name: str) -> str:
    """A quoted name."""
    return "`" + name.replace("`", "``") + "`"


def text_literal(value: str) -> str:
    """A literal of any text, for looking up names."""
    return f"_utf8mb4 x'{value.encode().hex()}'" if value else "''"


def literal(column: Column, cell: Value) -> str:
    """The literal that stores exactly this value; UnreadableError where there is none."""
    if cell is None:
        return "NULL"
    kind = column.kind
    if kind is ValueKind.FLOAT:
        return _float(column, str(cell))
    if isinstance(cell, bytes):
        return _bytes(column, cell)
    if isinstance(cell, int):
        return _number(column, cell)
    return cell if kind is ValueKind.DECIMAL else f"'{cell}'"


def check_literals(row: RowChange, shape: TableShape) -> None:
    """Check that each value of the row has a literal; raises UnreadableError."""
    for image in (row.before, row.after):
        for column, cell in zip(shape.columns, image or (), strict=False):
            if column.kind is ValueKind.FLOAT and cell is not None:
                _float(column, str(cell))
            elif cell == 0 and isinstance(cell, int):
                _number(column, cell)


def _number(column: Column, cell: int) -> str:
    if column.data_type == "enum" and cell == 0:
        raise UnreadableError(f"{column.name}: the empty error value of an enum has no literal")
    if column.data_type == "year" and cell == 0:
        return "'0000'"
    return str(cell)


def _float(column: Column, text: str) -> str:
    """The number with an exponent, so that it is read as a double and not as a decimal."""
    if text in ("nan", "inf", "-inf", "-0.0"):
        raise UnreadableError(f"{column.name}: {text} has no literal")
    return text if "e" in text else f"{text}e0"


def _bytes(column: Column, cell: bytes) -> str:
    if not cell:
        return "''"
    return f"_{column.charset} x'{cell.hex()}'" if column.kind is ValueKind.TEXT else f"x'{cell.hex()}'"


def equals(column: Column, cell: Value) -> str:
    """A condition that holds for exactly this value."""
    name = identifier(column.name)
    if cell is None:
        return f"{name} IS NULL"
    if isinstance(cell, bytes):
        exact = f"CAST({name} AS BINARY) <=> {_binary(cell)}"
        return f"{name} <=> {literal(column, cell)} AND {exact}" if column.kind is ValueKind.TEXT else exact
    if column.data_type in ("enum", "set"):
        return f"{name}+0 <=> {cell}"
    return f"{name} <=> {literal(column, cell)}"


def _binary(cell: bytes) -> str:
    return f"x'{cell.hex()}'" if cell else "CAST('' AS BINARY)"
