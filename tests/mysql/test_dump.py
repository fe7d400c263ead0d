"""Reading the binary log of a real MySQL by the dump protocol."""

from __future__ import annotations

import pytest

from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import file_created_at, read_events
from backend.gateway.connection.endpoint import Tls, TlsMode
from backend.gateway.connection.errors import ConnectError
from deploy.lab.mysql.pair import Pair
from tests.mysql.pair import endpoint

pytestmark = pytest.mark.server
GTID, QUERY, TABLE_MAP, WRITE_ROWS, XID = 33, 2, 19, 30, 16
PREVIOUS_GTIDS = 35


def _end(pair: Pair) -> FilePosition:
    end = pair.source.sql("SHOW BINARY LOG STATUS")[0]
    return FilePosition(str(end["File"]), int(str(end["Position"])))


def test_dump__one_write__its_events_with_their_ends_and_bodies(pair: Pair) -> None:
    start = _end(pair)
    pair.source.sql("INSERT INTO bank.entries VALUES ('of-the-dump', 1, 'canary-row')")
    events = list(read_events("my-1", endpoint(pair, pair.source, "monitor"), start, limit_s=20))
    assert [event.kind for event in events] == [GTID, QUERY, TABLE_MAP, WRITE_ROWS, XID]
    assert {(event.file, event.server_id) for event in events} == {(start.file, 1)}
    listed = pair.source.sql(f"SHOW BINLOG EVENTS IN '{start.file}' FROM {start.offset}")
    assert [event.end for event in events] == [row["End_log_pos"] for row in listed]
    assert b"canary-row" in events[3].body


def test_dump__from_the_start_of_a_file__checksums_are_understood(pair: Pair) -> None:
    monitor = endpoint(pair, pair.source, "monitor")
    first = next(read_events("my-1", monitor, FilePosition("binlog.000001", 4), limit_s=20))
    assert (first.kind, first.end) == (PREVIOUS_GTIDS, 158)
    assert file_created_at("my-1", monitor, "binlog.000001") > 0


def test_dump__beside_the_channel__its_session_is_not_thrown_out(pair: Pair) -> None:
    before = pair.source.sql("SELECT ID FROM performance_schema.processlist WHERE COMMAND LIKE 'Binlog Dump%'")
    assert before
    assert list(
        read_events("my-1", endpoint(pair, pair.source, "monitor"), FilePosition("binlog.000001", 4), limit_s=20)
    )
    after = pair.source.sql("SELECT ID FROM performance_schema.processlist WHERE COMMAND LIKE 'Binlog Dump%'")
    assert [row for row in after if row in before] == before


@pytest.mark.parametrize("mode", [TlsMode.DISABLED, TlsMode.REQUIRED])
def test_dump__certificate_not_verified__refused_with_the_remedy(pair: Pair, mode: TlsMode) -> None:
    monitor = endpoint(pair, pair.source, "monitor", Tls(mode, pair.ca.read_text()))
    with pytest.raises(ConnectError, match=r"give the CA certificate of the cluster \(tls\.ca\)"):
        list(read_events("my-1", monitor, FilePosition("binlog.000001", 4), limit_s=20))
