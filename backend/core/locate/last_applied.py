"""What the receiving side last applied: the last foreign groups in one of its own binlogs.

Any working node of the receiving cluster will do: applied groups have their origin's server id and
their content on every node (experiments 5 and 23).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backend.core.binlog.events import Cursor
from backend.core.binlog.file_search import is_beginning_of_history
from backend.core.binlog.groups import Group, InStream
from backend.core.binlog.window import boundaries_to_end, earlier_start, page_boundaries, read_window, to_log_end
from backend.core.positions import FilePosition


@dataclass(frozen=True, slots=True)
class TailStart:
    """A position at which reading may begin, and the time at which it was the log's end."""

    position: FilePosition
    observed_at_s: float


@dataclass(frozen=True, slots=True)
class LastApplied:
    """The receiving side's last stream groups, oldest first, and how far back the log was read."""

    groups: tuple[Group, ...]
    covers_since_s: float | None
    is_whole_history: bool

    def reaches_back_to(self, time_s: float) -> bool:
        """Whether everything applied after `time_s` was read."""
        return self.is_whole_history or (self.covers_since_s is not None and self.covers_since_s <= time_s)


def read_last_applied(
    cursor: Cursor,
    starts: Iterable[TailStart],
    in_stream: InStream,
    *,
    wanted: int,
    enough_since_s: float | None,
) -> LastApplied:
    """Read the log's end from ever earlier starts until `wanted` stream groups were read.

    Fewer are enough once the window reaches back past `enough_since_s`, or where nothing is
    known to have been applied at any time. Without usable starts the log is read backwards in pages,
    up to the cursor's budget.
    """
    best: LastApplied | None = None
    retained = {name for name, _ in cursor.files()}
    for start in starts:
        if start.position.file not in retained:
            continue
        groups = _last_since(cursor, start.position, in_stream, wanted)
        best = LastApplied(tuple(groups), start.observed_at_s, is_whole_history=False)
        if len(best.groups) >= wanted:
            return best
        if enough_since_s is not None and best.reaches_back_to(enough_since_s):
            return best
    if best is not None and best.groups and enough_since_s is None:
        return best
    return _backwards(cursor, in_stream, wanted)


def _backwards(cursor: Cursor, in_stream: InStream, wanted: int) -> LastApplied:
    """Read pages from the log's end towards its beginning, each once, until enough groups were read."""
    names = [name for name, _ in cursor.files()]
    found: list[Group] = []
    start = page_boundaries(cursor, names[-1])[-1] if names else None
    behind: FilePosition | None = None
    while start is not None:
        window = read_window(cursor, start, in_stream, lambda _: False, following=0, until=behind)
        found = window.stream + found
        if len(found) >= wanted:
            return LastApplied(tuple(found[-wanted:]), None, is_whole_history=False)
        behind = window.first or behind
        start = earlier_start(cursor, start)
    is_whole = bool(names) and is_beginning_of_history(cursor)
    return LastApplied(tuple(found), None, is_whole_history=is_whole)


def _last_since(cursor: Cursor, start: FilePosition, in_stream: InStream, wanted: int) -> Sequence[Group]:
    """The last stream groups since a position, all where they are fewer: read from near the log's end, each once.

    A busy side applies thousands of groups in the seconds since its last sample. Skipping them costs a tenth.
    """
    found: list[Group] = []
    behind: FilePosition | None = None
    for near in reversed(boundaries_to_end(cursor, start)):
        window = read_window(cursor, near, in_stream, to_log_end, following=0, until=behind)
        found = window.stream + found
        if len(found) >= wanted:
            break
        behind = window.first or behind
    return found[-wanted:]
