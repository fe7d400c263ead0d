"""Decodes the bytes of a binary log's row events exactly; what cannot be decoded exactly is refused by name.

Layouts: MariaDB sql/log_event.cc and field.cc (table map types and metadata, row images), checked
against 10.11 by writing every type and undoing it byte for byte.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.core.orphans.model import Operation, RowChange, RowImage, TableShape, Value
from backend.core.orphans.rows.column_values import read_value, type_mismatch
from backend.core.row_event_bytes import (
    DELETES,
    INSERTS,
    PACKED_ROW_EVENTS,
    UPDATES,
    V2_ROW_EVENTS,
    Bytes,
    UnreadableError,
    unpacked,
)

_OPERATIONS = {
    kind: operation
    for kinds, operation in ((INSERTS, Operation.INSERT), (UPDATES, Operation.UPDATE), (DELETES, Operation.DELETE))
    for kind in kinds
}
_TWO_BYTES = frozenset({15, 16, 246, 247, 248, 253, 254, 141})
_ONE_BYTE = frozenset({4, 5, 17, 18, 19, 140, 245, 249, 250, 251, 252, 255})
_COLUMN_NAMES = 4


@dataclass(frozen=True, slots=True)
class TableMap:
    """A table as one row event describes it: binlog types and their two metadata bytes."""

    schema: str
    table: str
    types: tuple[int, ...]
    metas: tuple[bytes, ...]
    names: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.table}"


def table_map(body: bytes) -> tuple[int, TableMap]:
    """Decode a table map event's body: its table number and its description."""
    rest = Bytes(body)
    number = rest.number(6)
    rest.take(2)
    names = []
    for _ in range(2):
        names.append(rest.take(rest.number(1)).decode("utf-8"))
        rest.take(1)
    count = rest.length()
    types = tuple(rest.take(count))
    rest.length()
    metas = tuple(_meta(rest, kind) for kind in types)
    rest.take((count + 7) // 8)
    return number, TableMap(names[0], names[1], types, metas, _names(rest))


def _meta(rest: Bytes, kind: int) -> bytes:
    return rest.take(2 if kind in _TWO_BYTES else 1 if kind in _ONE_BYTE else 0)


def _names(rest: Bytes) -> tuple[str, ...] | None:
    """Column names, where the server logs them (binlog_row_metadata=FULL)."""
    while not rest.is_done:
        kind = rest.number(1)
        value = Bytes(rest.take(rest.length()))
        if kind == _COLUMN_NAMES:
            found = []
            while not value.is_done:
                found.append(value.take(value.length()).decode("utf-8"))
            return tuple(found)
    return None


def row_changes(kind: int, body: bytes, table: TableMap, shape: TableShape) -> Iterator[RowChange]:
    """The rows of one row event; raises UnreadableError where they cannot be decoded exactly."""
    check_shape(table, shape)
    operation = _OPERATIONS[kind]
    rest = Bytes(body)
    rest.take(8)
    if kind in V2_ROW_EVENTS:
        rest.take(rest.number(2) - 2)
    count = rest.length()
    if count != len(table.types):
        raise UnreadableError(f"{table.name}: a row event of {count} columns, a table of {len(table.types)}")
    bitmaps = 2 if operation is Operation.UPDATE else 1
    logged = [_logged_columns(rest.take((count + 7) // 8), shape) for _ in range(bitmaps)]
    if kind in PACKED_ROW_EVENTS:
        rest = Bytes(unpacked(rest.take(len(rest.data) - rest.at)))
    while not rest.is_done:
        first = _image(rest, table, shape, logged[0])
        if operation is Operation.UPDATE:
            yield RowChange(
                shape.schema, shape.table, operation, first, _image(rest, table, shape, logged[1]), shape.version
            )
        elif operation is Operation.INSERT:
            yield RowChange(shape.schema, shape.table, operation, None, first, shape.version)
        else:
            yield RowChange(shape.schema, shape.table, operation, first, None, shape.version)


def check_shape(table: TableMap, shape: TableShape) -> None:
    """Check that information_schema still describes the table as it was when the rows were written."""
    if len(shape.columns) != len(table.types):
        raise UnreadableError(
            f"{shape.name} has {len(shape.columns)} columns now and had {len(table.types)} when the rows were written"
        )
    if table.names is not None and tuple(c.name for c in shape.columns) != table.names:
        raise UnreadableError(f"the columns of {shape.name} were renamed since the rows were written")
    for column, kind, meta in zip(shape.columns, table.types, table.metas, strict=True):
        why = type_mismatch(column, kind, meta)
        if why:
            raise UnreadableError(f"{shape.name}.{column.name}: {why}")


def _logged_columns(bitmap: bytes, shape: TableShape) -> tuple[bool, ...]:
    """Which columns the images have; only those that the server computes may be missing."""
    bits = int.from_bytes(bitmap, "little")
    logged = tuple(bool(bits >> i & 1) for i in range(len(shape.columns)))
    missing = [column for column, is_there in zip(shape.columns, logged, strict=True) if not is_there]
    if not all(column.is_generated for column in missing):
        raise UnreadableError(f"{shape.name}: the row image is incomplete (binlog_row_image was not FULL)")
    needed = [column.name for column in missing if not shape.is_derived(column)]
    if needed:
        raise UnreadableError(
            f"{shape.name}: the row image has no value of the generated column {needed[0]}, which is part of a unique "
            "key, so the row cannot be identified (the server does not log it)"
        )
    return logged


def _image(rest: Bytes, table: TableMap, shape: TableShape, logged: Sequence[bool]) -> RowImage:
    """One row; a bit for NULL and a value of each column that was logged. Derived columns are None in any case."""
    nulls = int.from_bytes(rest.take((sum(logged) + 7) // 8), "little")
    found: list[Value] = []
    try:
        for column, kind, meta, is_there in zip(shape.columns, table.types, table.metas, logged, strict=True):
            value = None
            if is_there:
                value = None if nulls & 1 else read_value(rest, column, kind, meta)
                nulls >>= 1
            found.append(None if shape.is_derived(column) else value)
    except (struct.error, ValueError) as error:
        raise UnreadableError(f"{shape.name}: {error}") from error
    return tuple(found)
