"""Orphans and what the other side's channel wrote over them, read from one log."""

from __future__ import annotations

import pytest

from backend.core.orphans import reading
from backend.core.orphans.model import OrphanTransaction
from backend.core.orphans.reading import OrphanReader, overwritten_rows
from backend.core.orphans.rows.row_keys import key_digest
from backend.core.orphans.transactions import TooManyError
from backend.core.row_event_bytes import UnreadableError
from tests.core.builders.raw_logs import SMALL, RawLog, shape_of

LOST, SURVIVOR, OTHER = 11, 21, 31


def key(number: int) -> str:
    return key_digest((SMALL.name, ("id",), (number,)))


def read(log: RawLog) -> tuple[OrphanReader, list[OrphanTransaction]]:
    reader = OrphanReader(shape_of, (SURVIVOR,))
    return reader, list(reader.transactions(log.of(LOST), log.events))


def test_reading__orphans_among_others__each_with_its_rows() -> None:
    log = RawLog()
    log.write(SURVIVOR, None, (9, "theirs"))
    log.write(LOST, None, (1, "a"))
    log.write(SURVIVOR, (9, "theirs"), (9, "again"))
    log.write(LOST, (1, "a"), (1, "b"))
    reader, found = read(log)
    assert [(one.index, one.rows[0].before, one.rows[0].after) for one in found] == [
        (0, None, (1, b"a")),
        (1, (1, b"a"), (1, b"b")),
    ]
    assert reader.overwritten == {}


def test_reading__survivors_write_behind_an_orphan__overwritten_from_there_on() -> None:
    log = RawLog()
    log.write(SURVIVOR, None, (1, "before"))
    log.write(LOST, (1, "before"), (1, "a"))
    log.write(LOST, None, (2, "b"))
    log.write(SURVIVOR, (1, "a"), (1, "theirs"))
    log.write(LOST, (1, "theirs"), (1, "c"))
    log.write(SURVIVOR, (2, "b"), None)
    reader, found = read(log)
    assert len(found) == 3
    assert reader.overwritten == {key(1): 2, key(2): 3}


def test_reading__write_of_another_origin__is_none_of_the_survivors() -> None:
    log = RawLog()
    log.write(LOST, None, (1, "a"))
    log.write(OTHER, (1, "a"), (1, "x"))
    assert read(log)[0].overwritten == {}


def test_reading__survivors_row_that_is_not_whole__its_table_is_refused() -> None:
    log = RawLog()
    log.write(LOST, None, (1, "a"))
    log.write(SURVIVOR, (1, "a"), (1, "x"), is_whole=False)
    reader, _ = read(log)
    (refusal,) = reader.table_definitions[SMALL.name].refusals
    assert "unknown what the other side's channel wrote there" in refusal


def test_reading__survivors_rows_of_tables_without_orphans__not_even_decoded() -> None:
    log = RawLog()
    log.write(LOST, None, (1, "a"))
    log.write(SURVIVOR, None, (1, "a"), table="elsewhere", is_whole=False)
    reader, _ = read(log)
    assert reader.table_definitions[SMALL.name].refusals == ()


def test_reading__events_end_before_the_orphan__refused_by_name() -> None:
    log = RawLog()
    log.write(LOST, None, (1, "a"))
    reader = OrphanReader(shape_of, (SURVIVOR,))
    (found,) = reader.transactions(log.groups, log.events[:2])
    assert "no longer at" in found.refusal


def test_reading__past_the_limit__named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_TRANSACTIONS", 1)
    log = RawLog()
    log.write(LOST, None, (1, "a"))
    log.write(LOST, None, (2, "a"))
    with pytest.raises(TooManyError, match="more than 1 transactions"):
        read(log)


def test_overwritten__behind_the_scan__every_row_of_the_orphans_tables() -> None:
    log = RawLog()
    log.write(SURVIVOR, (1, "a"), (1, "x"))
    log.write(LOST, None, (3, "x"))
    assert overwritten_rows(log.events, (SURVIVOR,), {SMALL.name: SMALL}, 5) == {key(1): 5}


def test_overwritten__row_that_is_not_whole__raises() -> None:
    log = RawLog()
    log.write(SURVIVOR, (1, "a"), (1, "x"), is_whole=False)
    with pytest.raises(UnreadableError):
        overwritten_rows(log.events, (SURVIVOR,), {SMALL.name: SMALL}, 5)
