"""Counts the rows of row events by the lengths of their values, without the table's definition."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from backend.core.orphans.model import Column
from backend.core.orphans.rows.column_values import read_value
from backend.core.orphans.rows.row_events import TableMap, table_map
from backend.core.orphans.transactions import RawEvent
from backend.core.row_event_bytes import (
    PACKED_ROW_EVENTS,
    TABLE_MAP,
    UPDATES,
    V2_ROW_EVENTS,
    Bytes,
    UnreadableError,
    table_number,
    unpacked,
)

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
    if event.kind in V2_ROW_EVENTS:
        rest.take(rest.number(2) - 2)
    count = rest.length()
    present = [_columns(rest.take((count + 7) // 8), count) for _ in range(2 if event.kind in UPDATES else 1)]
    if event.kind in PACKED_ROW_EVENTS:
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
