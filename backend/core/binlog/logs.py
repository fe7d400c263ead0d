"""Logs of a server as event sources: the binlog of a node, the relay log of a channel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, Protocol, runtime_checkable

from backend.core.binlog.events import PAGE_ROWS, LogEvent, RowImages, with_ends
from backend.core.dialects import dialect_of
from backend.core.dialects.base import Dialect
from backend.core.dialects.tested_versions import leaves_out_generated
from backend.core.ports import NodeReader, Row
from backend.core.topology import NodeFacts

PAGE_TIMEOUT_S = 5.0


@runtime_checkable
class TupleReader(Protocol):
    """A reader that can also return rows without a mapping for each: a page has thousands of rows."""

    def query_rows(self, sql: str, *, timeout_s: float | None = None) -> Sequence[tuple[Any, ...]]:
        """Rows in the order of the server's columns, texts as bytes; raises NodeError."""
        ...


class BinaryLog:
    """A node's binary log, read through SHOW BINLOG EVENTS."""

    def __init__(self, reader: NodeReader, dialect: Dialect, *, row_images: RowImages = RowImages.FULL) -> None:
        self._reader = reader
        self._dialect = dialect
        self.row_images = row_images
        self.forms = dialect.events

    def files(self) -> Sequence[tuple[str, int]]:
        """Retained files with their sizes; raises NodeError."""
        rows = self._reader.query(self._dialect.binlog_files_query())
        return [(str(row["Log_name"]), int(str(row["File_size"]))) for row in rows]

    def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
        """One page; raises NodeError."""
        rows = self._query(file, offset, limit, skip)
        if rows and (rows[-1].type == self.forms.payload or rows[-1].pos == rows[-1].end_log_pos):
            rows = self._to_end_of_payload(rows, skip + len(rows), offset)
        return rows if all(row.end_log_pos for row in rows) else with_ends(rows, self._next_of(rows[-1]))

    def _query(self, file: str, offset: int, limit: int, skip: int) -> list[LogEvent]:
        return _page(self._reader, self._dialect.binlog_events_query(file, offset, limit=limit, skip=skip))

    def _to_end_of_payload(self, rows: list[LogEvent], read: int, offset: int) -> list[LogEvent]:
        """The page with the rest of its compressed transaction, whose events all begin where it ends.

        The next page would begin behind them, and the transaction's own end was never seen (observed on MySQL 9.7.4).
        """
        payload_end = rows[-1].end_log_pos
        while True:
            more = self._query(rows[0].file, offset, PAGE_ROWS, read)
            inside = list(takewhile(lambda row: row.pos == row.end_log_pos == payload_end, more))
            rows, read = [*rows, *inside], read + len(inside)
            if len(inside) < PAGE_ROWS:
                return rows

    def _next_of(self, last: LogEvent) -> int | None:
        """Where the event after this one begins; asks the server only where the event does not tell."""
        if last.end_log_pos:
            return None
        rows = self._query(last.file, last.pos, 2, 0)
        return rows[1].pos if len(rows) > 1 else None


def log_of(reader: NodeReader, node: NodeFacts) -> BinaryLog:
    """The binary log of a node, with its current settings."""
    is_full = (node.variable("binlog_row_image") or "FULL").upper() == "FULL"
    full = RowImages.WITHOUT_GENERATED if leaves_out_generated(node.version) else RowImages.FULL
    images = full if is_full else RowImages.PARTIAL
    return BinaryLog(reader, dialect_of(node), row_images=images)


class RelayLog:
    """A channel's relay log on its replica, read through SHOW RELAYLOG EVENTS; its sizes are not comparable."""

    row_images = RowImages.PARTIAL

    def __init__(self, reader: NodeReader, dialect: Dialect, channel_name: str) -> None:
        self._reader = reader
        self._dialect = dialect
        self._channel_name = channel_name
        self.forms = dialect.events

    def files(self) -> Sequence[tuple[str, int]]:
        """Not supported: a relay log's files cannot be listed through the server."""
        return ()

    def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
        """One page; raises NodeError."""
        sql = self._dialect.relay_events_query(self._channel_name, file, offset, limit=limit, skip=skip)
        return _page(self._reader, sql)


def _page(reader: NodeReader, sql: str) -> list[LogEvent]:
    if isinstance(reader, TupleReader):
        return _from_tuples(reader.query_rows(sql, timeout_s=PAGE_TIMEOUT_S))
    return [_event(row) for row in reader.query(sql, timeout_s=PAGE_TIMEOUT_S)]


def _from_tuples(rows: Iterable[tuple[Any, ...]]) -> list[LogEvent]:
    """Columns as MariaDB and MySQL send them: Log_name, Pos, Event_type, Server_id, End_log_pos, Info.

    File names and types repeat, so each is decoded once a page.
    """
    decoded: dict[bytes, str] = {}
    found = []
    for file, pos, kind, server_id, end_log_pos, info in rows:
        for word in (file, kind):
            if word not in decoded:
                decoded[word] = _text(word)
        found.append(LogEvent(decoded[file], pos, decoded[kind], server_id, end_log_pos, _text(info)))
    return found


def _text(raw: bytes) -> str:
    """Undecodable bytes stay visible: rows quote statements of any charset."""
    return raw.decode("utf-8", "backslashreplace")


def _event(row: Row) -> LogEvent:
    return LogEvent(
        row["Log_name"],  # type: ignore[arg-type]
        row["Pos"],  # type: ignore[arg-type]
        row["Event_type"],  # type: ignore[arg-type]
        row["Server_id"],  # type: ignore[arg-type]
        row["End_log_pos"],  # type: ignore[arg-type]
        row["Info"],  # type: ignore[arg-type]
    )
