"""Raw events of the dump protocol in the form of SHOW BINLOG EVENTS, so that the same code reads both.

The dump has what the other lacks, the time of each event, and the server sends it without holding LOCK_log.
"""

from __future__ import annotations

import hashlib
import struct

from backend.core.binlog.events import LogEvent
from backend.core.orphans.schema_changes.query_event import QUERY, QUERY_COMPRESSED, read_query_event
from backend.core.orphans.transactions import RawEvent
from backend.core.row_event_bytes import ROW_EVENTS, TABLE_MAP, UnreadableError, table_number

GTID, XID, ANNOTATE = 162, 16, 160
_STANDALONE, _STATEMENT_END = 1, 1
_HAS_COMMIT_ID, _IS_XA = 2, 0x40 | 0x80
_GTID_HEAD, _COMMIT_ID = 13, 8
_HALVES = {2: " START ALTER", 4: " COMMIT ALTER", 8: " ROLLBACK ALTER"}
"""By the extra flags of a GTID event, which stand behind the number of a group commit, if there is one."""
_NAMES = {
    QUERY: "Query", 3: "Stop", 4: "Rotate", 5: "Intvar", 13: "RAND", 14: "User var", 15: "Format_desc", XID: "Xid",
    TABLE_MAP: "Table_map", 23: "Write_rows_v1", 24: "Update_rows_v1", 25: "Delete_rows_v1", 27: "Heartbeat",
    28: "Ignorable", 30: "Write_rows", 31: "Update_rows", 32: "Delete_rows", ANNOTATE: "Annotate_rows",
    161: "Binlog_checkpoint", GTID: "Gtid", 163: "Gtid_list", 164: "Start_encryption",
    QUERY_COMPRESSED: "Query_compressed", 166: "Write_rows_compressed_v1", 167: "Update_rows_compressed_v1",
    168: "Delete_rows_compressed_v1", 169: "Write_rows_compressed", 170: "Update_rows_compressed",
    171: "Delete_rows_compressed",
}  # fmt: skip
_CONTROL = frozenset({3, 4, 15, 27, 28, 161, 163, 164})
_WITHOUT_SCHEMA = frozenset({"BEGIN", "COMMIT", "ROLLBACK"})


def is_control(event: RawEvent) -> bool:
    """Whether it belongs to no group."""
    return event.kind in _CONTROL


def is_known(event: RawEvent) -> bool:
    """Whether its kind is one that is read."""
    return event.kind in _NAMES


def shown_event(event: RawEvent, pos: int) -> LogEvent:
    """The event as a row of SHOW BINLOG EVENTS."""
    name = _NAMES.get(event.kind, f"type {event.kind}")
    return LogEvent(event.file, pos, name, event.server_id, event.end, _info(event))


def _info(event: RawEvent) -> str:
    """As the server shows it; the raw bytes of what it shows otherwise."""
    kind, body = event.kind, event.body
    if kind in _CONTROL:
        return ""
    if kind == GTID:
        sequence, domain, flags = struct.unpack_from("<QIB", body)
        begin = "" if flags & _STANDALONE else "BEGIN "
        return f"{begin}GTID {domain}-{event.server_id}-{sequence}{_half(body, flags)}"
    if kind == XID:
        return f"COMMIT /* xid={int.from_bytes(body[:8], 'little')} */"
    if kind in (QUERY, QUERY_COMPRESSED):
        return _statement(event)
    if kind == ANNOTATE:
        return body.decode("utf-8", "backslashreplace")
    if kind == TABLE_MAP:
        return f"table_id: {table_number(body)} ({table_name(body)})"
    if kind in ROW_EVENTS:
        is_last = int.from_bytes(body[6:8], "little") & _STATEMENT_END
        return f"table_id: {table_number(body)}{' flags: STMT_END_F' if is_last else ''}"
    return body.hex()


def _half(body: bytes, flags: int) -> str:
    """Which half of an ALTER follows, as the server says it, without the other half's number."""
    at = _GTID_HEAD + (_COMMIT_ID if flags & _HAS_COMMIT_ID else 0)
    extra = body[at] if at < len(body) and not flags & _IS_XA else 0
    return "".join(text for flag, text in _HALVES.items() if extra & flag)


def table_name(body: bytes) -> str:
    """`schema.table` of a table map: number and flags, then both names, each after its length and before a zero."""
    end = 9 + body[8]
    schema, table = body[9:end], body[end + 2 : end + 2 + body[end + 1]]
    return f"{schema.decode('utf-8', 'backslashreplace')}.{table.decode('utf-8', 'backslashreplace')}"


def _statement(event: RawEvent) -> str:
    try:
        query = read_query_event(event.kind, event.body)
    except UnreadableError:
        digest = hashlib.sha256(event.body).hexdigest()
        return f"statement of {len(event.body)} bytes that is not in UTF-8, SHA-256 {digest}"
    if query.sql in _WITHOUT_SCHEMA or not query.schema:
        return query.sql
    return f"use `{query.schema}`; {query.sql}"
