"""Reads a window of a log group by group, and extends it back some pages at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from backend.core.binlog.events import (
    FIRST_ROWS,
    MAX_SKIP_EVENTS,
    PAGE_ROWS,
    SHORT_EVENT_BYTES,
    Cursor,
    LogEvent,
    skip_like,
)
from backend.core.binlog.groups import Group, InStream, read_groups
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition


@dataclass(slots=True)
class Window:
    """Consecutive groups of a log: its stream groups in order, and the Xids of the groups between them.

    `outside_stream` holds (number of stream groups before it, Xid, end) for groups outside the stream.
    """

    start: FilePosition
    stream: list[Group]
    outside_stream: list[tuple[int, int | None, FilePosition]]
    end: FilePosition
    reached_log_end: bool = False
    first: FilePosition | None = None

    def followed_by(self, newer: Window) -> Window:
        """Both as one window; this one was read up to the start of `newer`."""
        offset = len(self.stream)
        outside_stream = [(offset + before, xid, end) for before, xid, end in newer.outside_stream]
        first = self.first or newer.first
        return Window(
            self.start,
            self.stream + newer.stream,
            self.outside_stream + outside_stream,
            newer.end,
            newer.reached_log_end,
            first,
        )

    def contents(self) -> list[str]:
        """Content digests of the stream groups, in order."""
        return [group.content for group in self.stream]

    def numbered(self) -> Iterator[tuple[int, int]]:
        """All groups with a Xid in log order, as (index of the last stream group up to it, Xid)."""
        remaining = iter(self.outside_stream)
        other = next(remaining, None)
        for i, group in enumerate(self.stream):
            while other is not None and other[0] <= i:
                if other[1] is not None:
                    yield other[0] - 1, other[1]
                other = next(remaining, None)
            if group.xid is not None:
                yield i, group.xid
        while other is not None:
            if other[1] is not None:
                yield other[0] - 1, other[1]
            other = next(remaining, None)

    def index_of_xid(self, xid: int) -> list[int]:
        """For each group with the Xid: index of the last stream group at or before it (-1: none)."""
        inside = [i for i, group in enumerate(self.stream) if group.xid == xid]
        outside_matches = [before - 1 for before, number, _ in self.outside_stream if number == xid]
        return inside + outside_matches


def read_window(
    cursor: Cursor,
    start: FilePosition,
    in_stream: InStream,
    is_past: Callable[[Group], bool],
    *,
    following: int,
    until: FilePosition | None = None,
) -> Window:
    """Read groups from `start` to `following` stream groups past the target, or to the log's end.

    With `until`, only groups that begin before it. Raises UnknownEventError and EventBudgetError.
    """
    window = Window(start, [], [], start)
    past = 0
    for group in read_groups(
        whole_groups(cursor, start),
        row_images=cursor.source.row_images,
        forms=cursor.source.forms,
        in_stream=in_stream,
        with_idle=True,
    ):
        if until is not None and until <= group.begin_position:
            return window
        window.first = window.first or group.begin_position
        window.end = group.end_position
        if group.changes_nothing:
            continue
        if in_stream(group):
            window.stream.append(group)
        else:
            window.outside_stream.append((len(window.stream), group.xid, group.end_position))
        if is_past(group):
            past += in_stream(group)
            if past > following:
                return window
    window.reached_log_end = True
    return window


def to_log_end(group: Group) -> bool:
    """Read from `start` to the log's end."""
    del group
    return False


def read_to_end(cursor: Cursor, start: FilePosition, in_stream: InStream, newer: Window | None = None) -> Window:
    """All groups from `start` on, without reading those of `newer` again, which was read to the log's end."""
    if newer is None or not newer.reached_log_end:
        return read_window(cursor, start, in_stream, to_log_end, following=0)
    if newer.start <= start:
        return newer
    older = read_window(cursor, start, in_stream, to_log_end, following=0, until=newer.first)
    return older.followed_by(newer) if newer.first is not None else older


def whole_groups(cursor: Cursor, start: FilePosition) -> Iterator[LogEvent]:
    """Events from `start`, without the rest of a group that began before it (skips land anywhere)."""
    begun = False
    for event in cursor.events_from(start):
        begun = begun or event.type in cursor.source.forms.gtid_events or event.file != start.file
        if begun:
            yield event


def page_boundaries(cursor: Cursor, file: str) -> list[FilePosition]:
    """Boundaries every 20,000 events of one file, fewer where they are long, to read it backwards."""
    if file in cursor.boundaries:
        return cursor.boundaries[file]
    found = [FilePosition(file, FIRST_EVENT_OFFSET)]
    skip = MAX_SKIP_EVENTS
    while True:
        rows = cursor.page(file, found[-1].offset, skip=skip, limit=1)
        if not rows:
            cursor.boundaries[file] = found
            return found
        skip = skip_like(skip, rows[0].pos - found[-1].offset, MAX_SKIP_EVENTS)
        found.append(FilePosition(file, rows[0].pos))


def boundaries_to_end(cursor: Cursor, start: FilePosition) -> list[FilePosition]:
    """`start` and boundaries ever closer to the log's end, the last of them some hundred events from it.

    From the end on, each is about twice as far from it as the one behind it, up to a page, then a page or more.
    Only `start` where that is in an older file.
    """
    found = [start]
    file, size = cursor.files()[-1]
    if file != start.file:
        return found
    for stride in (MAX_SKIP_EVENTS, PAGE_ROWS):
        if size - found[-1].offset > stride * SHORT_EVENT_BYTES:
            found += _skipped(cursor, found[-1], stride)
    if size - found[-1].offset > FIRST_ROWS * SHORT_EVENT_BYTES:
        near = _skipped(cursor, found[-1], FIRST_ROWS)
        found += [near[-back] for back in (4, 2, 1) if back <= len(near)]
    return found


def _skipped(cursor: Cursor, start: FilePosition, stride: int) -> list[FilePosition]:
    """Boundaries behind `start` in its file, so many events apart, fewer where they are long."""
    found, skip = [start], stride
    while rows := cursor.page(start.file, found[-1].offset, skip=skip, limit=1):
        skip = skip_like(skip, rows[0].pos - found[-1].offset, stride)
        found.append(FilePosition(start.file, rows[0].pos))
    return found[1:]


def earlier_start(cursor: Cursor, start: FilePosition) -> FilePosition | None:
    """A boundary some pages before `start`, in the file before it if need be; None at the beginning."""
    names = [name for name, _ in cursor.files()]
    if start.file not in names:
        return None
    before = [p for p in page_boundaries(cursor, start.file) if p.offset < start.offset]
    if before:
        return before[-1]
    index = names.index(start.file)
    return page_boundaries(cursor, names[index - 1])[-1] if index else None


def extend_back(cursor: Cursor, window: Window, in_stream: InStream) -> Window | None:
    """The window extended by some pages, of which only these are read; None at the start of the retained logs."""
    start = earlier_start(cursor, window.start)
    if start is None:
        return None
    earlier = read_window(cursor, start, in_stream, to_log_end, following=0, until=window.first or window.end)
    return earlier.followed_by(window) if window.first is not None else earlier
