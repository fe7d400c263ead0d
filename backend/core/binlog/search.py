"""Searches a binlog: from a journalled checkpoint where there is one, else in skips.

A cold search relies on rising Xids of replicated transactions along a log: it reads a few
rows every 20,000 events, then every 2,000, and reads only the last part in full. Node-local writes
(`wsrep_on=OFF`) have small Xids that are not seqnos, so a probe counts the largest Xid it reads.
No result is trusted alone: the judge compares content at the position found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.core.binlog.events import (
    MAX_SKIP_EVENTS,
    PAGE_ROWS,
    SHORT_EVENT_BYTES,
    Cursor,
    LogEvent,
    _after,
    skip_like,
)
from backend.core.binlog.file_search import Measure, file_before_local_writes, file_holding
from backend.core.binlog.groups import Group, read_groups
from backend.core.binlog.window import whole_groups
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition

_PROBE_ROWS = 40
_FAR_STRIDES = (MAX_SKIP_EVENTS, 2_000, 200)
_NEAR_STRIDES = (4_000, 400)
"""Fewer than a stride: a sample is a second old, a stride overshoots, and the server reads every event skipped."""
_XID = re.compile(r"xid=(\d+)")
_GTID_SEQ = re.compile(r"GTID (\d+)-\d+-(\d+)")
GTID_SLACK = 2_000
"""The number of groups by which a node's log may deviate from the order of their seqnos."""


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
    file = file_holding(cursor, value, measure)
    if file is None:
        return None
    return approach(cursor, FilePosition(file, FIRST_EVENT_OFFSET), value, measure)


def approach(cursor: Cursor, start: FilePosition, value: int, measure: Measure) -> FilePosition:
    """A boundary nearer to the first event whose measure reaches `value`, in the same file.

    It is one probe earlier than necessary, so that the groups before the target are read too; `start`
    itself where the target is near. Skipping events costs a tenth of reading them.
    """
    for stride in (MAX_SKIP_EVENTS, PAGE_ROWS):
        if _bytes_behind(cursor, start) > stride * SHORT_EVENT_BYTES:
            start = _narrow(cursor, start, value, measure, stride).earlier
    return start


def _bytes_behind(cursor: Cursor, start: FilePosition) -> int:
    """From a boundary to the end of its file, as it was when the files were listed."""
    return next((size for name, size in cursor.files() if name == start.file), start.offset) - start.offset


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


def find_xid(cursor: Cursor, xid: int, checkpoint: FilePosition | None) -> tuple[Group | None, bool]:
    """The group with the Xid, and whether the checkpoint led to it; a cold search is the fallback."""
    if checkpoint is not None and checkpoint.file in {name for name, _ in cursor.files()}:
        group = _first_behind(cursor, checkpoint, xid, _NEAR_STRIDES)
        if group is not None:
            return group, True
    file = file_holding(cursor, xid, xid_of)
    while file is not None:
        start = FilePosition(file, FIRST_EVENT_OFFSET)
        # Node-local writes have numbers of their own, lower ones behind the group among them: skipping may pass it,
        # and a later file that begins with them seems to hold it.
        group = _first_behind(cursor, start, xid, _FAR_STRIDES) or _first_with(cursor, start, xid)
        if group is not None:
            return group, False
        file = file_before_local_writes(cursor, file, xid, xid_of)
    return None, False


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
