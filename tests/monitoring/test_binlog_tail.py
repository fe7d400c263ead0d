"""The tail of a binary log, page by page: events without an end, and XA transactions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backend.core.dialects import dialect_for
from backend.core.known_groups import AppliedPlace
from backend.core.ports import ER_ERROR_WHEN_EXECUTING_COMMAND, NodeError
from backend.core.positions import FilePosition
from backend.core.stream_account import Jump
from backend.gateway.polling import binlog_tail
from backend.gateway.polling.binlog_tail import BinlogTail, RawRow
from tests.fakes.statements import parse_events

FILE = "binlog.000002"
OFF = (
    (2230, "Gtid", 11, 2272, "BEGIN GTID 0-11-9"),
    (2272, "Annotate_rows", 11, 0, "INSERT INTO bank.g2 (id,price) VALUES (5,50)"),
    (2339, "Table_map", 11, 0, "table_id: 31 (bank.g2)"),
    (2387, "Write_rows_v1", 11, 0, "table_id: 31 flags: STMT_END_F"),
    (2437, "Xid", 11, 2468, "COMMIT /* xid=47 */"),
)
"""SHOW BINLOG EVENTS of 11.8.9, of a session with wsrep_on=OFF: inner events have no end."""
XA = (
    (2230, "Gtid", 11, 2276, "XA START X'7834',X'',1 GTID 0-11-78"),
    (2276, "Query", 11, 0, "XA END X'7834',X'',1"),
    (2364, "XA_prepare", 11, 2402, "XA PREPARE X'7834',X'',1"),
)
"""What frames a transaction of XA; its inner event has no end."""


def followed(events: Sequence[tuple[int, str, int, int, str]], page_events: int) -> BinlogTail:
    """A tail that has read these events in pages of that size."""
    rows = [(FILE.encode(), pos, kind.encode(), sid, end, info.encode()) for pos, kind, sid, end, info in events]

    def query(sql: str) -> Sequence[RawRow]:
        asked = parse_events(sql)
        assert asked is not None
        first = next((i for i, row in enumerate(rows) if row[1] == asked.start), len(rows))
        return rows[first + asked.skip :][: min(page_events, asked.limit)]

    tail = BinlogTail(FilePosition(FILE, events[0][0]))
    tail.advance(query, dialect_for("mariadb", "11.8.9-MariaDB"), FilePosition(FILE, events[-1][3]))
    return tail


@pytest.mark.parametrize("page_events", range(1, 7))
def test_tail__page_ends_at_an_event_without_an_end__read_on_behind_it(
    monkeypatch: pytest.MonkeyPatch, page_events: int
) -> None:
    monkeypatch.setattr(binlog_tail, "PAGE_EVENTS", page_events)
    tail = followed(OFF, page_events)
    assert tail.last is not None
    assert (tail.last.position, tail.last.seqno) == (FilePosition(FILE, 2468), 47)
    assert tail.last.tables == {"bank.g2"}


def test_tail__xa_transactions__never_behind_the_logs_end() -> None:
    """XA END has no end there: taken for the end of a group, it stood at 4 GiB, and the log seemed to be reset."""
    tail = followed(XA, 2_000)
    assert not tail.began_anew
    assert tail.cursor == FilePosition(FILE, 2402)
    assert [group.position.offset for group in tail._groups] == [2402]


def behind(left: int) -> tuple[BinlogTail, list[str]]:
    """A tail whose file was closed with so much left of it, and what it asked for."""
    start, end = FilePosition(FILE, 32_242_400), FilePosition("binlog.000003", 427)
    asked: list[str] = []

    def query(sql: str) -> Sequence[RawRow]:
        asked.append(sql)
        sizes = [(FILE.encode(), start.offset + left), (b"binlog.000003", 427)]
        return sizes if sql == "SHOW BINARY LOGS" else []

    tail = BinlogTail(start)
    tail.advance(query, dialect_for("mariadb", "10.11.19-MariaDB"), end)
    return tail, asked


def test_tail__a_closed_file_goes_far__not_read_through() -> None:
    """Seen on 10.11.19: a page of events of 2 MB was asked for, given up and asked for again, and blocked commits."""
    tail, asked = behind(4_600_000_000)
    assert asked == ["SHOW BINARY LOGS"]
    assert tail.is_caught_up
    assert tail.start == FilePosition("binlog.000003", 427)


def test_tail__a_closed_file_is_nearly_read__read_to_its_end() -> None:
    tail, asked = behind(900)
    assert f"IN '{FILE}' FROM 32242400" in asked[1]
    assert tail.start == FilePosition(FILE, 32_242_400)


def test_tail__server_was_started_twice_between_two_looks__each_file_is_read() -> None:
    """Each start of a server begins a file."""
    asked: list[str] = []

    def query(sql: str) -> Sequence[RawRow]:
        asked.append(sql)
        files = [(f"binlog.{number:06d}".encode(), 900) for number in (2, 3, 4)]
        return files if sql == "SHOW BINARY LOGS" else []

    tail = BinlogTail(FilePosition(FILE, 400))
    tail.advance(query, dialect_for("mariadb", "10.11.19-MariaDB"), FilePosition("binlog.000004", 900))
    read = [sql.partition("IN ")[2].split()[0] for sql in asked[1:]]
    assert read == [f"'{FILE}'", "'binlog.000003'", "'binlog.000004'"]
    assert tail.start == FilePosition(FILE, 400)


def test_tail__file_purged_while_it_is_read__goes_on_at_the_end_and_says_behind_what() -> None:
    def query(sql: str) -> Sequence[RawRow]:
        if sql == "SHOW BINARY LOGS":
            return [(b"binlog.000003", 900)]
        raise NodeError("db-a1", "could not find target log", code=ER_ERROR_WHEN_EXECUTING_COMMAND)

    tail = BinlogTail(FilePosition(FILE, 400))
    tail.advance(query, dialect_for("mariadb", "10.11.19-MariaDB"), FilePosition("binlog.000003", 900))
    assert (tail.start, tail.jumped) == (FilePosition("binlog.000003", 900), Jump(FilePosition(FILE, 400), True))


BY_STATEMENT = {("binlog_format", 11): "STATEMENT in a session"}


@pytest.mark.parametrize(
    ("begins", "text", "is_unsafe"),
    [
        ("BEGIN GTID 0-11-4", "use `bank`; /* app */ insert INTO t VALUES (UUID())", True),
        ("BEGIN GTID 0-11-4", "use `bank`; SET STATEMENT max_statement_time=60 FOR DELETE FROM t LIMIT 1", True),
        ("BEGIN GTID 0-11-4", "use `bank`; /*!50000 INSERT INTO t VALUES (UUID()) */", True),
        ("BEGIN GTID 0-11-4", "DELETE FROM bank.t LIMIT 1", True),
        ("BEGIN GTID 0-11-4", "CREATE TABLE `t` (`a` int)", False),
        ("BEGIN GTID 0-11-4", "SAVEPOINT `update`", False),
        ("GTID 0-11-4", "DELETE FROM `bank`.`in_memory`", False),
    ],
)
def test_tail__statement_instead_of_rows__named(begins: str, text: str, *, is_unsafe: bool) -> None:
    events = [
        (2303, "Gtid", 11, 2345, begins),
        (2345, "Query", 11, 2400, text),
        (2400, "Xid", 11, 2431, "COMMIT /* xid=46 */"),
    ]
    tail = followed(events, 2_000)
    assert tail.take_unsafe() == (BY_STATEMENT if is_unsafe else {})
    assert tail.take_unsafe() == {}


@pytest.mark.parametrize(
    "text",
    [
        "use `b`; SELECT `b`.`f`(_latin1'do' COLLATE 'latin1_swedish_ci')",
        "use `b`; analyze insert into s(src,v) values('analyze',uuid())",
        "use `b`; /* app */ ANALYZE FORMAT=JSON UPDATE s SET v=uuid()",
    ],
)
def test_tail__function_that_writes_or_analyze_instead_of_rows__named(text: str) -> None:
    """Whichever statement called the function (measured: SELECT, DO, SET, VALUES, WITH, CALL)."""
    events = [(2303, "Gtid", 11, 2345, "BEGIN GTID 0-11-4"), (2345, "Query", 11, 2400, text)]
    assert followed([*events, (2400, "Xid", 11, 2431, "COMMIT /* xid=46 */")], 2_000).take_unsafe() == BY_STATEMENT


@pytest.mark.parametrize(
    ("text", "is_unsafe"),
    [
        ("use `b`; SELECT `b`.`f`()", True),
        ("use `b`; create table t select seq, uuid() u from seq_1_to_2", True),
        ("CREATE OR REPLACE TABLE t (\n u CHAR(36)) AS VALUES (UUID())", True),
        ("/* app */ create table t as with q as (select uuid()) select * from q", True),
        ("CREATE TEMPORARY TABLE t SELECT UUID()", False),
        ("CREATE TABLE `select` (a INT COMMENT 'as select') /* SELECT 1 */", False),
        ("CREATE TABLE t (a INT) PARTITION BY LIST (a) (PARTITION p VALUES IN (1))", False),
        ("CREATE VIEW v AS SELECT UUID()", False),
        ("CREATE PROCEDURE p() BEGIN CREATE TABLE t SELECT UUID(); END", False),
        ("GRANT SELECT ON bank.* TO app", False),
        ("ANALYZE TABLE t", False),
    ],
)
def test_tail__statement_of_its_own_that_fills_rows__named(text: str, *, is_unsafe: bool) -> None:
    """IF, CASE and WHILE log the function that they call so. With rows a table is created within a transaction."""
    tail = followed([(2303, "Gtid", 11, 2345, "GTID 0-11-4"), (2345, "Query", 11, 2400, text)], 2_000)
    assert tail.take_unsafe() == (BY_STATEMENT if is_unsafe else {})


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("use `bank`; ALTER TABLE t ADD COLUMN c CHAR(36) DEFAULT (uuid())", "UUID()"),
        ("/* app */ alter online table bank.t add c datetime(6) default (sysdate(6))", "SYSDATE()"),
        ("ALTER TABLE t ADD c DOUBLE DEFAULT (rand ( ))", "RAND()"),
        ("SET STATEMENT lock_wait_timeout=5 FOR ALTER TABLE t ADD COLUMN c CHAR(36) DEFAULT (UUID())", "UUID()"),
        ("use `bank`; /*!50000 ALTER TABLE t ADD c CHAR(36) DEFAULT (UUID()) */", "UUID()"),
        ("ALTER TABLE `o'x` ADD c UUID DEFAULT UUID() COMMENT 'it'", "UUID()"),
        ("ALTER TABLE t ADD c CHAR(36) /* don't */ DEFAULT (UUID()) COMMENT 'x'", "UUID()"),
        ("ALTER TABLE t ADD c VARCHAR(80) DEFAULT CURRENT_USER", "CURRENT_USER()"),
        ("ALTER TABLE t ADD c DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)", "CURRENT_TIMESTAMP()"),
        ("ALTER TABLE t ADD c DATETIME(6) DEFAULT (now( 3 ))", "NOW()"),
        ("ALTER TABLE t ADD c DATETIME(6) ON UPDATE CURRENT_TIMESTAMP(6)", None),
        ("ALTER TABLE t ADD `UUID()` INT COMMENT 'DEFAULT UUID()' /* DEFAULT UUID() */", None),
        ("ALTER TABLE t ADD c DATETIME DEFAULT CURRENT_TIMESTAMP", None),
        ("ALTER TABLE t ADD c DATETIME DEFAULT NOW()", None),
        ("ALTER TABLE t ADD KEY version (a), ADD FOREIGN KEY (u) REFERENCES user (id)", None),
        ("ALTER TABLE t ADD c INT COMMENT 'it''s filled by uuid()'", None),
        ("CREATE TABLE t (a CHAR(36) DEFAULT (uuid()))", None),
        ("ALTER TABLE t MODIFY a CHAR(36) DEFAULT (uuid())", None),
        ("ALTER TABLE t ALTER COLUMN a SET DEFAULT (uuid())", None),
        ("CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.a = UUID()", None),
    ],
)
def test_tail__column_added_that_each_server_fills_for_itself__named(text: str, named: str | None) -> None:
    """A new table or a new default has no rows yet that could differ, and rows that a trigger makes are logged."""
    tail = followed([(2418, "Gtid", 11, 2460, "GTID 0-11-5"), (2460, "Query", 11, 2603, text)], 2_000)
    assert tail.take_unsafe() == ({} if named is None else {("DEFAULT", 11): named})


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("use `b`; ALTER TABLE a ADD c BIGINT DEFAULT (NEXT VALUE FOR s)", "NEXT VALUE FOR"),
        ("ALTER TABLE a ADD c BIGINT DEFAULT next /* it */ value\nfor s", "NEXT VALUE FOR"),
        ("ALTER TABLE a ADD c BIGINT DEFAULT (PREVIOUS VALUE FOR s)", "PREVIOUS VALUE FOR"),
        ("ALTER TABLE a ADD c BIGINT DEFAULT (1 + nextval(`b`.`s`))", "NEXTVAL()"),
        ("ALTER TABLE a ADD c BIGINT DEFAULT (LASTVAL(s))", "LASTVAL()"),
        ("ALTER TABLE a ADD c BIGINT DEFAULT (SETVAL(s, 9))", "SETVAL()"),
        ("ALTER TABLE a ADD c VARCHAR(90) DEFAULT (CONCAT('x', CURRENT_USER))", "CURRENT_USER()"),
        ("ALTER TABLE a ADD c VARCHAR(90) DEFAULT CONCAT('x', CURRENT_ROLE)", "CURRENT_ROLE()"),
        ("ALTER TABLE a ADD c VARCHAR(90) DEFAULT (ENCRYPT('x'))", "ENCRYPT()"),
        ("ALTER TABLE a ADD c VARCHAR(90) DEFAULT (@@global.hostname)", "@@GLOBAL.HOSTNAME"),
        ("ALTER TABLE a ADD c VARCHAR(90) DEFAULT (CONCAT(@x, 'y'))", "@X"),
        ("ALTER TABLE a ADD (b INT DEFAULT (1), c BIGINT DEFAULT (1000*UNIX_TIMESTAMP(NOW(3))))", "NOW()"),
        ("ALTER TABLE a ADD c DATETIME(6) DEFAULT (UTC_TIMESTAMP(6))", "UTC_TIMESTAMP()"),
        ("ALTER TABLE a ADD c TIME(6) DEFAULT (CURTIME(6))", "CURTIME()"),
        ("ALTER TABLE a ADD c DATETIME(6) DEFAULT (DATE_ADD(NOW(6), INTERVAL 1 DAY))", "NOW()"),
        ("ALTER TABLE a ADD c DATETIME(6) DEFAULT CASE WHEN 1 THEN NOW(6) END", "NOW()"),
    ],
)
def test_tail__column_added_with_a_default_that_has_something_of_each_server_in_it__named(
    text: str, named: str
) -> None:
    tail = followed([(2418, "Gtid", 11, 2460, "GTID 0-11-5"), (2460, "Query", 11, 2603, text)], 2_000)
    assert tail.take_unsafe() == {("DEFAULT", 11): named}


@pytest.mark.parametrize(
    "text",
    [
        "ALTER TABLE a ADD c INT DEFAULT (1+1), ADD KEY nextval (c)",
        "ALTER TABLE a ADD (c INT DEFAULT 1), ADD KEY encrypt (c)",
        "ALTER TABLE a ADD c VARCHAR(90) DEFAULT 'a@@b', ADD d INT DEFAULT 2 COMMENT '@x NOW(6)'",
        "ALTER TABLE a ADD c INT DEFAULT (`@@x` + `next value for`) /* @x */",
        "ALTER TABLE a ADD c DATETIME DEFAULT (NOW() + INTERVAL 1 SECOND)",
        "ALTER TABLE a ADD c BIGINT DEFAULT (UNIX_TIMESTAMP())",
        "ALTER TABLE a ADD c DATETIME(6) DEFAULT NOW() ON UPDATE NOW(6)",
    ],
)
def test_tail__default_that_each_server_computes_alike__nothing(text: str) -> None:
    tail = followed([(2418, "Gtid", 11, 2460, "GTID 0-11-5"), (2460, "Query", 11, 2603, text)], 2_000)
    assert tail.take_unsafe() == {}


HALVES = (
    (2303, "Gtid", 11, 2345, "BEGIN GTID 0-11-4"),
    (2345, "Xid", 11, 2376, "COMMIT /* xid=46 */"),
    (2376, "Gtid", 11, 2418, "GTID 0-11-5 START ALTER"),
    (2418, "Query", 11, 2603, "ALTER TABLE x.t ADD UNIQUE(d)"),
    (2603, "Gtid", 11, 2648, "GTID 0-11-6 {} ALTER id=5"),
    (2648, "Query", 11, 2841, "ALTER TABLE x.t ADD UNIQUE(d)"),
)
"""As 10.11.19 logs it under binlog_alter_two_phase: the log of the writer, of the replica and of its neighbours."""


@pytest.mark.parametrize(("end", "counted"), [("COMMIT", 1), ("ROLLBACK", 0)])
@pytest.mark.parametrize("executed", [2376, 2603])
def test_tail__alter_in_halves__counts_once_and_not_at_all_where_it_failed(
    end: str, counted: int, executed: int
) -> None:
    """The replica has the first half or not: what it lacks is the same."""
    tail = followed([(*row[:4], row[4].format(end)) for row in HALVES], 2_000)
    assert tail.gap_after(FilePosition(FILE, executed), ()) == counted
    assert tail.stream(()).after(AppliedPlace(46)) == counted
    assert tail.place_at(FilePosition(FILE, executed), ()) == AppliedPlace(46)


def test_tail__first_half_is_last__was_read_to_the_logs_end() -> None:
    tail = followed(HALVES[:4], 2_000)
    assert tail.has_read(FilePosition(FILE, 2603))
