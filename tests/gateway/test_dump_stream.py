"""Where the events of a dump end, also those for which the server states no end."""

from __future__ import annotations

import struct

from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import _Stream


def packet(kind: int, end: int, flags: int = 0, body: bytes = b"12345678") -> bytes:
    """An event as sent, without a checksum."""
    return b"\0" + struct.pack("<IBIIIH", 1_800_000_000, kind, 11, 19 + len(body), end, flags) + body


def test_stream__inner_events_state_no_end__counted_from_the_event_before() -> None:
    """11.4 and later write 0 there (`binlog_legacy_event_pos=OFF`)."""
    stream = _Stream(FilePosition("binlog.000001", 1000))
    sent = [packet(162, 1027), packet(19, 0), packet(23, 0), packet(16, 1108)]
    events = [stream.take(one) for one in sent]
    assert [event.end for event in events if event is not None] == [1027, 1054, 1081, 1108]


def test_stream__event_that_the_server_made_up__not_in_the_file_and_not_counted() -> None:
    stream = _Stream(FilePosition("binlog.000001", 1000))
    made_up, first = stream.take(packet(163, 0, flags=0x20)), stream.take(packet(162, 0))
    assert made_up is not None
    assert first is not None
    assert (made_up.end, first.end) == (0, 1027)


def test_stream__next_file__counted_from_its_beginning() -> None:
    stream = _Stream(FilePosition("binlog.000001", 1000))
    assert stream.take(packet(4, 0, flags=0x20, body=bytes(8) + b"binlog.000002")) is None
    event = stream.take(packet(162, 0))
    assert event is not None
    assert (event.file, event.end) == ("binlog.000002", 31)
