"""What a server sends of its log, cut into events; and streams that break off, fall behind and go on."""

from __future__ import annotations

import socket
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from backend.core.ports import NodeError
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.row_digests import TableRows
from backend.core.topology import NodeRef
from backend.gateway import row_streams
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint, Tls
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.poll_loop import PollLoop
from backend.gateway.row_streams import DumpedEvents, Followed, RowStreams, StreamedRows
from tests.core.builders.raw_logs import RawLog
from tests.support.waiting import wait_for

START = FilePosition("binlog.000001", 256)
GTID, XID, ROTATE, FORMAT, HEARTBEAT, ANNOTATE = 162, 16, 4, 15, 27, 160
MADE_UP = 0x20


class Server:
    """What one sends from `START` on, with checksums unless said."""

    def __init__(self, *, has_checksums: bool = True, tells_ends: bool = True) -> None:
        self.file, self.end = START.file, START.offset
        self.sent = b""
        self.ends: list[tuple[FilePosition, str]] = []
        self._has_checksums, self._tells_ends = has_checksums, tells_ends
        self._number, self._packets = 0, 0
        self.next_file(self.file, self.end)
        self.event(FORMAT, bytes(60) + bytes([int(has_checksums)]), is_sent_alone=True)

    def event(self, kind: int, body: bytes, *, flags: int = 0, is_sent_alone: bool = False) -> None:
        size = 19 + len(body) + (4 if self._has_checksums or kind == FORMAT else 0)
        if not is_sent_alone:
            self.end += size
        tells = not is_sent_alone and (self._tells_ends or kind in (GTID, XID))
        data = struct.pack("<IBIIIH", 1_800_000_000, kind, 11, size, self.end % 2**32 if tells else 0, flags) + body
        if size > len(data):
            data += struct.pack("<I", zlib.crc32(data))
        self.packets(b"\0" + data)

    def packets(self, data: bytes) -> None:
        """As the protocol cuts it: a packet of the longest size is followed by another one."""
        most = row_streams._LONGEST_PACKET
        for at in range(0, len(data) + 1, most):
            part = data[at : at + most]
            self.sent += len(part).to_bytes(3, "little") + bytes([self._packets % 256]) + part
            self._packets += 1

    def next_file(self, file: str, offset: int = FIRST_EVENT_OFFSET) -> None:
        self.file, self.end = file, offset
        self.event(ROTATE, struct.pack("<Q", offset) + file.encode(), flags=MADE_UP, is_sent_alone=True)

    def commit(self, name: str = "one", *, text: bytes = b"UPDATE small") -> None:
        """One row of `shop.small`."""
        self._number += 1
        log = RawLog()
        log.write(11, None, (self._number, name))
        for event in log.events:
            if event.kind == GTID:
                self.event(GTID, struct.pack("<QIB", self._number, 0, 0) + bytes(6))
                self.event(ANNOTATE, text)
            else:
                self.event(event.kind, event.body or struct.pack("<Q", self._number))
        self.ends.append((FilePosition(self.file, self.end), f"0-11-{self._number}"))

    def take(self) -> bytes:
        """What was not taken yet."""
        sent, self.sent = self.sent, b""
        return sent


def read(server: Server, chunk: int = 2**20) -> StreamedRows:
    rows = StreamedRows(START)
    events, sent = DumpedEvents(rows), server.sent
    for at in range(0, len(sent), chunk):
        events.feed(sent[at : at + chunk])
    return rows


def found(server: Server, rows: StreamedRows) -> list[Mapping[str, TableRows] | None]:
    return [rows.at(*one) for one in server.ends]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 23, 100, 1000])
@pytest.mark.parametrize("server", [{}, {"has_checksums": False}, {"tells_ends": False}])
def test_events__however_they_are_cut__each_transaction_at_its_end(chunk: int, server: dict[str, bool]) -> None:
    sent = Server(**server)
    for name in ("one", "two", "one"):
        sent.commit(name)
    rows = read(sent, chunk)
    digests = found(sent, rows)
    assert [list(one or ()) for one in digests] == [["shop.small"]] * 3
    assert len({str(one) for one in digests}) == 3
    assert rows.until == sent.ends[-1][0]


def test_events__next_file__counted_from_its_beginning() -> None:
    server = Server()
    server.commit()
    server.next_file("binlog.000002")
    server.event(FORMAT, bytes(60) + b"\1")
    server.commit()
    rows = read(server)
    assert None not in found(server, rows)
    assert rows.until.file == "binlog.000002"


def test_events__heartbeat__moves_nothing() -> None:
    server = Server()
    server.event(HEARTBEAT, b"binlog.000001", is_sent_alone=True)
    server.commit()
    assert None not in found(server, read(server))


def test_events__offset_of_more_than_32_bits__told_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.START", FilePosition("binlog.000001", 2**32 - 100))
    server = Server()
    server.commit()
    server.commit()
    assert None not in found(server, read(server))
    assert server.end > 2**32


@pytest.mark.parametrize("chunk", [1, 19, 20, 21, 40, 10_000])
@pytest.mark.parametrize("longest", [0xFFFFFF, 100, 90])
def test_events__one_is_too_long__its_transaction_alone_is_not_told(
    monkeypatch: pytest.MonkeyPatch, longest: int, chunk: int
) -> None:
    monkeypatch.setattr(row_streams, "_LONGEST_PACKET", longest)
    monkeypatch.setattr(row_streams, "MOST_EVENT_BYTES", 85)
    server = Server()
    server.commit()
    server.commit(text=b"x" * 180)
    server.commit()
    assert [one is None for one in found(server, read(server, chunk))] == [False, True, False]


@pytest.mark.parametrize("packet", [b"\xff\xd4\x04broken off", b"\xfe\0\0\0\0", b"\0short"])
def test_events__anything_else__refused(packet: bytes) -> None:
    server = Server()
    server.packets(packet)
    with pytest.raises(ValueError, match="ended the stream"):
        read(server)


def test_rows__another_transaction_or_another_log__not_told() -> None:
    server = Server()
    server.commit()
    rows, ends = read(server), server.ends[0][0]
    assert rows.at(ends, "0-11-1") is not None
    assert rows.at(ends, "0-11-2") is None
    assert rows.at(FilePosition("other.000001", ends.offset), "0-11-1") is None


def test_rows__too_many__the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_streams, "KEEP_TRANSACTIONS", 3)
    server = Server()
    for _ in range(8):
        server.commit()
    known = [one is not None for one in found(server, read(server))]
    assert known == [False] * 3 + [True] * 5


def test_rows__awaited_until_they_are_read_or_the_stream_ended() -> None:
    rows = StreamedRows(START)
    behind = FilePosition(START.file, START.offset + 1)
    assert (rows.awaits(behind), rows.awaits(START)) == (True, False)
    rows.is_open = False
    assert not rows.awaits(behind)


@pytest.mark.parametrize(
    ("end", "is_behind"),
    [
        (FilePosition("binlog.000001", 300), False),
        (FilePosition("binlog.000001", 2**27), True),
        (FilePosition("binlog.000002", 300), False),
        (FilePosition("binlog.000003", 300), True),
        (FilePosition("other.000001", 300), True),
    ],
)
def test_rows__far_from_what_was_read_of_the_log__left_behind(end: FilePosition, is_behind: bool) -> None:
    assert StreamedRows(START).is_left_behind(end) is is_behind


class FarDump:
    """A connection whose other end the test holds."""

    def __init__(self) -> None:
        self.near, self.far = socket.socketpair()
        self.near.settimeout(0)
        self.fileno, self.recv, self.close = self.near.fileno, self.near.recv, self.near.close

    def holds_more(self) -> bool:
        return False


class Dumps:
    """The connections that were opened, and from where; none while the server lets nobody in."""

    def __init__(self) -> None:
        self.starts: list[FilePosition] = []
        self.opened: list[FarDump] = []
        self.is_refused = False
        self.streams, self.tail = RowStreams(), BinlogTail(START)
        self.is_readable = True
        self.access = NodeAccess(
            NodeRef("n1", "db-a1", "127.0.0.1", 3306, "c1"), *(NodeEndpoint("127.0.0.1", 3306, "m", "p", Tls()),) * 2
        )

    def open(self, name: str, _endpoint: NodeEndpoint, start: FilePosition, **_: Any) -> FarDump:
        self.starts.append(start)
        if self.is_refused:
            raise NodeError(name, "refused")
        self.opened.append(FarDump())
        return self.opened[-1]

    def follow(self) -> None:
        self.streams.follow({"n1": Followed(self.access, self.tail, self.is_readable)})

    def follow_until_opened(self, times: int) -> None:
        """Until so many connections were asked for."""

        def asked() -> bool:
            self.follow()
            return len(self.starts) >= times

        wait_for(asked, "a connection")

    def is_open(self) -> bool:
        rows = self.streams.rows("n1")
        return isinstance(rows, StreamedRows) and rows.is_open

    def tells(self, server: Server) -> bool:
        rows = self.streams.rows("n1")
        return rows is not None and None not in [rows.at(*one) for one in server.ends]

    def cut_off(self) -> None:
        self.opened[-1].far.close()
        wait_for(lambda: not self.is_open(), "the stream to end")


@pytest.fixture
def dumps(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dumps]:
    monkeypatch.setattr(row_streams, "AGAIN_AFTER_S", 0.0)
    made = Dumps()
    monkeypatch.setattr(row_streams, "open_dump", made.open)
    yield made
    wait_for(lambda: made.is_refused or len(made.opened) == len(made.starts), "the connections")
    made.streams.close()
    for one in made.opened:
        one.far.close()
        one.near.close()


def test_streams__what_a_node_sends__told(dumps: Dumps) -> None:
    dumps.follow_until_opened(1)
    server = Server()
    server.commit()
    wait_for(lambda: dumps.opened, "the connection")
    dumps.opened[0].far.sendall(server.take())
    wait_for(lambda: dumps.tells(server), "the transaction")
    dumps.follow()
    assert dumps.starts == [START]


def test_streams__each_packet_is_received_by_itself_as_over_tls__all_are_read_in_one_turn(dumps: Dumps) -> None:
    """Read a few at a time, a stream stayed behind its log for ever."""
    rows, dump, server = StreamedRows(START), FarDump(), Server()
    stream = row_streams._Stream(dumps.access, rows, PollLoop(), row_streams._Pace())
    for _ in range(50):
        server.commit()
    dump.recv = lambda _most: dump.near.recv(100)  # type: ignore[method-assign]
    stream._dump = dump  # type: ignore[assignment]
    dump.far.sendall(server.take())
    stream.on_ready(0.0)
    assert None not in found(server, rows)
    dump.far.close()
    dump.near.close()


def test_pace__one_stream_had_much_to_read__read_again_soon() -> None:
    pace = row_streams._Pace()
    pace.note(10)
    assert pace.pause_s() == row_streams.PAUSE_S
    pace.note(row_streams.MUCH_BYTES)
    pace.note(10)
    assert [pace.pause_s(), pace.pause_s()] == [row_streams.SHORT_PAUSE_S, row_streams.PAUSE_S]


def test_streams__cut_off__goes_on_where_it_was_and_knows_what_it_knew(dumps: Dumps) -> None:
    dumps.follow_until_opened(1)
    server = Server()
    server.commit()
    wait_for(lambda: dumps.opened, "the connection")
    dumps.opened[0].far.sendall(server.take())
    wait_for(lambda: dumps.tells(server), "the transaction")
    dumps.tail.cursor = until = server.ends[-1][0]
    dumps.cut_off()
    dumps.follow_until_opened(2)
    assert dumps.starts == [START, until]
    assert dumps.tells(server)


def test_streams__cut_off_and_its_place_is_not_in_the_tail__from_the_end_of_that(dumps: Dumps) -> None:
    dumps.follow_until_opened(1)
    wait_for(lambda: dumps.opened, "the connection")
    dumps.cut_off()
    dumps.tail.start = dumps.tail.cursor = FilePosition(START.file, 5000)
    dumps.follow_until_opened(2)
    assert dumps.starts[-1] == dumps.tail.cursor


def test_streams__left_far_behind__begun_anew_at_the_end(dumps: Dumps) -> None:
    dumps.follow_until_opened(1)
    dumps.tail.cursor = FilePosition("binlog.000009", 300)
    dumps.follow_until_opened(2)
    assert dumps.starts[-1] == dumps.tail.cursor


def test_streams__refused__asked_for_again_after_ever_longer_pauses(
    dumps: Dumps, monkeypatch: pytest.MonkeyPatch
) -> None:
    dumps.is_refused = True
    dumps.follow_until_opened(3)
    monkeypatch.setattr(row_streams, "AGAIN_AFTER_S", 1e9)
    dumps.follow_until_opened(4)
    wait_for(lambda: not dumps.is_open(), "the refusal")
    dumps.follow()
    assert len(dumps.starts) == 4


def test_streams__node_does_not_respond_or_is_of_another_family__not_opened(dumps: Dumps) -> None:
    dumps.is_readable = False
    dumps.follow()
    assert dumps.streams.rows("n1") is None


def test_streams__node_is_followed_no_more__closed(dumps: Dumps) -> None:
    dumps.follow_until_opened(1)
    wait_for(lambda: dumps.opened, "the connection")
    dumps.streams.follow({})
    assert dumps.streams.rows("n1") is None
    assert dumps.opened[0].far.recv(1) == b""
