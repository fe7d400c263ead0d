"""An ALTER that its server logs in two halves, as 10.11.19 shows it; its neighbours' logs have one, or none."""

from __future__ import annotations

import struct

import pytest

from backend.core.binlog.content import is_same
from backend.core.binlog.events import Cursor, LogEvent
from backend.core.binlog.groups import Group, foreign_to, read_groups
from backend.core.binlog.window import read_window, to_log_end
from backend.core.lookup.groups import dumped_groups
from backend.core.lookup.log_events import GTID, shown_event
from backend.core.orphans.transactions import RawEvent
from backend.core.positions import FilePosition
from tests.fakes.log import FakeLog
from tests.fakes.transactions import Txn

ALTER = "ALTER TABLE x.t ADD COLUMN c1 INT, ALGORITHM=COPY"
START = ("GTID 0-11-4 START ALTER", ALTER)
COMMIT = ("GTID 0-11-5 COMMIT ALTER id=4", ALTER)
ROLLBACK = ("GTID 0-11-5 ROLLBACK ALTER id=4", ALTER)
WHOLE = ("GTID 0-11-4", ALTER)


def logged(*groups: tuple[str, str]) -> list[LogEvent]:
    """These single statements, one after the other."""
    events, at = [], 4
    for gtid, text in groups:
        events += [LogEvent("binlog.1", at, "Gtid", 11, at + 42, gtid)]
        events += [LogEvent("binlog.1", at + 42, "Query", 11, at + 142, text)]
        at += 142
    return events


def groups_in(*groups: tuple[str, str]) -> list[Group]:
    """What is read of them."""
    return list(read_groups(logged(*groups)))


def test_both_halves__writer_or_replica__one_group_that_is_the_neighbours_whole_alter() -> None:
    (halves,), (whole,) = groups_in(START, COMMIT), groups_in(WHOLE)
    assert is_same(halves.content, whole.content)
    assert halves.kind == whole.kind == "ddl"


@pytest.mark.parametrize("halves", [(START,), (START, ROLLBACK)])
def test_first_half_alone_or_taken_back__changes_nothing__is_no_group(halves: tuple[tuple[str, str], ...]) -> None:
    assert groups_in(*halves) == []


def test_second_half_alone__a_replica_executes_it_whole__is_the_whole_alter() -> None:
    (alone,), (whole,) = groups_in(COMMIT), groups_in(WHOLE)
    assert is_same(alone.content, whole.content)


def test_window__first_half_is_last__its_end_is_read_though_no_group_of_the_stream_is_there() -> None:
    log = FakeLog()
    before = log.append(Txn(1, 11, "x"), 101)
    log.put_event("Gtid", START[0])
    log.put_event("Query", START[1])
    window = read_window(Cursor(log), log.start, foreign_to([21]), to_log_end, following=0)
    assert [group.end_position for group in window.stream] == [before.end]
    assert window.outside_stream == []
    assert window.end == log.end


def gtid(flags: int, extra: bytes = b"") -> RawEvent:
    """A GTID event as the dump protocol sends it, filled up with zeros to 19 bytes."""
    body = struct.pack("<QIB", 4, 0, flags) + extra
    return RawEvent("binlog.000001", GTID, 1_790_000_000, 11, 46, body.ljust(19, b"\0"))


@pytest.mark.parametrize(
    ("event", "info"),
    [
        (gtid(1), "GTID 0-11-4"),
        (gtid(1, b"\x02"), "GTID 0-11-4 START ALTER"),
        (gtid(1, b"\x04" + (3).to_bytes(8, "little")), "GTID 0-11-4 COMMIT ALTER"),
        (gtid(1, b"\x08" + (3).to_bytes(8, "little")), "GTID 0-11-4 ROLLBACK ALTER"),
        (gtid(3, (7).to_bytes(8, "little") + b"\x02"), "GTID 0-11-4 START ALTER"),
        (gtid(2, (2).to_bytes(8, "little")), "BEGIN GTID 0-11-4"),
    ],
)
def test_shown_event__halves_in_the_dump__told_as_the_server_tells_them(event: RawEvent, info: str) -> None:
    assert shown_event(event, 4).info == info


def test_dumped_groups__halves_that_change_nothing__not_found_as_transactions() -> None:
    text = struct.pack("<IIBHH", 0, 0, 0, 0, 0) + b"\0" + ALTER.encode()
    events = []
    for half in (b"\x02", b"\x04" + (4).to_bytes(8, "little")):
        at = 4 + len(events) * 100
        events.append(gtid(1, half)._replace(end=at + 100))
        events.append(RawEvent("binlog.000001", 2, 1_790_000_000, 11, at + 200, text))
    found = list(dumped_groups(events, FilePosition("binlog.000001", 4)))
    assert [group.begin_position.offset for group in found] == [204]
