"""Finds in a node's log what changed one row, and whether a logged transaction left it as it was found.

Whatever a row holds was in it before the log was read from, or a transaction in the log left it so. A row that is
neither was changed by what is not logged as rows: a session without a log, a cascade of a foreign key. Layout of the
GTID event: MariaDB sql/log_event.h.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.orphans.model import Operation, RowImage, TableShape, Value
from backend.core.orphans.rows.row_events import TableMap, row_changes, table_map
from backend.core.orphans.schema_changes.query_event import QUERY, QUERY_COMPRESSED, read_query_event
from backend.core.orphans.transactions import RawEvent
from backend.core.positions import FilePosition
from backend.core.row_event_bytes import ROW_EVENTS, TABLE_MAP, UnreadableError, table_number

_GTID = 162
_CREATES = re.compile(r"\s*CREATE\s+TABLE\b", re.IGNORECASE)
Row = Mapping[str, Value]
"""By column."""


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A transaction that changed the row; `within` is a place in it, `gtid` is empty where the log has none."""

    within: FilePosition
    gtid: str
    server_id: int
    at_s: int
    operation: Operation


@dataclass(slots=True)
class RowHistory:
    """What a log tells of one row that was `found` on its node; None: it was not there.

    `last`: the last change that could be read; `writer`: the last one that left the row as it was found. `was_before`:
    the first change found it so. `unread`: what else may have changed the row, and could not be read.
    """

    found: Row | None
    last: LoggedChange | None = None
    writer: LoggedChange | None = None
    was_before: bool = False
    changes: int = 0
    unread: str = ""

    @property
    def is_as_logged(self) -> bool | None:
        """False: no logged transaction left it as it was found; None: unknown."""
        if self.writer is not None or self.was_before:
            return True
        return None if self.unread or not self.changes else False

    def add(self, change: LoggedChange, before: Row | None, after: Row | None) -> None:
        """The next change in the order of the log."""
        if not (self.changes or self.unread):
            self.was_before = self._is_found(before)
        self.last, self.changes = change, self.changes + 1
        if self._is_found(after):
            self.writer = change

    def _is_found(self, row: Row | None) -> bool:
        if row is None or self.found is None:
            return row is self.found
        return all(name in row and row[name] == value for name, value in self.found.items())


@dataclass(slots=True)
class _Transaction:
    gtid: str
    tables: dict[int, TableMap] = field(default_factory=dict)


def row_history(events: Iterable[RawEvent], shape: TableShape, key: Row, found: Row | None) -> RowHistory:
    """Follow the row with this key; `shape` is the table on that node, of `found` some columns may be left out."""
    history = RowHistory(found)
    transaction = _Transaction("")
    for event in events:
        if event.kind == _GTID:
            transaction = _Transaction(_gtid_of(event))
        elif event.kind == TABLE_MAP:
            number, table = table_map(event.body)
            transaction.tables[number] = table
        elif event.kind in ROW_EVENTS:
            _follow(history, event, transaction, shape, key)
        elif event.kind in (QUERY, QUERY_COMPRESSED) and _may_change(event, shape):
            history.unread = f"a statement that names {shape.name} was logged as text, within {event.file}:{event.end}"
    return history


def _may_change(event: RawEvent, shape: TableShape) -> bool:
    """Whether a statement names the table, or cannot be read; one that creates it finds and leaves no row."""
    try:
        sql = read_query_event(event.kind, event.body).sql
    except UnreadableError:
        return True
    return shape.table.lower() in sql.lower() and _CREATES.match(sql) is None


def _follow(history: RowHistory, event: RawEvent, transaction: _Transaction, shape: TableShape, key: Row) -> None:
    table = transaction.tables.get(table_number(event.body))
    if table is None or table.name != shape.name:
        return
    change = FilePosition(event.file, event.end), transaction.gtid, event.server_id, event.at_s
    try:
        for row in row_changes(event.kind, event.body, table, shape):
            for before, after in _of_key(_by_name(shape, row.before), _by_name(shape, row.after), key):
                history.add(LoggedChange(*change, row.operation), before, after)
    except UnreadableError as error:
        history.unread = str(error)


def _of_key(before: Row | None, after: Row | None, key: Row) -> Iterator[tuple[Row | None, Row | None]]:
    """The change as one of the row with that key: one that changes the key removes it, or makes it."""
    was, is_now = (before if _has(before, key) else None), (after if _has(after, key) else None)
    if was is not None or is_now is not None:
        yield was, is_now


def _has(row: Row | None, key: Row) -> bool:
    return row is not None and all(row[name] == value for name, value in key.items())


def _by_name(shape: TableShape, image: RowImage | None) -> Row | None:
    names: Sequence[str] = [column.name for column in shape.columns]
    return None if image is None else dict(zip(names, image, strict=True))


def _gtid_of(event: RawEvent) -> str:
    if len(event.body) < 12:
        return ""
    seq_no, domain = struct.unpack_from("<QI", event.body)
    return f"{domain}-{event.server_id}-{seq_no}"
