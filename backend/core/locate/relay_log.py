"""The replica's relay log: the only log on the receiving side with the source cluster's own Xid.

`End_log_pos` there is the source's binlog position, so the row at Exec_Master_Log_Pos has the
seqno to look up (experiment 3). The file is often deleted: every reconnect opens a new one.
"""

from __future__ import annotations

from typing import NamedTuple

from backend.core.binlog.events import MAX_SKIP_EVENTS, PAGE_ROWS, Cursor, EventSource, LogEvent
from backend.core.binlog.groups import read_groups
from backend.core.locate.evidence import SeqnoClue
from backend.core.plural import pluralize
from backend.core.positions import FIRST_EVENT_OFFSET
from backend.core.topology import ChannelFacts

_NEAREST = 256
"""Events before the executed end that hold its last transaction, unless that is long or has none behind it."""


def seqno_from_relay(source: EventSource, channel: ChannelFacts, replica: str) -> SeqnoClue | str:
    """The last executed Xid according to the relay log, or why it is unknown.

    Raises NodeError where the log cannot be read, UnknownEventError for an event of an unknown type.
    """
    if not channel.relay_file:
        return f"{replica} has no relay log for this channel."
    cursor = Cursor(source)
    start = _last_range(cursor, channel.relay_file, channel.relay_offset)
    for nearest in (True, False):
        groups = list(read_groups(_executed_rows(cursor, channel, start, nearest=nearest), is_relay=True))
        with_xid = [i for i, group in enumerate(groups) if group.xid is not None]
        if with_xid:
            break
    else:
        return f"The relay log {channel.relay_file} of {replica} was rotated and holds no executed transaction."
    last = with_xid[-1]
    xid = groups[last].xid
    assert xid is not None
    source_end = groups[-1].last_end_log_pos
    if source_end > channel.exec_offset:
        return f"The relay log of {replica} does not match the channel's executed position."
    trailing = len(groups) - 1 - last
    detail = (
        f"Relay log {channel.relay_file} of {replica}: the last transaction executed up to "
        f"{channel.exec_file}:{channel.exec_offset} has Xid {xid}"
    )
    if trailing:
        detail += f", followed by {pluralize(trailing, 'transaction')} without a Xid"
    return SeqnoClue(xid, trailing, "relay log", detail, is_exact=True)


class _Range(NamedTuple):
    """Where the last skips before the executed end began."""

    earlier: int
    start: int


def _last_range(cursor: Cursor, file: str, until: int) -> _Range:
    start = earlier = FIRST_EVENT_OFFSET
    while True:
        rows = cursor.page(file, start, skip=MAX_SKIP_EVENTS, limit=1)
        if not rows or rows[0].pos >= until:
            return _Range(earlier, start)
        earlier, start = start, rows[0].pos


def _executed_rows(cursor: Cursor, channel: ChannelFacts, search_range: _Range, *, nearest: bool) -> list[LogEvent]:
    """Rows before the executed end (relay offsets): some hundred, or all of the last pages."""
    file, until = str(channel.relay_file), channel.relay_offset
    if not nearest:
        return _read_until(cursor, file, search_range.earlier, until)
    skip = max(0, _skip_to(cursor, file, search_range.start, until) - _NEAREST)
    return _read_until(cursor, file, search_range.start, until, skip=skip, page_rows=3 * _NEAREST)


def _skip_to(cursor: Cursor, file: str, start: int, until: int) -> int:
    """How many events after `start` may be skipped: the server skips faster than pages are read.

    Events are about as long further on as up to there, so the distance to the end in bytes says how many are left. Each
    second step goes by halves, where they are not.
    """
    low, high, guess, by_length = 0, MAX_SKIP_EVENTS, _NEAREST, True
    while high - low > _NEAREST:
        rows = cursor.page(file, start, skip=guess, limit=1)
        if rows and rows[0].pos < until:
            low, left = guess, (until - rows[0].pos) * guess // max(1, rows[0].pos - start)
            if left <= 2 * _NEAREST:
                break
        else:
            high, left = guess, 0
        estimate = low + left - _NEAREST
        guess = estimate if by_length and low < estimate < high else (low + high) // 2
        by_length = not by_length
    return low


def _read_until(
    cursor: Cursor, file: str, start: int, until: int, *, skip: int = 0, page_rows: int = PAGE_ROWS
) -> list[LogEvent]:
    found: list[LogEvent] = []
    offset = start
    while True:
        rows = cursor.page(file, offset, skip=skip, limit=page_rows)
        for row in rows:
            if row.pos >= until:
                return found
            found.append(row)
        if len(rows) < page_rows:
            return found
        offset, skip = rows[-1].pos, 1
