"""Events whose end the server did not write (`binlog_legacy_event_pos=OFF`, since 11.4): read as if it had."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backend.core.binlog.events import Cursor, LogEvent, size_of, with_ends
from backend.core.binlog.groups import Group, UnknownEventError, read_groups
from backend.core.binlog.logs import BinaryLog
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.ports import Row
from backend.core.topology import NodeRef
from tests.fakes.log import FakeLog
from tests.fakes.statements import parse_events
from tests.fakes.transactions import Txn


class ServerOf:
    """A server that shows a log without the ends inside transactions."""

    node = NodeRef("n1", "db-a1", "127.0.1.1", 3306, "c1")

    def __init__(self, log: FakeLog) -> None:
        self._log = log
        self.questions = 0

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """One page, or the files."""
        del timeout_s
        asked = parse_events(sql)
        if asked is None:
            return [{"Log_name": name, "File_size": size} for name, size in self._log.files()]
        self.questions += 1
        rows = self._log.events(asked.file or "", asked.start, limit=asked.limit, skip=asked.skip)
        return [
            {
                "Log_name": e.file, "Pos": e.pos, "Event_type": e.type, "Server_id": e.server_id,
                "End_log_pos": 0 if e.type in ("Annotate_rows", "Table_map") or "rows" in e.type else e.end_log_pos,
                "Info": e.info,
            }
            for e in rows
        ]  # fmt: skip


def written() -> FakeLog:
    """Two files of transactions with rows."""
    log = FakeLog()
    for number in range(1, 7):
        log.append(Txn(number, 11, f"INSERT INTO t VALUES ({number})", row_events=number % 3 + 1), number)
        if number == 3:
            log.rotate()
    return log


def groups_of(source: FakeLog | BinaryLog, start: FakeLog, page_rows: int) -> list[Group]:
    """All groups, read in pages of that size."""
    return list(read_groups(Cursor(source).events_from(start.start, page_rows=page_rows)))


@pytest.mark.parametrize("page_rows", range(1, 12))
def test_groups__ends_inside_are_not_written__the_same_wherever_a_page_ends(page_rows: int) -> None:
    log = written()
    shown = BinaryLog(ServerOf(log), MariadbDialect())  # type: ignore[arg-type]
    assert groups_of(shown, log, page_rows) == groups_of(log, log, 100)


RECORDED = (
    (2230, "Gtid", 2272, "BEGIN GTID 0-11-9"),
    (2272, "Annotate_rows", 0, "INSERT INTO bank.g2 (id,price) VALUES (5,50)"),
    (2339, "Table_map", 0, "table_id: 31 (bank.g2)"),
    (2387, "Write_rows_v1", 0, "table_id: 31 flags: STMT_END_F"),
    (2437, "Xid", 2468, "COMMIT /* xid=47 */"),
    (2468, "Gtid", 2510, "BEGIN GTID 0-11-10"),
    (2510, "Annotate_rows", 0, "INSERT INTO bank.g2 (id,price) VALUES (5,50)"),
    (2577, "Table_map", 0, "table_id: 31 (bank.g2)"),
    (2625, "Write_rows_v1", 0, "table_id: 31 flags: STMT_END_F"),
    (2675, "Xid", 2706, "COMMIT /* xid=48 */"),
)
"""SHOW BINLOG EVENTS of 11.8.9, of a session that wrote with wsrep_on=OFF before it ever wrote with ON."""


def test_recorded__one_statement_twice_at_different_offsets__one_content() -> None:
    events = with_ends([LogEvent("binlog.000002", at, kind, 11, end, info) for at, kind, end, info in RECORDED], None)
    first, second = read_groups(events)
    assert first.content == second.content
    assert ".u" in first.content
    assert (first.end, second.end) == (2468, 2706)


def test_page__all_ends_written__one_question() -> None:
    server = ServerOf(written())
    BinaryLog(server, MariadbDialect()).events("mariadb-bin.000001", 4, limit=3)  # type: ignore[arg-type]
    assert server.questions == 1


def test_group__cut_off_inside__end_of_the_log_without_a_wrong_offset() -> None:
    """A file of a killed server may end in the middle of a transaction."""
    log = written()
    log.retained[-1].events[-1:] = []
    shown = BinaryLog(ServerOf(log), MariadbDialect())  # type: ignore[arg-type]
    assert groups_of(shown, log, 2) == groups_of(log, log, 100)[:5]


def test_sizes__an_end_is_unknown__not_compared_and_never_the_end_of_a_group() -> None:
    begin = LogEvent("b.1", 100, "Gtid", 11, 142, "BEGIN GTID 0-11-1")
    mapped = LogEvent("b.1", 142, "Table_map", 11, 0, "table_id: 30 (shop.t)")
    rows = LogEvent("b.1", 180, "Write_rows_v1", 11, 0, "table_id: 30 flags: STMT_END_F")
    xid = LogEvent("b.1", 220, "Xid", 11, 251, "COMMIT /* xid=7 */")
    assert size_of(rows) is None
    assert with_ends([mapped, rows], None) == [mapped._replace(end_log_pos=180), rows]
    (group,) = read_groups([begin, mapped, rows, xid])
    assert group.content.endswith(".-")
    with pytest.raises(UnknownEventError):
        list(read_groups([begin, mapped, rows, xid._replace(end_log_pos=0)]))
