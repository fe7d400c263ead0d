"""Counts the rows of row events by the lengths of their values, without the table's definition."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from backend.core.orphans.model import Column, Operation
from backend.core.orphans.rows.column_values import UnreadableError, read_value
from backend.core.orphans.rows.row_events import (
    ROW_EVENTS,
    TABLE_MAP,
    Bytes,
    TableMap,
    table_map,
    table_number,
    unpacked,
)
from backend.core.orphans.transactions import RawEvent

_ANY = Column("?", "", "")
"""Lengths follow from the types that the log states; only meanings need the definition."""


def count_rows(events: Sequence[RawEvent]) -> int | None:
    """The rows of a group's table maps and row events; None where a value's length is unknown."""
    tables: dict[int, TableMap] = {}
    rows = 0
    try:
        for event in events:
            if event.kind == TABLE_MAP:
                number, table = table_map(event.body)
                tables[number] = table
            else:
                rows += _rows_in(event, tables[table_number(event.body)])
    except (UnreadableError, KeyError, ValueError, struct.error, zlib.error, IndexError):
        return None
    return rows


def _rows_in(event: RawEvent, table: TableMap) -> int:
    rest = Bytes(event.body)
    rest.take(8)
    if event.kind in (30, 31, 32, 169, 170, 171):
        rest.take(rest.number(2) - 2)
    count = rest.length()
    is_update = ROW_EVENTS[event.kind] is Operation.UPDATE
    present = [_columns(rest.take((count + 7) // 8), count) for _ in range(2 if is_update else 1)]
    if event.kind >= 166:
        rest = Bytes(unpacked(rest.take(len(rest.data) - rest.at)))
    rows = 0
    while not rest.is_done:
        for columns in present:
            _skip_image(rest, table, columns)
        rows += 1
    return rows


def _columns(bitmap: bytes, count: int) -> list[int]:
    bits = int.from_bytes(bitmap, "little")
    return [index for index in range(count) if bits >> index & 1]


def _skip_image(rest: Bytes, table: TableMap, columns: Sequence[int]) -> None:
    """One row image: a bit for each of its columns that is NULL, then the values of the others."""
    nulls = int.from_bytes(rest.take((len(columns) + 7) // 8), "little")
    for location, index in enumerate(columns):
        if not nulls >> location & 1:
            read_value(rest, _ANY, table.types[index], table.metas[index])
