"""Decodes a Query event's body: the statement, its schema, and the session settings that decide its meaning.

Layout: MariaDB Server documentation, QUERY_EVENT (status variables by code, each with its own length).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from backend.core.orphans.schema_change import SchemaChange
from backend.core.orphans.schema_changes.tokens import UnsupportedChangeError
from backend.core.row_event_bytes import Bytes, UnreadableError, unpacked

QUERY, QUERY_COMPRESSED = 2, 165
_FLAGS, _SQL_MODE = 0, 1
_NO_FOREIGN_KEYS = 1 << 26
_OTHER_GRAMMAR = 4 | 256 | 512 | 1024 | 2048 | 4096 | 1 << 20
"""ANSI_QUOTES, POSTGRESQL, ORACLE, MSSQL, DB2, MAXDB, NO_BACKSLASH_ESCAPES: quotes have another meaning there."""


@dataclass(frozen=True, slots=True)
class QueryEvent:
    """The relevant parts of a Query event; `sql_mode` and `flags` are None where the event does not have them."""

    schema: str
    sql: str
    error_code: int
    flags: int | None
    sql_mode: int | None


def read_query_event(kind: int, body: bytes) -> QueryEvent:
    """Decode the event; raises UnreadableError."""
    rest = Bytes(body)
    rest.take(8)
    schema_length = rest.number(1)
    error_code = rest.number(2)
    flags, sql_mode = _settings(Bytes(rest.take(rest.number(2))))
    schema = rest.take(schema_length).decode("utf-8", "replace")
    rest.take(1)
    text = rest.take(len(body) - rest.at)
    try:
        sql = (unpacked(text) if kind == QUERY_COMPRESSED else text).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError("the statement is not in UTF-8") from error
    return QueryEvent(schema, sql, error_code, flags, sql_mode)


def _settings(rest: Bytes) -> tuple[int | None, int | None]:
    """The flags and the SQL mode, which come first, in this order, where the event has them."""
    flags = sql_mode = None
    while not rest.is_done:
        code = rest.number(1)
        if code == _FLAGS:
            flags = rest.number(4)
        elif code == _SQL_MODE:
            sql_mode = rest.number(8)
        else:
            break
    return flags, sql_mode


def as_sent(change: SchemaChange, event: QueryEvent) -> SchemaChange:
    """The change with the settings it was sent under; raises UnsupportedChangeError for a different statement."""
    if event.error_code:
        raise UnsupportedChangeError(f"it ended with error {event.error_code}")
    if event.flags is None or event.sql_mode is None:
        raise UnsupportedChangeError("the SQL mode it was sent under is unknown")
    if event.sql_mode & _OTHER_GRAMMAR:
        raise UnsupportedChangeError("it was sent under an SQL mode in which quotes have another meaning")
    if event.sql.strip() != change.sql.strip():
        raise UnsupportedChangeError("the log's page has only a part of its text")
    return replace(change, sql_mode=event.sql_mode, checks_foreign_keys=not event.flags & _NO_FOREIGN_KEYS)
