"""The replica's relay log: the only log on the receiving side with the source cluster's own Xid.

`End_log_pos` there is the source's binlog position, so the row at Exec_Master_Log_Pos has the
seqno to look up (experiment 3). The file is often deleted: every reconnect opens a new one.
"""

from __future__ import annotations

from backend.core.binlog.events import MAX_SKIP_EVENTS, Cursor, EventSource, LogEvent
from backend.core.binlog.groups import read_groups
from backend.core.locate.evidence import SeqnoClue
from backend.core.plural import pluralize
from backend.core.positions import FIRST_EVENT_OFFSET
from backend.core.topology import ChannelFacts


def seqno_from_relay(source: EventSource, channel: ChannelFacts, replica: str) -> SeqnoClue | str:
    """The last executed Xid according to the relay log, or why it is unknown.

    Raises NodeError where the log cannot be read, UnknownEventError for an event of an unknown type.
    """
    if not channel.relay_file:
        return f"{replica} has no relay log for this channel."
    cursor = Cursor(source)
    rows = _executed_rows(cursor, channel.relay_file, channel.relay_offset)
    groups = list(read_groups(rows, is_relay=True))
    with_xid = [i for i, group in enumerate(groups) if group.xid is not None]
    if not with_xid:
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


def _executed_rows(cursor: Cursor, file: str, until: int) -> list[LogEvent]:
    """Rows of the last pages before `until` (relay offsets)."""
    start = earlier = FIRST_EVENT_OFFSET
    while True:
        rows = cursor.page(file, start, skip=MAX_SKIP_EVENTS, limit=1)
        if not rows or rows[0].pos >= until:
            break
        earlier, start = start, rows[0].pos
    return _read_until(cursor, file, earlier, until)


def _read_until(cursor: Cursor, file: str, start: int, until: int) -> list[LogEvent]:
    found: list[LogEvent] = []
    offset, skip = start, 0
    while True:
        rows = cursor.page(file, offset, skip=skip, limit=2_000)
        for row in rows:
            if row.pos >= until:
                return found
            found.append(row)
        if len(rows) < 2_000:
            return found
        offset, skip = rows[-1].pos, 1
