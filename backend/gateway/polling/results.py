"""Reads the results of statements that were sent together, as their bytes come in; nothing here waits.

Most of a poll's answer is the same as in the poll before. What is, is recognised by its bytes and not read again: the
columns of a result, and each of its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from backend.gateway.connection.session import CONVERT, MAX_ROWS, decode, shortened

MAX_PACKET = 0xFFFFFF
_EOF, _ERROR, _OK, _NULL, _INFILE = 0xFE, 0xFF, 0x00, 0xFB, 0xFB
_MORE_RESULTS = 0x0008
_SIZES = {0xFC: 2, 0xFD: 3, 0xFE: 8}

Shape = Callable[[list[str], tuple[Any, ...]], Any]


class ProtocolError(Exception):
    """Bytes that no server sends in an answer, or more rows than one may have."""


def by_name(names: list[str], values: tuple[Any, ...]) -> dict[str, object]:
    """A row as facts are read from."""
    return {name: decode(value) for name, value in zip(names, values, strict=True)}


def as_tuple(_: list[str], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row of many of which few matter: texts as bytes, the long ones shortened."""
    return shortened(values)


@dataclass(slots=True)
class Remembered:
    """A statement's last result: its columns, and its rows with the bytes that they were read from."""

    head: bytes = b""
    """The packets of its columns, as they came in: they are the same in each poll."""
    columns: list[bytes] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    kinds: list[Callable[[bytes], Any] | None] = field(default_factory=list)
    packets: list[bytes] = field(default_factory=list)
    rows: list[Any] = field(default_factory=list)

    def read_columns(self, packets: list[bytes]) -> None:
        """Take over the columns unless they are those of last time."""
        if packets == self.columns:
            return
        parts = [_column(packet) for packet in packets]
        self.columns, self.names = packets, [name for name, _ in parts]
        self.kinds, self.packets, self.rows = [kind for _, kind in parts], [], []


class Results:
    """The results of statements, in order; `rows` has those of each that was answered whole."""

    def __init__(self, memories: list[Remembered], shape: Shape) -> None:
        self._memories, self._shape = memories, shape
        self.rows: list[list[Any]] = []
        self.is_complete = False
        self.error: tuple[int, str] | None = None
        """Number and text of the refusal of the statement after those; what follows it is not answered."""
        self._rest = b""
        self._left = -1
        """Columns still to come; -1 before a result, 0 while rows come."""
        self._head, self._number = b"", 0
        self._columns: list[bytes] = []
        self._packets: list[bytes] = []
        self._found: list[Any] = []

    def feed(self, data: bytes) -> None:
        """Read on; raises ProtocolError."""
        data = self._rest + data if self._rest else data
        start, end = 0, len(data)
        while end - start >= 4 and not self.is_complete:
            if self._left == -1 and self._starts_as_before(data, start):
                start += len(self._memory.head)
                continue
            if self._left == 0:
                start = self._skip_same_rows(data, start, end)
                if end - start < 4:
                    break
            size = data[start] | data[start + 1] << 8 | data[start + 2] << 16
            if size == MAX_PACKET or size == 0:
                raise ProtocolError("a packet of another size than an answer has")
            if end - start - 4 < size:
                break
            self._number = data[start + 3]
            start += 4 + size
            self._take(data[start - size : start])
        self._rest = data[start:]

    def _starts_as_before(self, data: bytes, start: int) -> bool:
        """Whether the columns of the next result are those of last time; then its rows come."""
        head = self._memory.head
        if not head or not data.startswith(head, start):
            return False
        self._left, self._packets, self._found = 0, [], []
        return True

    def _skip_same_rows(self, data: bytes, start: int, end: int) -> int:
        """Take the rows that are the same bytes as last time; where the first other packet begins."""
        memory, packets, found = self._memory, self._packets, self._found
        for index in range(len(packets), len(memory.packets)):
            before = memory.packets[index]
            after = start + 4 + len(before)
            if after > end or not data.startswith(before, start + 4):
                break
            if data[start] | data[start + 1] << 8 | data[start + 2] << 16 != len(before):
                break
            packets.append(before)
            found.append(memory.rows[index])
            start = after
        return start

    def _take(self, packet: bytes) -> None:
        first = packet[0]
        if self._left > 0:
            self._columns.append(packet)
            self._add_head(packet)
            self._left -= 1
            if self._left == 0:
                self._memory.read_columns(self._columns)
                self._left = -2
        elif first == _ERROR:
            self.is_complete, self.error = True, _refusal(packet)
        elif self._left == -2:
            self._left = 0  # the end of the columns
            self._add_head(packet)
            self._memory.head = self._head
        elif self._left == -1:
            self._begin(packet)
        elif first == _EOF and len(packet) < 9:
            self._end(packet[3] | packet[4] << 8)
        else:
            self._take_row(packet)

    @property
    def _memory(self) -> Remembered:
        if len(self.rows) >= len(self._memories):
            raise ProtocolError("more results than statements")
        return self._memories[len(self.rows)]

    def _begin(self, packet: bytes) -> None:
        if packet[0] in (_OK, _INFILE):
            raise ProtocolError("no result of a reading statement")
        self._left, self._columns, self._packets, self._found = packet[0], [], [], []
        self._head = b""
        self._add_head(packet)

    def _add_head(self, packet: bytes) -> None:
        """Packets are numbered from 1 over all results; the number is the fourth byte of each."""
        self._head += len(packet).to_bytes(3, "little") + bytes([self._number]) + packet

    def _take_row(self, packet: bytes) -> None:
        memory, index = self._memory, len(self._packets)
        if index >= MAX_ROWS:
            raise ProtocolError(f"the result has more than {MAX_ROWS:,} rows")
        self._packets.append(packet)
        if index < len(memory.packets) and memory.packets[index] == packet:
            self._found.append(memory.rows[index])
        else:
            self._found.append(self._shape(memory.names, _values(packet, memory.kinds)))

    def _end(self, status: int) -> None:
        memory = self._memory
        if self._packets == memory.packets:
            self.rows.append(memory.rows)
        else:
            memory.packets, memory.rows = self._packets, self._found
            self.rows.append(self._found)
        self._left = -1
        self.is_complete = not status & _MORE_RESULTS


def _refusal(packet: bytes) -> tuple[int, str]:
    text = packet[3:].decode("utf-8", "backslashreplace")
    return int.from_bytes(packet[1:3], "little"), text[6:] if text.startswith("#") else text


def _values(packet: bytes, kinds: list[Callable[[bytes], Any] | None]) -> tuple[Any, ...]:
    """The values of a row, texts as bytes; raises ProtocolError."""
    found: list[Any] = []
    start, end = 0, len(packet)
    for kind in kinds:
        if start >= end:
            raise ProtocolError("a row that is too short")
        size = packet[start]
        start += 1
        if size == _NULL:
            found.append(None)
            continue
        if size > _NULL:
            width = _SIZES.get(size, 0)
            size = int.from_bytes(packet[start : start + width], "little")
            start += width
        value = packet[start : start + size]
        start += size
        found.append(value if kind is None else _number(kind, value))
    if start != end:
        raise ProtocolError("a row of another length than its values")
    return tuple(found)


def _number(kind: Callable[[bytes], Any], value: bytes) -> Any:
    try:
        return kind(value)
    except ValueError as error:
        raise ProtocolError("a number that is none") from error


def _column(packet: bytes) -> tuple[str, Callable[[bytes], Any] | None]:
    """The name of a column, and how its values become numbers."""
    start, parts = 0, []
    for _ in range(6):
        if start >= len(packet) or packet[start] >= _NULL:
            raise ProtocolError("a column that cannot be read")
        parts.append(packet[start + 1 : start + 1 + packet[start]])
        start += 1 + packet[start]
    if len(packet) < start + 10:
        raise ProtocolError("a column that is too short")
    return parts[4].decode("utf-8", "backslashreplace"), CONVERT.get(packet[start + 7])
