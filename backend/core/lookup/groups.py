"""Groups of a dump with their times, statements and number of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from backend.core.binlog.events import LogEvent
from backend.core.binlog.groups import read_groups
from backend.core.lookup.log_events import GTID, TimedEvent
from backend.core.lookup.model import LoggedGroup
from backend.core.lookup.row_count import count_rows
from backend.core.lookup.statement_text import without_secrets
from backend.core.orphans.rows.row_events import ROW_EVENTS, TABLE_MAP
from backend.core.orphans.transactions import RawEvent

COUNTED_BYTES = 2**20
"""Rows of a larger group are not counted: their images would have to be kept."""
_TEXT_CHARACTERS = 100_000
"""Of longer statements only the beginning is compared."""


class _Seen:
    """The events of the group being read, as far as they are needed."""

    def __init__(self) -> None:
        self._begin(0)

    def _begin(self, at_s: int) -> None:
        self.at_s = at_s
        self.texts: list[str] = []
        self.rows: list[RawEvent] = []
        self.bytes = 0
        self.has_rows = False

    def take(self, raw: RawEvent, event: LogEvent) -> None:
        """Keep one event."""
        if raw.kind == GTID:
            self._begin(raw.at_s)
        elif event.type == "Annotate_rows" or event.type.startswith("Query"):
            self.texts.append(event.info)
        elif raw.kind == TABLE_MAP or raw.kind in ROW_EVENTS:
            self.has_rows |= raw.kind in ROW_EVENTS
            self.bytes += len(raw.body)
            if self.bytes <= COUNTED_BYTES:
                self.rows.append(raw)
            else:
                self.rows.clear()


def logged_groups(events: Iterable[TimedEvent], *, has_full_images: bool = True) -> Iterator[LoggedGroup]:
    """The groups of a dump that began within it; raises UnknownEventError."""
    seen = _Seen()
    for group in read_groups(_whole(events, seen), has_full_images=has_full_images):
        statements = _statements(seen.texts)
        has_text = bool(statements) or not seen.has_rows
        events_of_rows = tuple(seen.rows) if seen.bytes <= COUNTED_BYTES else None
        yield LoggedGroup(group, seen.at_s, None, statements, has_text, events_of_rows)


def _whole(events: Iterable[TimedEvent], seen: _Seen) -> Iterator[LogEvent]:
    """Without the rest of a group that began before the dump."""
    has_begun = False
    first = ""
    for raw, event in events:
        first = first or event.file
        has_begun = has_begun or raw.kind == GTID or event.file != first
        if has_begun:
            seen.take(raw, event)
            yield event


def _statements(texts: Sequence[str]) -> tuple[str, ...]:
    statements = (text for text in texts if text.upper() not in ("BEGIN", "COMMIT", "ROLLBACK"))
    return tuple(without_secrets(text)[:_TEXT_CHARACTERS] for text in statements)


def counted(one: LoggedGroup) -> LoggedGroup:
    """The group with its number of rows, and without the events that were stored to count them."""
    rows = None if one.row_events is None else count_rows(one.row_events)
    return replace(one, rows=rows, row_events=None)
