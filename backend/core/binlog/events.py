"""Events of a binary or relay log, read through the server in pages small enough not to delay production.

`SHOW BINLOG EVENTS` holds LOCK_log, and so blocks every commit of that server, for the whole
call, also for an old closed file (experiment 8): 20,000 skipped events cost about 10 ms, so no
call here skips or reads more. It holds the lock while it sends, too, so pages of long events have fewer rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from backend.core.dialects import EventForms
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition

MAX_SKIP_EVENTS = 20_000
PAGE_ROWS = 2_000
FIRST_ROWS = 256
PAGE_BYTES = 4_000_000
"""Bytes of log in one page, estimated from the length of the events before it."""
SHORT_EVENT_BYTES = 32
"""No skip of so many events can pass the end of a file that has fewer bytes left."""
SKIP_BYTES = 200_000_000
"""Bytes of log that one call skips, estimated in the same way: the server reads them all, 4.3 GB in 31 s (measured)."""
_LEAST_ROWS = 16
HUGE_FILE_BYTES = 2**31
"""`max_binlog_size` is at most 1 GiB: only a huge transaction makes a file longer."""
HUGE_FILE_ROWS = 128
"""In a page of such a file: short events before the transaction do not tell how long its own are."""


class RowImages(StrEnum):
    """What a log's row images hold, and so with which other log's the sizes of its rows can be compared."""

    FULL = "u"
    WITHOUT_GENERATED = "g"
    """As FULL, except that those of UPDATE and DELETE have no generated columns: 11.8 (seen)."""
    PARTIAL = "-"


class LogEvent(NamedTuple):
    """One row of SHOW BINLOG/RELAYLOG EVENTS.

    In a relay log `end_log_pos` is an offset in the *source's* log, only `pos` is the relay log's own. It is 0 where
    the server did not write it: inside transactions, since 11.4 (`binlog_legacy_event_pos=OFF`).
    """

    file: str
    pos: int
    type: str
    server_id: int
    end_log_pos: int
    info: str


def size_of(event: LogEvent) -> int | None:
    """The event's size in bytes, None where its end is unknown; end_log_pos is 32 bits wide and may have wrapped.

    MySQL shows each event of a compressed transaction as one that begins where all of them end.
    """
    return (event.end_log_pos - event.pos) % 2**32 or None if event.end_log_pos else None


def with_ends(events: Sequence[LogEvent], after: int | None) -> list[LogEvent]:
    """The events of a binary log with each end that the server did not write: where the next event begins.

    `after` is where the event behind the last one begins, None where none is known to follow.
    """
    begins = [*(event.pos for event in events[1:]), after]
    return [
        event if event.end_log_pos or begin is None else event._replace(end_log_pos=begin % 2**32)
        for event, begin in zip(events, begins, strict=True)
    ]


class EventSource(Protocol):
    """One node's binary log (or one channel's relay log), read page by page.

    `row_images`: what they hold, by binlog_row_image and the release. `forms`: what the family calls its events.
    """

    @property
    def row_images(self) -> RowImages: ...

    @property
    def forms(self) -> EventForms: ...

    def files(self) -> Sequence[tuple[str, int]]:
        """Retained files, oldest first, with their size in bytes."""
        ...

    def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
        """Up to `limit` events from the boundary `offset`, after `skip` events; [] at the end."""
        ...


class EventBudgetError(Exception):
    """A search was about to exceed its budget of events; `scanned` is the number it did read."""

    def __init__(self, scanned: int) -> None:
        super().__init__(f"stopped after {scanned:,} events")
        self.scanned = scanned


class Cursor:
    """Reads pages from a source and counts what the search cost, within a budget of events."""

    def __init__(self, source: EventSource, *, budget_events: int = 40_000_000) -> None:
        self.source = source
        self.scanned_events = 0
        self.boundaries: dict[str, list[FilePosition]] = {}
        self._budget_events = budget_events
        self._files: list[tuple[str, int]] | None = None

    def files(self) -> list[tuple[str, int]]:
        """Retained files, read once per cursor."""
        if self._files is None:
            self._files = list(self.source.files())
        return self._files

    def next_file(self, file: str) -> str | None:
        """The file after `file`; queries the server again where it seems the last (rotation)."""
        for attempt in (0, 1):
            names = [name for name, _ in self.files()]
            if file in names and names.index(file) + 1 < len(names):
                return names[names.index(file) + 1]
            if attempt == 0:
                self._files = None
        return None

    def page(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
        """Read one bounded page; raises EventBudgetError past the budget."""
        if skip > MAX_SKIP_EVENTS:
            raise ValueError(f"a skip of {skip} events would stall commits")
        if self.scanned_events > self._budget_events:
            raise EventBudgetError(self.scanned_events)
        rows = self.source.events(file, offset, limit=limit, skip=skip)
        self.scanned_events += len(rows) + (skip if rows else 0)
        return rows

    def events_from(self, start: FilePosition, *, page_rows: int = PAGE_ROWS) -> Iterator[LogEvent]:
        """Every event from `start` on, through later files, up to the log's end when it is reached."""
        file: str | None = start.file
        offset = start.offset
        rows_wanted = min(FIRST_ROWS, page_rows)
        while file is not None:
            most = min(page_rows, HUGE_FILE_ROWS) if self._is_huge(file) else page_rows
            following: str | None = None
            while True:
                rows_wanted = min(rows_wanted, most)
                rows = self.page(file, offset, limit=rows_wanted)
                yield from rows
                after = _after(rows) if rows else None
                if after is None:
                    following = following or self.next_file(file)
                    break
                if len(rows) < rows_wanted and (following := self.next_file(file)) is None:
                    break
                offset = after
                rows_wanted = _rows_like(rows, most)
            file = following
            offset = FIRST_EVENT_OFFSET

    def _is_huge(self, file: str) -> bool:
        return any(name == file and size > HUGE_FILE_BYTES for name, size in self.files())


def _rows_like(rows: Sequence[LogEvent], most: int) -> int:
    """The number of events of this length in a page, at most `most`."""
    if not rows:
        return most
    length = (_after(rows) or rows[-1].pos) - rows[0].pos
    return min(most, max(_LEAST_ROWS, PAGE_BYTES * len(rows) // max(1, length)))


def skip_like(events: int, length: int, most: int) -> int:
    """How many events to skip, at most `most`, where so many events took so many bytes."""
    return min(most, max(_LEAST_ROWS, SKIP_BYTES * events // max(1, length)))


def _after(rows: Sequence[LogEvent]) -> int | None:
    """Offset of the event after the last row, None where the file ends in the middle of a transaction."""
    last = rows[-1]
    return last.pos + (size_of(last) or 0) if last.end_log_pos else None
