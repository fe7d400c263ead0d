"""Digests of the rows that each transaction changes, equal in every log that has the same rows.

The bytes of a row event are the same on a server that applied it, but for the table's number, the event's flags, how
many events a statement's rows fill (`binlog-row-event-max-size`), whether they are compressed (`log_bin_compress`), and
the order in which tables are changed (a SEQUENCE gives its number before, or behind; `core.binlog.content`). So rows
are compared table by table. Those of logs with other `binlog_row_image`s are not: an image tells which columns it has.
An applier logs as the row of before what it found itself, so rows that differed unseen show with their next change.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple, Protocol

from backend.core.positions import FilePosition
from backend.core.row_event_bytes import (
    DELETES,
    INSERTS,
    PACKED_ROW_EVENTS,
    ROW_EVENTS,
    TABLE_MAP,
    UPDATES,
    V2_ROW_EVENTS,
    UnreadableError,
    column_bytes,
    table_number,
    unpacked,
)

GTID, XID, XA_PREPARE, QUERIES = 162, 16, 38, (2, 165)
OF_GROUPS = frozenset({GTID, XID, XA_PREPARE, *QUERIES, TABLE_MAP, *ROW_EVENTS})
"""The events of which a digester has to be told."""
_ENDS = (b"\0COMMIT", b"\0ROLLBACK")
MOST_KEPT = 10_000
"""Of what tables and images are like; with `binlog_row_image=MINIMAL` a table has as many as its updates have."""
_STANDALONE = 1
_GTID_FLAGS = 12
_ROWS_HEAD = 8
_VERBS = {kind: verb for kinds, verb in ((INSERTS, b"i"), (UPDATES, b"u"), (DELETES, b"d")) for kind in kinds}
_OF_SEQUENCE = b"\x08\x08\x01\x08"
"""The types of the last four of the eight columns that every SEQUENCE has; the first four have one type, and none may
be NULL."""
_INTEGER_BYTES = {1: 1, 2: 2, 9: 3, 3: 4, 8: 8}
_ALL_OF_SEQUENCE, _CHANGED_OF_SEQUENCE = b"\xff", b"\x81"
"""Which columns its rows have, and with binlog_row_image=MINIMAL."""
_COMPRESSED_COLUMNS = frozenset({140, 141})
"""How long such a value is depends on each server's `column_compression_zlib_level`."""


Gtid = tuple[int, int, int]
"""Domain, server_id and number."""


class TableRows(NamedTuple):
    """Of one transaction in one table: the types of all `columns`, which of them each `image` has, and the digest of
    the `rows` in their order; None where they are not comparable, or may be those of a SEQUENCE."""

    columns: bytes
    images: bytes
    rows: int | None


class RowsRead(Protocol):
    """The digests of one node's log, as far as they were read."""

    def at(self, ends: FilePosition, gtid: str) -> Mapping[str, TableRows] | None:
        """Those of the transaction of that GTID, which ends there, by DATABASE.TABLE; None where they are not known."""
        ...

    def awaits(self, ends: FilePosition) -> bool:
        """Whether the log is being read, and not as far as there yet."""
        ...


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    columns: bytes
    bitmap_end: int
    """Where the first bitmap of columns ends in a row event without an extra head."""
    bitmap_bytes: int
    is_comparable: bool
    integer_bytes: int | None
    """Of each of the first four columns, where it has those of a SEQUENCE; else None."""


@dataclass(slots=True)
class _Open:
    """A table in the group that is read. The next number of a SEQUENCE is each node's own in a cluster (INCREMENT BY
    0), and no data."""

    table: _Table
    rows: blake2b
    may_be_sequence: bool
    images: set[bytes] = field(default_factory=set)
    last: bytes = b""


class RowDigester:
    """Takes the events of one log in their order."""

    def __init__(self) -> None:
        self._described: dict[bytes, _Table] = {}
        self._images: dict[bytes, bytes] = {}
        self._tables: dict[int, _Table] = {}
        self._open: dict[str, _Open] = {}
        self._is_standalone = self._is_readable = False
        self.gtid: Gtid = 0, 0, 0

    def skip(self) -> None:
        """An event of this group was not read: nothing is told of it."""
        self._is_readable = False

    def take(self, kind: int, body: bytes, server_id: int) -> bool:
        """Take one of `OF_GROUPS`; whether its group ends with it."""
        if kind in ROW_EVENTS or kind == TABLE_MAP:
            try:
                self._take_part(kind, body)
            except (UnreadableError, KeyError, zlib.error):
                self._is_readable = False
        elif kind == GTID:
            self._is_readable, self._is_standalone = True, bool(body[_GTID_FLAGS] & _STANDALONE)
            self.gtid = int.from_bytes(body[8:12], "little"), server_id, int.from_bytes(body[:8], "little")
            self._tables.clear()
            self._open.clear()
        else:
            return kind not in QUERIES or self._is_standalone or body.endswith(_ENDS)
        return False

    def digests(self) -> Mapping[str, TableRows] | None:
        """Those of the group that ended; None where it could not be read whole."""
        return dict(self._found()) if self._is_readable else None

    def _found(self) -> Iterator[tuple[str, TableRows]]:
        for name, one in self._open.items():
            images = b"".join(sorted(one.images))
            if len(self._images) > MOST_KEPT:
                self._images.clear()
            images = self._images.setdefault(images, images)
            is_comparable = one.table.is_comparable and not one.may_be_sequence
            rows = int.from_bytes(one.rows.digest(), "little") if is_comparable else None
            yield name, TableRows(one.table.columns, images, rows)

    def _take_part(self, kind: int, body: bytes) -> None:
        if kind == TABLE_MAP:
            self._tables[table_number(body)] = self._described.get(body[6:]) or self._describe(body)
        else:
            self._take_rows(kind, body)

    def _describe(self, body: bytes) -> _Table:
        name, count, columns = column_bytes(body)
        if len(self._described) > MOST_KEPT:
            self._described.clear()
        bitmap_bytes = (count + 7) // 8
        bitmap_end = _ROWS_HEAD + (1 if count < 251 else 3) + bitmap_bytes
        is_comparable = _COMPRESSED_COLUMNS.isdisjoint(columns[:count])
        has_those_of_sequence = columns == columns[:1] * 4 + _OF_SEQUENCE + b"\0"
        integer_bytes = _INTEGER_BYTES.get(columns[0]) if has_those_of_sequence else None
        table = _Table(name, columns, bitmap_end, bitmap_bytes, is_comparable, integer_bytes)
        self._described[body[6:]] = table
        return table

    def _take_rows(self, kind: int, body: bytes) -> None:
        table = self._tables[table_number(body)]
        extra = int.from_bytes(body[_ROWS_HEAD : _ROWS_HEAD + 2], "little") if kind in V2_ROW_EVENTS else 0
        until = table.bitmap_end + extra + (table.bitmap_bytes if kind in UPDATES else 0)
        rows = unpacked(body[until:]) if kind in PACKED_ROW_EVENTS else body[until:]
        image = _VERBS[kind] + body[_ROWS_HEAD + extra : until]
        one = self._open.get(table.name)
        if one is None:
            one = self._open[table.name] = _Open(table, blake2b(digest_size=8), table.integer_bytes is not None)
        if one.may_be_sequence:
            one.may_be_sequence = kind in INSERTS and _are_of_sequence(image[2:], rows, table.integer_bytes or 0)
        if image != one.last:
            one.last = image
            one.images.add(image)
            one.rows.update(image[:1])
        one.rows.update(rows)


def _are_of_sequence(image: bytes, rows: bytes, integer_bytes: int) -> bool:
    """Whether a SEQUENCE may have these inserted rows: the server takes none whose start is beyond its limits.

    They are numbers with or without a sign (11.5). Of the changed columns alone nothing can be told.
    """
    if image != _ALL_OF_SEQUENCE:
        return image == _CHANGED_OF_SEQUENCE
    size = 1 + 4 * integer_bytes + 8 + 8 + 1 + 8
    firsts = range(1 + integer_bytes, len(rows), size)
    limits = [[rows[at + i * integer_bytes : at + (i + 1) * integer_bytes] for i in range(3)] for at in firsts]
    return len(rows) % size == 0 and any(
        all(_is_within(*one, signed=signed) for one in limits) for signed in (True, False)
    )


def _is_within(least: bytes, most: bytes, start: bytes, *, signed: bool) -> bool:
    low, high, first = (int.from_bytes(one, "little", signed=signed) for one in (least, most, start))
    return low < high and low <= first <= high


class Apart(NamedTuple):
    """Tables of one transaction in two logs: with other `columns`, or other `rows` in the same ones, and those of which
    it is `unknown`."""

    columns: frozenset[str]
    rows: frozenset[str]
    unknown: frozenset[str] = frozenset()


def apart(one: Mapping[str, TableRows], other: Mapping[str, TableRows]) -> Apart:
    """What certainly differs, of the tables that both have."""
    both = [(table, rows, other[table]) for table, rows in one.items() if table in other]
    columns = frozenset(table for table, mine, theirs in both if mine.columns != theirs.columns)
    alike = [known for known in both if known[0] not in columns]
    unknown = frozenset(
        table for table, mine, theirs in alike if mine.images != theirs.images or None in (mine.rows, theirs.rows)
    )
    differ = frozenset(table for table, mine, theirs in alike if table not in unknown and mine.rows != theirs.rows)
    return Apart(columns, differ, unknown)
