"""Groups of a dump, described in full only where they may be ones that are looked for."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from backend.core.binlog.events import LogEvent, RowImages
from backend.core.binlog.groups import read_groups
from backend.core.binlog.statement_text import without_secrets
from backend.core.dialects import MARIADB_EVENTS
from backend.core.lookup.log_events import ANNOTATE, GTID, XID, is_control, is_known, shown_event
from backend.core.lookup.model import LoggedGroup
from backend.core.lookup.row_count import count_rows
from backend.core.orphans.schema_changes.query_event import QUERY, QUERY_COMPRESSED
from backend.core.orphans.transactions import RawEvent
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.row_event_bytes import ROW_EVENTS, TABLE_MAP

STORED_BYTES = 2**20
"""Of the rows of a larger group no more is stored, and they are not counted."""
_ROW_HEADER = 8
_TEXT_CHARACTERS = 100_000
"""Of longer statements only the beginning is compared."""
STATEMENTS = frozenset({QUERY, QUERY_COMPRESSED})


@dataclass(slots=True)
class DumpedGroup:
    """The events of one group as the server sent them. `is_open`: nothing was sent after it yet."""

    file: str
    start: int
    end: int
    events: list[RawEvent] = field(default_factory=list)
    is_open: bool = False
    has_rows: bool = False
    has_text: bool = False
    has_unknown: bool = False
    _row_bytes: int = 0

    @property
    def begin_position(self) -> FilePosition:
        """The position at which it begins."""
        return FilePosition(self.file, self.start)

    @property
    def end_position(self) -> FilePosition:
        """The position at which it ends."""
        return FilePosition(self.file, self.end)

    @property
    def at_s(self) -> int:
        """The time of its first event."""
        return self.events[0].at_s

    @property
    def server_id(self) -> int:
        """The server that wrote it."""
        return self.events[0].server_id

    @property
    def gtid(self) -> tuple[int, int] | None:
        """Domain and sequence number."""
        if self.events[0].kind != GTID:
            return None
        sequence, domain = struct.unpack_from("<QI", self.events[0].body)
        return domain, sequence

    @property
    def is_half(self) -> bool:
        """Whether it is half of an ALTER and changes nothing, so that it is no transaction to be found."""
        half = MARIADB_EVENTS.half
        return half is not None and self.events[0].kind == GTID and half.search(self._head()) is not None

    def _head(self) -> str:
        return shown_event(self.events[0], self.start).info

    @property
    def xid(self) -> int | None:
        """Its Xid; None for DDL and the like."""
        last = self.events[-1]
        return int.from_bytes(last.body[:8], "little") if last.kind == XID else None

    def take(self, event: RawEvent, size: int) -> None:
        """Append its next event."""
        self.end += size
        is_rows = event.kind in ROW_EVENTS
        if is_rows or event.kind == TABLE_MAP:
            self._row_bytes += len(event.body)
        if is_rows and self._row_bytes > STORED_BYTES:
            event = event._replace(body=event.body[:_ROW_HEADER])
        self.has_rows |= is_rows
        self.has_text |= event.kind == ANNOTATE
        self.has_unknown |= not is_known(event)
        self.events.append(event)

    def described(self, *, row_images: RowImages, counts_rows: bool = False) -> LoggedGroup | None:
        """The group in full; None where its end was not sent. Raises UnknownEventError."""
        group = next(read_groups(self._shown(), row_images=row_images), None)
        if group is None:
            return None
        texts = [e.info for e in self._shown() if e.type == "Annotate_rows" or e.type.startswith("Query")]
        statements = _statements(texts)
        rows = self._row_count() if counts_rows else None
        return LoggedGroup(group, self.at_s, rows, statements, bool(statements) or not self.has_rows)

    def _shown(self) -> Iterator[LogEvent]:
        pos = self.start
        for event in self.events:
            yield shown_event(event, pos)
            pos += (event.end - pos) % 2**32

    def _row_count(self) -> int | None:
        if self._row_bytes > STORED_BYTES:
            return None
        return count_rows([event for event in self.events if event.kind in ROW_EVENTS or event.kind == TABLE_MAP])


def dumped_groups(raw: Iterable[RawEvent], start: FilePosition) -> Iterator[DumpedGroup]:
    """The groups of a dump that begin in it, each with its offsets, which the protocol does not send.

    As `read_groups`: halves of an ALTER that change nothing are left out.
    """
    file, pos = start.file, start.offset
    group: DumpedGroup | None = None
    is_inside = start.offset > FIRST_EVENT_OFFSET
    for event in raw:
        if not event.end:
            continue  # made up by the server for this connection, not in the log
        if event.file != file:
            file, pos, is_inside = event.file, FIRST_EVENT_OFFSET, False
        size = (event.end - pos) % 2**32
        if group is not None and (event.kind == GTID or is_control(event)):
            if not group.is_half:
                yield group
            group = None
        if event.kind == GTID or (group is None and not is_control(event) and not is_inside):
            group, is_inside = DumpedGroup(file, pos, pos), False
        if group is not None:
            group.take(event, size)
        pos += size
    if group is not None and not group.is_half:
        group.is_open = True
        yield group


def _statements(texts: Sequence[str]) -> tuple[str, ...]:
    statements = (text for text in texts if text.upper() not in ("BEGIN", "COMMIT", "ROLLBACK"))
    return tuple(without_secrets(text)[:_TEXT_CHARACTERS] for text in statements)
