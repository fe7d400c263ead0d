"""Searches a binlog: from a journalled checkpoint where there is one, else in skips.

A cold search relies on rising Xids of replicated transactions along a log: it reads a few
rows every 20,000 events, then every 2,000, and reads only the last part in full. Node-local writes
(`wsrep_on=OFF`) have small Xids that are not seqnos, so a probe counts the largest Xid it reads.
No result is trusted alone: the judge compares content at the position found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from backend.core.binlog.events import MAX_SKIP_EVENTS, PAGE_ROWS, Cursor, LogEvent, _after, skip_like
from backend.core.binlog.groups import Group, read_groups
from backend.core.binlog.window import whole_groups
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition

_PROBE_ROWS = 40
_HEAD_ROWS = 400
_FAR_STRIDES = (MAX_SKIP_EVENTS, 2_000, 200)
_NEAR_STRIDES = (4_000, 400)
"""Fewer than a stride: a sample is a second old, a stride overshoots, and the server reads every event skipped."""
_XID = re.compile(r"xid=(\d+)")
_GTID_SEQ = re.compile(r"GTID (\d+)-\d+-(\d+)")
GTID_SLACK = 2_000
"""The number of groups by which a node's log may deviate from the order of their seqnos."""

Measure = Callable[[LogEvent], int | None]


def xid_of(event: LogEvent) -> int | None:
    """The Xid of an event, None where it has none."""
    if event.type != "Xid":
        return None
    match = _XID.search(event.info)
    return int(match.group(1)) if match else None


def gtid_seq_of(domain: int) -> Measure:
    """A measure that reads the GTID sequence number of one domain."""

    def measure(event: LogEvent) -> int | None:
        if event.type != "Gtid":
            return None
        match = _GTID_SEQ.search(event.info)
        return int(match.group(2)) if match and int(match.group(1)) == domain else None

    return measure


def lower_bound(cursor: Cursor, value: int, measure: Measure) -> FilePosition | None:
    """A boundary at or before the first event whose measure reaches `value`.

    None where the retained logs begin after it (purged).
    """
    file = _file_holding(cursor, value, measure)
    if file is None:
        return None
    return approach(cursor, FilePosition(file, FIRST_EVENT_OFFSET), value, measure)


def approach(cursor: Cursor, start: FilePosition, value: int, measure: Measure) -> FilePosition:
    """A boundary nearer to the first event whose measure reaches `value`, in the same file.

    It is one probe earlier than necessary, so that the groups before the target are read too; `start`
    itself where the target is near. Skipping events costs a tenth of reading them.
    """
    for stride in (MAX_SKIP_EVENTS, PAGE_ROWS):
        start = _narrow(cursor, start, value, measure, stride).earlier
    return start


def _file_holding(cursor: Cursor, value: int, measure: Measure) -> str | None:
    """The newest file that starts below `value`: the heads of files are read, the newest file first.

    A head lower than that of the file before it consists of node-local numbers and is skipped;
    reading on from an earlier file reaches the same position.
    """
    names = [name for name, _ in cursor.files()]
    for i in range(len(names) - 1, 0, -1):
        head = _head_values(cursor, names[i], measure)
        if head and max(head) <= value:
            earlier = (_head_values(cursor, name, measure) for name in reversed(names[:i]))
            before = next((values for values in earlier if values), [])
            if not before or max(before) <= max(head):
                return names[i]
    if not names:
        return None
    oldest = _head_values(cursor, names[0], measure)
    is_candidate = not oldest or min(oldest) <= value
    return names[0] if is_candidate or is_beginning_of_history(cursor) else None


def _head_values(cursor: Cursor, file: str, measure: Measure) -> list[int]:
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


def _is_beginning(cursor: Cursor, file: str) -> bool:
    rows = cursor.page(file, FIRST_EVENT_OFFSET, limit=3)
    return any(row.type == "Gtid_list" and row.info.strip() == "[]" for row in rows)


class _LowerProbes(NamedTuple):
    """`low` is the last probe before the value, `earlier` the probe before that one."""

    earlier: FilePosition
    low: FilePosition


def _narrow(cursor: Cursor, start: FilePosition, value: int, measure: Measure, stride: int) -> _LowerProbes:
    """Skip ahead by `stride` events, fewer where they are long, while the measure stays below `value`."""
    low = earlier = start
    offset = start.offset
    rows = cursor.page(start.file, offset, limit=_PROBE_ROWS)
    highest = max((v for v in map(measure, rows) if v is not None), default=-1)
    while True:
        skip = skip_like(len(rows), rows[-1].pos - rows[0].pos, stride) if rows else stride
        rows = cursor.page(start.file, offset, skip=skip, limit=_PROBE_ROWS)
        values = [v for v in map(measure, rows) if v is not None]
        after = _after(rows) if rows else None
        if after is None or (values and max(values) >= value):
            return _LowerProbes(earlier, low)
        offset = after
        if values and max(values) > highest:
            highest = max(values)
            earlier, low = low, FilePosition(start.file, rows[0].pos)


def is_beginning_of_history(cursor: Cursor) -> bool:
    """Whether the oldest retained file has no purged predecessor: its Gtid_list is empty."""
    files = cursor.files()
    return bool(files) and _is_beginning(cursor, files[0][0])


def find_xid(cursor: Cursor, xid: int, checkpoint: FilePosition | None) -> tuple[Group | None, bool]:
    """The group with the Xid, and whether the checkpoint led to it; a cold search is the fallback."""
    if checkpoint is not None and checkpoint.file in {name for name, _ in cursor.files()}:
        group = _first_behind(cursor, checkpoint, xid, _NEAR_STRIDES)
        if group is not None:
            return group, True
    file = _file_holding(cursor, xid, xid_of)
    if file is None:
        return None, False
    return _first_behind(cursor, FilePosition(file, FIRST_EVENT_OFFSET), xid, _FAR_STRIDES), False


def _first_behind(cursor: Cursor, start: FilePosition, xid: int, strides: Sequence[int]) -> Group | None:
    """Skip as near as possible, since nothing before the group need be read, then check every group."""
    for stride in strides:
        start = _narrow(cursor, start, xid, xid_of, stride).low
    return _first_with(cursor, start, xid)


def _first_with(cursor: Cursor, start: FilePosition, xid: int) -> Group | None:
    """Read on from `start`, page by page, until the Xid or a greater one is found."""
    for group in read_groups(
        whole_groups(cursor, start), row_images=cursor.source.row_images, forms=cursor.source.forms
    ):
        if group.xid == xid:
            return group
        if group.xid is not None and group.xid > xid:
            return None
    return None
