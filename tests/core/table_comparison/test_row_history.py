"""What a log tells of one row: who changed it last, and whether a logged transaction left it as it was found."""

from __future__ import annotations

import struct

import pytest

from backend.core.orphans.model import Operation
from backend.core.table_comparison.row_history import Row, RowHistory, row_history
from tests.core.builders.raw_logs import SMALL, RawLog

HERE, THERE = 11, 21


def followed(log: RawLog, found: Row | None, number: int = 1) -> RowHistory:
    """The row with that id."""
    return row_history(log.events, SMALL, {"id": number}, found)


def written() -> RawLog:
    """Row 1 is made here, changed there; row 2 is made in between."""
    log = RawLog()
    log.write(HERE, None, (1, "a"))
    log.write(HERE, None, (2, "other"))
    log.write(THERE, (1, "a"), (1, "b"))
    return log


def test_row__as_the_last_change_left_it__that_is_its_writer() -> None:
    history = followed(written(), {"id": 1, "name": b"b"})
    assert history.is_as_logged is True
    assert history.writer == history.last
    assert history.last is not None
    assert (history.last.server_id, history.last.operation, history.changes) == (THERE, Operation.UPDATE, 2)


def test_row__as_an_earlier_change_left_it__that_one_is_its_writer() -> None:
    history = followed(written(), {"id": 1, "name": b"a"})
    assert history.writer is not None
    assert history.last is not None
    assert (history.writer.server_id, history.last.server_id) == (HERE, THERE)


def test_row__as_no_change_left_it__not_as_logged() -> None:
    history = followed(written(), {"id": 1, "name": b"x"})
    assert (history.writer, history.is_as_logged) == (None, False)


def test_row__not_there_though_no_change_removed_it__not_as_logged() -> None:
    assert followed(written(), None).is_as_logged is True  # as before its insert
    log = RawLog()
    log.write(HERE, (1, "a"), (1, "b"))
    assert followed(log, None).is_as_logged is False


def test_row__as_the_first_change_found_it__was_so_before() -> None:
    log = RawLog()
    log.write(HERE, (1, "old"), (1, "new"))
    history = followed(log, {"id": 1, "name": b"old"})
    assert (history.writer, history.was_before, history.is_as_logged) == (None, True, True)


def test_row__removed_or_its_key_changed__not_there_since() -> None:
    log = written()
    log.write(HERE, (2, "other"), None)
    assert followed(log, None, 2).last == followed(log, None, 2).writer
    moved = written()
    moved.write(HERE, (2, "other"), (3, "other"))
    assert followed(moved, None, 2).is_as_logged is True
    assert followed(moved, {"id": 3, "name": b"other"}, 3).is_as_logged is True


def test_row__never_changed__unknown() -> None:
    history = followed(written(), {"id": 7, "name": b"x"}, 7)
    assert (history.last, history.changes, history.is_as_logged) == (None, 0, None)


def test_row__of_another_table__is_another_one() -> None:
    log = RawLog()
    log.write(HERE, None, (1, "a"), table="large")
    assert followed(log, None).changes == 0


@pytest.mark.parametrize("sql", ["UPDATE small SET name = 'x'", "ALTER TABLE Small ADD COLUMN x INT"])
def test_row__a_statement_that_names_its_table__unknown_what_it_left(sql: str) -> None:
    log = written()
    log.define(HERE, sql)
    history = followed(log, {"id": 1, "name": b"x"})
    assert history.is_as_logged is None
    assert history.unread.startswith("a statement that names shop.small was logged as text, within binlog.000001:")


def test_row__its_table_created_in_the_log__known_from_its_insert_on() -> None:
    log = RawLog()
    log.define(HERE, "CREATE TABLE small (id INT PRIMARY KEY, name VARCHAR(20))")
    log.write(HERE, None, (1, "a"))
    assert followed(log, {"id": 1, "name": b"x"}).is_as_logged is False
    log.define(HERE, "CREATE OR REPLACE TABLE small (id INT PRIMARY KEY, name VARCHAR(20))")
    assert followed(log, {"id": 1, "name": b"x"}).is_as_logged is None


def test_row__a_change_that_cannot_be_read__unknown() -> None:
    log = written()
    log.write(HERE, (1, "b"), (1, "c"), is_whole=False)
    history = followed(log, {"id": 1, "name": b"x"})
    assert history.is_as_logged is None
    assert "binlog_row_image" in history.unread


def test_found__without_columns_that_were_not_compared__as_logged_by_the_others() -> None:
    assert followed(written(), {"name": b"b"}).is_as_logged is True


def test_gtid__of_the_log__told() -> None:
    log = written()
    body = struct.pack("<QI", 57, 3) + b"\0" * 7
    log.events = [replace_gtid(event, body) for event in log.events]
    last = followed(log, None).last
    assert last is not None
    assert last.gtid == f"3-{THERE}-57"


def replace_gtid(event: object, body: bytes) -> object:
    """Events of kind 162 with this body."""
    return event._replace(body=body) if event.kind == 162 else event  # type: ignore[attr-defined]
