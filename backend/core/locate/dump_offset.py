"""A proven position that a replica cannot ask for: COM_BINLOG_DUMP has 32 bits for the offset.

A file grows past 4 GiB only by transactions that are larger than `max_binlog_size`. A replica that is to resume behind
one asks for the offset modulo 2^32 and reads in the middle of an event or at an earlier transaction (MariaDB 10.11.19,
docs/evidence/measured-facts.md). Where nothing but the end of the file follows, the next file's beginning is the same
position.
"""

from __future__ import annotations

from dataclasses import replace

from backend.core.binlog.events import Cursor
from backend.core.locate.model import Located
from backend.core.positions import DUMP_OFFSETS, FIRST_EVENT_OFFSET, FilePosition

BEYOND = "position_beyond_4_gib"
_ROWS = 16


def within_dump_protocol(located: Located, source: Cursor, *, by_gtid: bool) -> Located:
    """The same position as a replica can ask for it, or a refusal; a channel by GTID asks for no offset."""
    position = located.position
    if not located.is_proven or position is None or not is_beyond(position):
        return located
    following = source.next_file(position.file)
    if following is not None and _is_end_of_file(source, position):
        return replace(located, position=FilePosition(following, FIRST_EVENT_OFFSET))
    if by_gtid:
        return located
    reason = f"The position is {position}. A replica can ask only for offsets below 4 GiB, and " + (
        f"another transaction follows in {position.file}." if following else f"{position.file} is still written."
    )
    remedy = (
        "Choose another source node, whose files end elsewhere, or wait until the channel has applied the first "
        "transaction of the next file."
        if following
        else f"Run FLUSH BINARY LOGS on {located.node} and create a new plan."
    )
    return replace(
        located, is_proven=False, reasons=(reason,), facts={**located.facts, "code": BEYOND, "remedy": remedy}
    )


def is_beyond(position: FilePosition) -> bool:
    """Whether a replica would ask for another offset than this one."""
    return position.offset >= DUMP_OFFSETS


def _is_end_of_file(source: Cursor, position: FilePosition) -> bool:
    rows = source.page(position.file, position.offset, limit=_ROWS)
    return len(rows) < _ROWS and all(row.type in source.source.forms.control for row in rows)
