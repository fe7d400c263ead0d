"""Chooses the file of a log that holds a number, by the first numbers of few of the files: a log may have thousands."""

from __future__ import annotations

from collections.abc import Callable

from backend.core.binlog.events import Cursor, LogEvent, _after
from backend.core.positions import FIRST_EVENT_OFFSET

_HEAD_ROWS = 400
_FEW_FILES = 16
"""As many heads are read one after the other, the newest file first."""
_NEAR_FILES = 8
"""So many files in a row may have heads without numbers, each of one huge transaction."""

Measure = Callable[[LogEvent], int | None]


def file_holding(cursor: Cursor, value: int, measure: Measure) -> str | None:
    """The newest file that starts below `value`: the heads of files are read, the newest file first.

    A head lower than that of the file before it consists of node-local numbers and is skipped;
    reading on from an earlier file reaches the same position.
    """
    names = [name for name, _ in cursor.files()]
    for i in range(_newest_to_read(cursor, names, value, measure), 0, -1):
        head = head_values(cursor, names[i], measure)
        if head and max(head) <= value:
            earlier = (head_values(cursor, name, measure) for name in reversed(names[:i]))
            before = next((values for values in earlier if values), [])
            if not before or max(before) <= max(head):
                return names[i]
    if not names:
        return None
    oldest = head_values(cursor, names[0], measure)
    is_candidate = not oldest or min(oldest) <= value
    return names[0] if is_candidate or is_beginning_of_history(cursor) else None


def file_before_local_writes(cursor: Cursor, file: str, value: int, measure: Measure) -> str | None:
    """The nearest of some files before it that starts nearer below `value`; None where there is none.

    Numbers of replicated transactions rise along a log, so that the file then begins with node-local ones.
    """
    names = [name for name, _ in cursor.files()]
    index = names.index(file)
    highest = max(head_values(cursor, file, measure), default=-1)
    for name in reversed(names[max(0, index - _NEAR_FILES) : index]):
        head = head_values(cursor, name, measure)
        if head and highest < max(head) <= value:
            return name
    return None


def _newest_to_read(cursor: Cursor, names: list[str], value: int, measure: Measure) -> int:
    """The index of a file behind which all files start above `value`, found by halves.

    Numbers rise along a log. Where they do not (a cluster that was bootstrapped again counts from 0), or a head has
    none, it is the newest file: then each head is read.
    """
    if len(names) <= _FEW_FILES or (known := _head_near(cursor, names, len(names) - 1, measure)) is None:
        return len(names) - 1
    (above, last), below, step = known, 0, 1
    if last <= value:
        return len(names) - 1
    while above - below > 1:
        middle = max((above + below) // 2, above - step)
        step *= 2
        known = _head_near(cursor, names, middle, measure)
        if known is None or known[1] > last or (known[1] > value and known[0] <= below):
            return len(names) - 1
        if known[1] <= value:
            below = middle
        else:
            above, last = known
    return above


def _head_near(cursor: Cursor, names: list[str], index: int, measure: Measure) -> tuple[int, int] | None:
    """The index of that file, or of one close before it whose head has numbers, and the largest of them."""
    for near in range(index, max(-1, index - _NEAR_FILES), -1):
        values = head_values(cursor, names[near], measure)
        if values:
            return near, max(values)
    return None


def head_values(cursor: Cursor, file: str, measure: Measure) -> list[int]:
    """The first few numbers of a file; [] where its head has none (for example one huge group)."""
    offset = FIRST_EVENT_OFFSET
    for _ in range(8):
        rows = cursor.page(file, offset, limit=_HEAD_ROWS)
        values = [v for v in map(measure, rows) if v is not None]
        after = _after(rows) if len(rows) == _HEAD_ROWS else None
        if values or after is None:
            return values[:8]
        offset = after
    return []


def is_beginning_of_history(cursor: Cursor) -> bool:
    """Whether the oldest retained file has no purged predecessor: its Gtid_list is empty."""
    files = cursor.files()
    return bool(files) and _is_beginning(cursor, files[0][0])


def _is_beginning(cursor: Cursor, file: str) -> bool:
    rows = cursor.page(file, FIRST_EVENT_OFFSET, limit=3)
    return any(row.type == "Gtid_list" and row.info.strip() == "[]" for row in rows)
