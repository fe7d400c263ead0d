"""The bytes of a binary log's table maps and row events, but for the values in the rows.

Layouts: MariaDB sql/log_event.cc.
"""

from __future__ import annotations

import zlib

TABLE_MAP = 19
INSERTS, UPDATES, DELETES = (frozenset({v1, v1 + 7, v1 + 143, v1 + 146}) for v1 in (23, 24, 25))
"""Row events of either version, as they are and compressed."""
ROW_EVENTS = INSERTS | UPDATES | DELETES
V2_ROW_EVENTS = frozenset({30, 31, 32, 169, 170, 171})
"""Those with an extra head of their own length."""
PACKED_ROW_EVENTS = frozenset(range(166, 172))
"""Those whose rows are compressed."""


class UnreadableError(ValueError):
    """Rows that cannot be decoded exactly; the message names table, column and reason."""


class Bytes:
    """A cursor over bytes; reading past the end raises UnreadableError."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        part = self.data[self.at : self.at + size]
        if len(part) != size:
            raise UnreadableError("a row event is shorter than its own description")
        self.at += size
        return part

    def number(self, size: int) -> int:
        """The next number, little endian, unsigned."""
        return int.from_bytes(self.take(size), "little")

    def length(self) -> int:
        """The next length-encoded number."""
        first = self.number(1)
        return first if first < 251 else self.number({252: 2, 253: 3, 254: 8}[first])

    @property
    def is_done(self) -> bool:
        """Whether all bytes were read."""
        return self.at >= len(self.data)


def column_bytes(body: bytes) -> tuple[str, int, bytes]:
    """Of a table map event's body `schema.table`, how many columns, and the bytes of their types, metadata and whether
    each may be NULL; what `binlog_row_metadata` adds is left out."""
    rest = Bytes(body)
    rest.take(8)
    names = []
    for _ in range(2):
        names.append(rest.take(rest.number(1)).decode("utf-8", "replace"))
        rest.take(1)
    count = rest.length()
    types = rest.take(count)
    metas = rest.take(rest.length())
    return ".".join(names), count, types + metas + rest.take((count + 7) // 8)


def table_number(body: bytes) -> int:
    """The number of the table map that a row event's body refers to."""
    return int.from_bytes(body[:6], "little")


def unpacked(data: bytes) -> bytes:
    """A compressed part of an event: one byte (0x80, algorithm, size of length), the length, zlib data."""
    if not data or not data[0] & 0x80 or data[0] & 0x70:
        raise UnreadableError("a compressed event of an unknown kind")
    size = data[0] & 0x07
    plain = zlib.decompress(data[1 + size :])
    if len(plain) != int.from_bytes(data[1 : 1 + size], "big"):
        raise UnreadableError("a compressed event of a wrong length")
    return plain
