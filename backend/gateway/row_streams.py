"""Follows the rows in the logs of nodes by the dump protocol, all of them in one thread.

A server sends what it writes as it does to a replica, without a lock that a commit needs; only whoever reads by SHOW
BINLOG EVENTS holds LOCK_log meanwhile. A stream that is cut off, or left behind by its log, is opened again, and what
was not read meanwhile is not known.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Mapping
from typing import NamedTuple

from backend.core.ports import NodeError
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.row_digests import OF_GROUPS, Gtid, RowDigester, RowsRead, TableRows
from backend.gateway.binlog_dump import HEADER, ROTATE, Dump, file_of, open_dump
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.binlog_tail import TOO_FAR_BYTES, BinlogTail
from backend.gateway.polling.poll_loop import PollLoop
from backend.gateway.polling.workers import Workers

THREADS = 4
PAUSE_S, SHORT_PAUSE_S = 0.2, 0.01
"""Read one by one, small transactions cost ten times as much; a connection's buffer holds some 60 kB meanwhile."""
MUCH_BYTES = 16 * 1024
AGAIN_AFTER_S, MOST_DOUBLINGS = 10.0, 6
"""After each try in a row that read nothing twice as long: a server logs each of them."""
HEARTBEAT_S = 10.0
SILENT_S = 35.0
"""Without a heartbeat for so long the stream is lost."""
MOST_EVENT_BYTES = 2**20
"""A larger event is passed over, and nothing is told of its transaction."""
KEEP_TRANSACTIONS, KEEP_S = 10_000, 60.0
"""At least so many of the newest, or those of so long, are kept; at most twice as much."""
MOST_AT_ONCE_BYTES = 2**20
"""Then it is the turn of the other streams. TLS gives what one packet of the server holds at a time."""
_CHUNK = 64 * 1024
_LONGEST_PACKET = 0xFFFFFF
_PACKET_HEAD = 4
_FORMAT, _HEARTBEAT = 15, 27
_CHECKSUM = 4
_BROKEN = (OSError, ValueError, IndexError)


_Kept = dict[tuple[int, int], tuple[Gtid, tuple[tuple[str, TableRows], ...]]]


class StreamedRows:
    """What was read of one node's log, of the newest transactions with rows; written by one thread, read by others."""

    def __init__(self, start: FilePosition) -> None:
        self.until = start
        self.is_open = True
        self._base = start.base
        self._newer: _Kept = {}
        self._older: _Kept = {}
        self._newer_since_s = time.monotonic()

    def keep(self, ends: FilePosition, gtid: Gtid, digests: Mapping[str, TableRows] | None) -> None:
        """Of a transaction that ends there; None where it could not be read."""
        if digests is not None:
            now = time.monotonic()
            if len(self._newer) >= KEEP_TRANSACTIONS or now - self._newer_since_s > KEEP_S:
                self._older, self._newer, self._newer_since_s = self._newer, {}, now
            self._newer[ends.number, ends.offset] = gtid, tuple(digests.items())
        self.until = ends

    def at(self, ends: FilePosition, gtid: str) -> Mapping[str, TableRows] | None:
        """See `RowsRead`."""
        key = ends.number, ends.offset
        found = self._newer.get(key) or self._older.get(key)
        if found is None or ends.base != self._base or "-".join(map(str, found[0])) != gtid:
            return None
        return dict(found[1])

    def awaits(self, ends: FilePosition) -> bool:
        """See `RowsRead`."""
        until = self.until
        return self.is_open and ends.base == until.base and until < ends

    def is_left_behind(self, end: FilePosition) -> bool:
        """Whether it is far from what the log's tail has read, or that is of another log."""
        until = self.until
        if until.base != end.base or end.number > until.number + 1:
            return True
        return end.offset - (until.offset if end.number == until.number else FIRST_EVENT_OFFSET) > TOO_FAR_BYTES


class DumpedEvents:
    """Cuts what a server sends into events; whatever is malformed raises ValueError."""

    def __init__(self, rows: StreamedRows) -> None:
        self._rows, self._digester = rows, RowDigester()
        self._file, self._end = rows.until.file, rows.until.offset
        self._checksum_bytes = 0
        self._rest = b""
        self._skip = 0
        self._is_long = False

    def feed(self, data: bytes) -> None:
        """Take what came in."""
        data = self._rest + data if self._rest else data
        at, size = 0, len(data)
        while at < size:
            if self._skip:
                passed = min(self._skip, size - at)
                at, self._skip = at + passed, self._skip - passed
                continue
            until = at + _PACKET_HEAD + int.from_bytes(data[at : at + 3], "little")
            begin = at + _PACKET_HEAD + 1
            if self._is_long or until - begin > MOST_EVENT_BYTES:
                if size - begin < HEADER:
                    break
                self._pass_over(data, begin, until)
                at, self._skip = at + _PACKET_HEAD, until - at - _PACKET_HEAD
            elif until > size or begin > size:
                break
            else:
                self._take(data, begin, until)
                at = until
        self._rest = data[at:]

    def _pass_over(self, data: bytes, begin: int, until: int) -> None:
        """The part of an event that is too long to be held; only the first one has a head."""
        is_first, self._is_long = not self._is_long, until - begin + 1 == _LONGEST_PACKET
        if is_first:
            self._move(data[begin + 4], begin, data)
            self._digester.skip()

    def _move(self, kind: int, begin: int, data: bytes) -> None:
        """On to the event's end; in the log it has 32 bits, and since 11.4 an event inside a group may tell none."""
        size = int.from_bytes(data[begin + 9 : begin + 13], "little")
        end = int.from_bytes(data[begin + 13 : begin + 17], "little")
        if end:
            self._end += (end - self._end) % 2**32
        elif kind != _FORMAT:
            self._end += size

    def _take(self, data: bytes, begin: int, until: int) -> None:
        if data[begin - 1] != 0 or until - begin < HEADER:
            raise ValueError("the server ended the stream")
        kind = data[begin + 4]
        if kind in OF_GROUPS:
            self._move(kind, begin, data)
            body = data[begin + HEADER : until - self._checksum_bytes]
            if self._digester.take(kind, body, int.from_bytes(data[begin + 5 : begin + 9], "little")):
                ends = FilePosition(self._file, self._end)
                self._rows.keep(ends, self._digester.gtid, self._digester.digests())
        elif kind == ROTATE:
            name = file_of(data[begin:until])
            if name != self._file:
                self._file, self._end = name, FIRST_EVENT_OFFSET
                self._rows.until = FilePosition(name, FIRST_EVENT_OFFSET)
        elif kind == _FORMAT:
            self._checksum_bytes = _CHECKSUM if data[until - _CHECKSUM - 1] == 1 else 0
            self._move(kind, begin, data)
        elif kind != _HEARTBEAT:
            self._move(kind, begin, data)


class _Pace:
    """How long to wait before the streams are read again: shortly where one had much to read."""

    def __init__(self) -> None:
        self._most_bytes = 0

    def note(self, size: int) -> None:
        """So much was read of one stream at a time."""
        self._most_bytes = max(self._most_bytes, size)

    def pause_s(self) -> float:
        """Until the next time."""
        most, self._most_bytes = self._most_bytes, 0
        return SHORT_PAUSE_S if most >= MUCH_BYTES else PAUSE_S


class _Stream:
    """One node's stream; in the loop but for `open`."""

    def __init__(self, access: NodeAccess, rows: StreamedRows, loop: PollLoop, pace: _Pace) -> None:
        self._pace = pace
        self.access, self.rows = access, rows
        self.again_s, self.tries_in_vain = 0.0, 0
        self._start, self._loop = rows.until, loop
        self._dump: Dump | None = None
        self._is_closed = False
        self._events = DumpedEvents(self.rows)

    def open(self) -> None:
        """Log in, which waits."""
        try:
            dump = open_dump(
                self.access.ref.name, self.access.monitor, self.rows.until, heartbeat_s=HEARTBEAT_S, read_s=SILENT_S
            )
        except (NodeError, *_BROKEN):
            self._end()
            return
        self._loop.post(lambda: self._adopt(dump))
        self._loop.wake()

    def _adopt(self, dump: Dump) -> None:
        if self._is_closed:
            dump.close()
            return
        self._dump = dump
        self._loop.add(dump.fileno(), self)
        self._loop.wait(self, time.monotonic() + SILENT_S)

    def on_ready(self, at_s: float) -> None:
        """Read what has come in, and leave the others their turn."""
        dump = self._dump
        if dump is None:
            return
        self._loop.wait(self, at_s + SILENT_S)
        size = 0
        try:
            while size < MOST_AT_ONCE_BYTES:
                data = dump.recv(_CHUNK)
                if not data:
                    raise ConnectionResetError("the server closed the connection")
                size += len(data)
                self._pace.note(size)
                self._events.feed(data)
            if dump.holds_more():
                self._loop.post(lambda: self.on_ready(time.monotonic()))
        except (BlockingIOError, ssl.SSLWantReadError):
            return
        except Exception:  # noqa: BLE001 - whatever a server sends: the others are read on
            self.close()

    def on_late(self) -> None:
        """Nothing came, not even a heartbeat."""
        self.close()

    def close(self) -> None:
        """End it."""
        self._is_closed = True
        self._end()
        dump, self._dump = self._dump, None
        if dump is not None:
            self._loop.remove(dump.fileno(), self)
            dump.close()

    def _end(self) -> None:
        self.tries_in_vain = self.tries_in_vain + 1 if self.rows.until == self._start else 0
        self.again_s = time.monotonic() + AGAIN_AFTER_S * 2 ** min(self.tries_in_vain, MOST_DOUBLINGS)
        self.rows.is_open = False


class Followed(NamedTuple):
    """A node whose rows are wanted, how far its log was read, and whether it responds and is of the family whose row
    events are understood."""

    access: NodeAccess
    tail: BinlogTail
    is_readable: bool


class RowStreams:
    """The streams of the nodes that this monitor follows."""

    def __init__(self) -> None:
        self._pace = _Pace()
        self._loop = PollLoop(self._pace.pause_s)
        self._workers = Workers("rows", THREADS)
        self._streams: dict[str, _Stream] = {}

    def follow(self, wanted: Mapping[str, Followed]) -> None:
        """Read on in the logs of exactly these nodes, by id; one that broke off goes on where it was, if that stands
        there yet."""
        for node_id in self._streams.keys() - wanted.keys():
            self._close(self._streams.pop(node_id))
        for node_id, one in wanted.items():
            stream, end = self._streams.get(node_id), one.tail.cursor
            if end is None or not (one.is_readable or (stream is not None and stream.rows.is_open)):
                continue
            rows = StreamedRows(end)
            if stream is not None:
                is_behind = stream.access != one.access or stream.rows.is_left_behind(end)
                if stream.rows.is_open and not is_behind:
                    continue
                if stream.rows.is_open:
                    self._close(stream)
                elif time.monotonic() < stream.again_s:
                    continue
                if not is_behind and one.tail.since(stream.rows.until) is not None:
                    rows = stream.rows
                    rows.is_open = True
            opened = _Stream(one.access, rows, self._loop, self._pace)
            opened.tries_in_vain = 0 if stream is None else stream.tries_in_vain
            self._streams[node_id] = opened
            self._workers.submit(opened.open)

    def rows(self, node_id: str) -> RowsRead | None:
        """What was read of a node's log; None where it is not followed."""
        stream = self._streams.get(node_id)
        return None if stream is None else stream.rows

    def close(self) -> None:
        """End all streams."""
        self.follow({})
        self._loop.close()
        self._workers.close()

    def _close(self, stream: _Stream) -> None:
        self._loop.post(stream.close)
        self._loop.wake()
