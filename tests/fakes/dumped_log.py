"""A binary log as the dump protocol sends it (`LookupLog`): written group by group, rotated, purged."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from backend.core.binlog.events import RowImages
from backend.core.orphans.transactions import RawEvent
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition

_MAP_NUMBER = (7).to_bytes(6, "little")


@dataclass(frozen=True, slots=True)
class Written:
    """One transaction as a client wrote it; a `statement` is logged as it is, else `rows` of `table` are."""

    server_id: int
    at_s: int
    seq_no: int
    xid: int | None = None
    table: str = "shop.orders"
    text: str | None = None
    rows: int = 1
    statement: str | None = None
    value: int = 0


@dataclass(frozen=True, slots=True)
class Stood:
    """Where it stands."""

    written: Written
    begin: FilePosition
    end: FilePosition


@dataclass
class FakeDumpedLog:
    """Implements `LookupLog`. `order` has every transaction of the retained files; `dumps` the starts asked for."""

    began_s: int = 1_000
    base: str = "binlog"
    row_images: RowImages = RowImages.FULL
    order: list[Stood] = field(default_factory=list)
    dumps: list[FilePosition] = field(default_factory=list)
    samples: list[tuple[FilePosition, int]] = field(default_factory=list)
    asked_files: list[str] = field(default_factory=list)
    _files: dict[str, list[RawEvent]] = field(default_factory=dict)
    _created: dict[str, int] = field(default_factory=dict)
    _ends: dict[str, int] = field(default_factory=dict)
    _number: int = 0

    def __post_init__(self) -> None:
        self.rotate(self.began_s)

    @property
    def end(self) -> FilePosition:
        """The log's end."""
        name = next(reversed(self._files))
        return FilePosition(name, self._ends[name])

    def rotate(self, at_s: int) -> None:
        """Begin the next file."""
        self._number += 1
        name = f"{self.base}.{self._number:06d}"
        self._files[name], self._created[name], self._ends[name] = [], at_s, 256
        self._put(163, 1, at_s, bytes(8))

    def purge(self) -> None:
        """Remove the oldest file."""
        name = next(iter(self._files))
        del self._files[name], self._created[name], self._ends[name]
        self.order = [stood for stood in self.order if stood.begin.file != name]

    def write(self, one: Written) -> None:
        """Append a transaction."""
        begin = self.end
        flags = 1 if one.statement else 0
        self._put(162, one.server_id, one.at_s, struct.pack("<QIB", one.seq_no, 0, flags) + bytes(6))
        for kind, body in _inner(one):
            self._put(kind, one.server_id, one.at_s, body)
        self.order.append(Stood(one, begin, self.end))

    def _put(self, kind: int, server_id: int, at_s: int, body: bytes) -> None:
        name = next(reversed(self._files))
        self._ends[name] += 19 + len(body)
        self._files[name].append(RawEvent(name, kind, at_s, server_id, self._ends[name], body))

    def files(self) -> Sequence[tuple[str, int]]:
        """As SHOW BINARY LOGS."""
        return [(name, self._ends[name]) for name in self._files]

    def created_at_s(self, file: str) -> int:
        """As the file's first event says."""
        self.asked_files.append(file)
        return self._created[file]

    def events(self, start: FilePosition) -> Iterator[RawEvent]:
        """As a server sends them, with an event that it makes up."""
        self.dumps.append(start)
        yield RawEvent(start.file, 163, 0, 1, 0, bytes(8))
        for name, events in self._files.items():
            if name >= start.file:
                yield from (event for event in events if name > start.file or event.end > start.offset)

    def before_xid(self, xid: int) -> FilePosition | None:
        """None where the oldest Xid is greater; else a boundary two groups before the first that reaches it."""
        return self._before([stood.written.xid for stood in self.order], xid)

    def before_gtid(self, domain: int, seq_no: int) -> FilePosition | None:
        """As if GTIDs rose along the log."""
        return self._before([stood.written.seq_no for stood in self.order], seq_no)

    def _before(self, numbers: Sequence[int | None], wanted: int) -> FilePosition | None:
        known = [number for number in numbers if number is not None]
        if not known or known[0] > wanted:
            return None
        first = next((i for i, number in enumerate(numbers) if number is not None and number >= wanted), len(numbers))
        begin = self.order[max(0, first - 2)].begin
        return begin if first > 2 else FilePosition(begin.file, FIRST_EVENT_OFFSET)

    def before_offset(self, position: FilePosition) -> FilePosition:
        """Inside the group before the one that begins at or before it, as a page of events may end there."""
        starts = [s for s in self.order if s.begin.file == position.file and s.begin < position]
        return _inside(starts[-2]) if len(starts) > 1 else FilePosition(position.file, FIRST_EVENT_OFFSET)

    def sample_before(self, at_s: int) -> tuple[FilePosition, int] | None:
        """The newest sample that is old enough."""
        return next((sample for sample in reversed(self.samples) if sample[1] <= at_s), None)


def _inside(stood: Stood) -> FilePosition:
    """Behind its GTID event."""
    return FilePosition(stood.begin.file, stood.begin.offset + 19 + 19)


def _inner(one: Written) -> Iterator[tuple[int, bytes]]:
    if one.statement is not None:
        yield 2, _query("shop", one.statement)
        return
    if one.text is not None:
        yield 160, one.text.encode()
    schema, _, table = one.table.partition(".")
    names = b"".join(bytes([len(name)]) + name.encode() + b"\0" for name in (schema, table))
    yield 19, _MAP_NUMBER + b"\x01\x00" + names + bytes([1, 3, 0]) + b"\x01"
    images = b"".join(b"\x00" + struct.pack("<i", one.value + i) for i in range(one.rows))
    yield 23, _MAP_NUMBER + b"\x01\x00" + bytes([1]) + b"\x01" + images
    yield (16, struct.pack("<Q", one.xid)) if one.xid is not None else (2, _query("", "COMMIT"))


def _query(schema: str, sql: str) -> bytes:
    return struct.pack("<IIBHH", 7, 0, len(schema), 0, 0) + schema.encode() + b"\0" + sql.encode()
