"""A Query event's bytes: what it tells, and when its statement is not taken for the one of the log's page."""

from __future__ import annotations

import struct
import zlib

import pytest

from backend.core.orphans.schema_changes.parse import parse_schema_change
from backend.core.orphans.schema_changes.query_event import QUERY, QUERY_COMPRESSED, as_sent, read_query_event
from backend.core.orphans.schema_changes.tokens import UnsupportedChangeError
from backend.core.row_event_bytes import UnreadableError

SQL = "CREATE TABLE t (id INT)"


def body(sql: bytes = SQL.encode(), *, flags: int = 0, sql_mode: int | None = 0, error: int = 0) -> bytes:
    settings = b"\x00" + struct.pack("<I", flags)
    if sql_mode is not None:
        settings += b"\x01" + struct.pack("<Q", sql_mode)
    settings += b"\x06\x03std\x04" + bytes(6)
    return struct.pack("<IIBHH", 7, 0, 4, error, len(settings)) + settings + b"shop\0" + sql


def test_query_event__plain_and_compressed__the_same() -> None:
    packed = bytes([0x81, len(SQL)]) + zlib.compress(SQL.encode())
    for kind, text in ((QUERY, SQL.encode()), (QUERY_COMPRESSED, packed)):
        event = read_query_event(kind, body(text, flags=1 << 26, sql_mode=5))
        assert (event.schema, event.sql, event.sql_mode, event.flags) == ("shop", SQL, 5, 1 << 26)


def test_as_sent__settings_of_the_session__kept_with_the_change() -> None:
    change = as_sent(parse_schema_change(SQL, "shop"), read_query_event(QUERY, body(flags=1 << 26, sql_mode=32)))
    assert (change.sql_mode, change.checks_foreign_keys) == (32, False)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (body(error=1062), "error 1062"),
        (body(sql_mode=None), "SQL mode it was sent under is unknown"),
        (body(sql_mode=4), "another meaning"),
        (body(sql_mode=1 << 20), "another meaning"),
        (body(b"CREATE TABLE t (id INT, more INT)"), "only a part"),
    ],
)
def test_as_sent__another_statement_or_another_grammar__refused(event: bytes, why: str) -> None:
    with pytest.raises(UnsupportedChangeError, match=why):
        as_sent(parse_schema_change(SQL, "shop"), read_query_event(QUERY, event))


def test_query_event__not_utf_8_or_cut_off__unreadable() -> None:
    for broken in (body(b"CREATE TABLE t\xff"), body()[:9]):
        with pytest.raises(UnreadableError):
            read_query_event(QUERY, broken)
