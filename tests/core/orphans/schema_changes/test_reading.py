"""Rows before and behind a change of a definition, read from one log under the table of their moment."""

from __future__ import annotations

import pytest

from backend.core.orphans import reading
from backend.core.orphans.model import OrphanTransaction
from backend.core.orphans.reading import OrphanReader
from backend.core.orphans.rows.row_keys import key_digest
from backend.core.orphans.schema_changes.history import read_history
from backend.core.orphans.transactions import TooManyError, is_schema_change
from tests.core.builders.raw_logs import SMALL, RawLog, shape_of

LOST, SURVIVOR = 11, 21
WIDENED = "ALTER TABLE small ADD COLUMN name VARCHAR(20)"


def read(log: RawLog, *, counted: RawLog | None = None) -> tuple[OrphanReader, list[OrphanTransaction]]:
    """`counted`: the log as it was when its changes were gathered."""
    statements = [group.statement or "" for group in (counted or log).of(LOST) if is_schema_change(group)]
    reader = OrphanReader(shape_of, (SURVIVOR,), read_history(statements))
    return reader, list(reader.transactions(log.of(LOST), log.events))


def widened() -> RawLog:
    log = RawLog()
    log.write(LOST, None, (1, ""), is_narrow=True)
    log.define(LOST, WIDENED)
    log.write(LOST, (1, "a"), (1, "b"))
    return log


def test_reading__rows_on_both_sides_of_a_change__each_under_its_definition() -> None:
    reader, found = read(widened())
    assert [one.refusal for one in found] == ["", "", ""]
    assert [(row.version, row.after) for one in found for row in one.rows] == [(1, (1,)), (0, (1, b"b"))]
    assert found[1].change is not None
    assert found[1].change.columns == ("name",)
    assert {shape.version for shape in reader.table_definitions.values()} == {0, 1}


def test_reading__only_rows_before_the_change__the_table_of_now_is_kept_to_know_its_rows_by() -> None:
    log = RawLog()
    log.write(LOST, None, (1, ""), is_narrow=True)
    log.define(LOST, WIDENED)
    log.write(SURVIVOR, (1, "a"), (1, "theirs"))
    reader, _ = read(log)
    assert reader.table_definitions[SMALL.name] == SMALL
    assert reader.overwritten == {key_digest((SMALL.name, ("id",), (1,))): 2}


def test_reading__table_created_and_dropped__neither_its_rows_nor_its_changes_count() -> None:
    log = RawLog()
    log.define(LOST, "CREATE TABLE gone (id INT)")
    log.write(LOST, None, (1, "a"), table="gone")
    log.define(LOST, "DROP TABLE gone")
    _, found = read(log)
    assert [(one.refusal, one.rows, one.is_void) for one in found] == [("", (), True), ("", (), False), ("", (), True)]


def test_reading__change_written_since_they_were_gathered__refused() -> None:
    _, found = read(widened(), counted=RawLog())
    assert "the log changed after its transactions were counted" in found[1].refusal


def test_reading__rows_in_the_group_of_a_change__refused() -> None:
    log = RawLog()
    log.define(LOST, WIDENED, with_rows=True)
    _, (found,) = read(log)
    assert "the log changed after its transactions were counted" in found.refusal


def test_reading__more_changes_than_are_followed__named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_SCHEMA_CHANGES", 0)
    with pytest.raises(TooManyError, match="changes of table definitions"):
        read(widened())
