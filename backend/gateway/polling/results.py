"""Reads the results of statements that were sent together, as their bytes come in; nothing here waits.

Most of a poll's answer is the same as in the poll before. What is, is recognised by its bytes and not read again: the
columns of a result, and each of its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from backend.gateway.connection.session import CONVERT, LONG_TEXT_BYTES, MAX_ROWS, shortened

MAX_PACKET = 0xFFFFFF
_EOF, _ERROR, _OK, _NULL, _INFILE = 0xFE, 0xFF, 0x00, 0xFB, 0xFB
_MORE_RESULTS = 0x0008
_SIZES = {0xFC: 2, 0xFD: 3, 0xFE: 8}

Shape = Callable[[list[str], tuple[Any, ...], int], Any]
"""Makes a row of the names of its columns, its values, and the bytes that it has in all."""


class ProtocolError(Exception):
    """Bytes that no server sends in an answer, or more rows than one may have."""


def by_name(names: list[str], values: tuple[Any, ...], _: int) -> dict[str, object]:
    """A row as facts are read from."""
    return {
        name: value.decode("utf-8", "backslashreplace") if value.__class__ is bytes else value
        for name, value in zip(names, values, strict=True)
    }


def as_tuple(_: list[str], values: tuple[Any, ...], size: int) -> tuple[Any, ...]:
    """A row of many of which few matter: texts as bytes, the long ones shortened."""
    return shortened(values) if size > LONG_TEXT_BYTES else values


@dataclass(slots=True)
class Remembered:
    """A statement's last result: its columns, and its rows with the bytes that they were read from."""

    head: bytes = b""
    """The packets of its columns, as they came in: they are the same in each poll."""
    columns: list[bytes] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    kinds: list[Callable[[bytes], Any] | None] = field(default_factory=list)
    packets: list[bytes] = field(default_factory=list)
    """Of its rows, each with its head: length and number."""
    rows: list[Any] = field(default_factory=list)
    moving: set[int] = field(default_factory=set)
    """The rows that ever changed, by number."""
    runs: dict[int, tuple[bytes, int]] = field(default_factory=dict)
    """Rows one after the other that never did: by the first, their bytes, and the number after the last."""

    def read_columns(self, packets: list[bytes]) -> None:
        """Take over the columns unless they are those of last time."""
        if packets == self.columns:
            return
        parts = [_column(packet) for packet in packets]
        self.columns, self.names = packets, [name for name, _ in parts]
        self.kinds = [kind for _, kind in parts]
        self.packets, self.rows, self.moving, self.runs = [], [], set(), {}

    def keep(self, packets: list[bytes], rows: list[Any], taken: list[int]) -> None:
        """Take over the rows, of which those `taken` are others than last time."""
        is_other = len(packets) != len(self.packets)
        self.packets, self.rows = packets, rows
        if is_other or not self.moving.issuperset(taken):
            self.moving = set() if is_other else self.moving.union(taken)
            self.runs = _runs(packets, self.moving)

    def forget_rows(self) -> None:
        """Keep only the columns."""
        self.packets, self.rows, self.moving, self.runs = [], [], set(), {}


class Results:
    """The results of statements, in order; `rows` has those of each that was answered whole."""

    def __init__(self, memories: list[Remembered], shape: Shape) -> None:
        self._memories, self._shape = memories, shape
        self.rows: list[list[Any]] = []
        self.is_complete = False
        self.error: tuple[int, str] | None = None
        """Number and text of the refusal of the statement after those; what follows it is not answered."""
        self._rest = b""
        self._memory = self._next_memory()
        self._left = -1
        """Columns still to come; -1 before a result, 0 while rows come."""
        self._head = b""
        self._columns: list[bytes] = []
        self._packets: list[bytes] = []
        self._found: list[Any] = []
        self._taken: list[int] = []

    def feed(self, data: bytes) -> None:
        """Read on; raises ProtocolError."""
        data = self._rest + data if self._rest else data
        start, end = 0, len(data)
        while end - start >= 4 and not self.is_complete:
            if self._left == -1 and self._starts_as_before(data, start):
                start += len(self._memory.head)
                continue
            if self._left == 0:
                start = self._take_rows(data, start)
                if end - start < 4:
                    break
            size = data[start] | data[start + 1] << 8 | data[start + 2] << 16
            if size == MAX_PACKET or size == 0:
                raise ProtocolError("a packet of another size than an answer has")
            if end - start - 4 < size:
                break
            start += 4 + size
            self._take(data[start - size - 4 : start])
        self._rest = data[start:]

    def _starts_as_before(self, data: bytes, start: int) -> bool:
        """Whether the columns of the next result are those of last time; then its rows come."""
        head = self._memory.head
        if not head or not data.startswith(head, start):
            return False
        self._left, self._packets, self._found, self._taken = 0, [], [], []
        return True

    def _take_rows(self, data: bytes, start: int) -> int:
        """Take the rows that came in whole; where the first packet begins that is none of them.

        Those with the bytes of last time are not read. Each call and each attribute counts here: a poll has hundreds of
        rows.
        """
        memory, packets, found, taken, shape = self._memory, self._packets, self._found, self._taken, self._shape
        known, runs, names, kinds = memory.packets, memory.runs, memory.names, memory.kinds
        index, most, end = len(packets), len(known), len(data)
        while True:
            if index < most:
                run, after = runs.get(index) or (known[index], index + 1)
                if not data.startswith(run, start):
                    run, after = known[index], index + 1
                if data.startswith(run, start):
                    packets += known[index:after]
                    found += memory.rows[index:after]
                    start, index = start + len(run), after
                    continue
            if end - start < 5:
                return start
            size, first = data[start] | data[start + 1] << 8 | data[start + 2] << 16, data[start + 4]
            is_row = 0 < size < MAX_PACKET and first != _ERROR and (first != _EOF or size >= 9)
            if not is_row or end - start - 4 < size:
                return start
            if index >= MAX_ROWS:
                raise ProtocolError(f"the result has more than {MAX_ROWS:,} rows")
            whole = data[start : start + 4 + size]
            taken.append(index)
            packets.append(whole)
            found.append(shape(names, _values(whole, kinds), size))
            start, index = start + 4 + size, index + 1

    def _take(self, whole: bytes) -> None:
        packet = whole[4:]
        first = packet[0]
        if self._left > 0:
            self._columns.append(packet)
            self._head += whole
            self._left -= 1
            if self._left == 0:
                self._memory.read_columns(self._columns)
                self._left = -2
        elif first == _ERROR:
            self.is_complete, self.error = True, _refusal(packet)
        elif self._left == -2:
            self._left = 0  # the end of the columns
            self._head += whole
            self._memory.head = self._head
        elif self._left == -1:
            self._begin(packet)
            self._head = whole
        else:
            self._end(packet[3] | packet[4] << 8)

    def _next_memory(self) -> Remembered:
        if len(self.rows) >= len(self._memories):
            raise ProtocolError("more results than statements")
        return self._memories[len(self.rows)]

    def _begin(self, packet: bytes) -> None:
        if packet[0] in (_OK, _INFILE):
            raise ProtocolError("no result of a reading statement")
        self._left, self._columns = packet[0], []
        self._packets, self._found, self._taken = [], [], []

    def _end(self, status: int) -> None:
        memory = self._memory
        if self._packets != memory.packets:
            memory.keep(self._packets, self._found, self._taken)
        self.rows.append(memory.rows)
        self._left = -1
        self.is_complete = not status & _MORE_RESULTS
        if not self.is_complete:
            self._memory = self._next_memory()


def _runs(packets: list[bytes], moving: set[int]) -> dict[int, tuple[bytes, int]]:
    """The longest stretches of rows that do not move."""
    found, start = {}, 0
    for index in [*sorted(moving), len(packets)]:
        if index - start > 1:
            found[start] = b"".join(packets[start:index]), index
        start = index + 1
    return found


def _refusal(packet: bytes) -> tuple[int, str]:
    text = packet[3:].decode("utf-8", "backslashreplace")
    return int.from_bytes(packet[1:3], "little"), text[6:] if text.startswith("#") else text


def _values(whole: bytes, kinds: list[Callable[[bytes], Any] | None]) -> tuple[Any, ...]:
    """The values of a row, texts as bytes, from its packet with its head; raises ProtocolError."""
    found: list[Any] = []
    start = 4
    try:
        for kind in kinds:
            size = whole[start]
            start += 1
            if size >= _NULL:
                if size == _NULL:
                    found.append(None)
                    continue
                width = _SIZES.get(size, 0)
                size = int.from_bytes(whole[start : start + width], "little")
                start += width
            end = start + size
            found.append(whole[start:end] if kind is None else kind(whole[start:end]))
            start = end
    except ValueError as error:
        raise ProtocolError("a number that is none") from error
    except IndexError as error:
        raise ProtocolError("a row that is too short") from error
    if start != len(whole):
        raise ProtocolError("a row of another length than its values")
    return tuple(found)


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
