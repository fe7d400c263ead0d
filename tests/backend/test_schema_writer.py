"""A change of a definition on one session: looked for first, sent once, looked for again; nothing else leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.orphans.schema_changes.parse import parse_schema_change
from backend.core.orphans.schema_changes.statements import replay_change, undo_change
from backend.core.ports import NodeError, RowConflictError, SchemaStatement
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.connection.statement_filter import is_changing, is_row_change, is_schema_change
from backend.gateway.schema_writer import apply_schema_change

CREATED = parse_schema_change("CREATE TABLE t (id INT)", "shop")
ADDED = parse_schema_change("ALTER TABLE t ADD `a``b` INT, ADD INDEX i (id)", "shop")


class OneSession:
    """Answers counts; a statement that changes a definition takes effect, unless it is told to fail."""

    name = "a1"

    def __init__(self, change: SchemaStatement, *, stands: int, rows: int = 0, error: NodeError | None = None) -> None:
        self.change, self.stands, self.rows, self.error = change, stands, rows, error
        self.sent: list[str] = []
        self.takes_effect = True

    def run(self, sql: str, *, timeout_s: float | None = None) -> list[dict[str, object]]:
        del timeout_s
        if sql == self.change.parts:
            return [{"n": self.stands}]
        if sql == self.change.must_be_none:
            return [{"n": self.rows}]
        self.sent.append(sql)
        if sql == self.change.sql:
            if self.error is not None:
                raise self.error
            self.stands = self.change.after if self.takes_effect else self.stands
        return []


def apply(session: OneSession) -> None:
    apply_schema_change(session, session.change, 5.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [replay_change(CREATED), undo_change(CREATED), undo_change(ADDED)])
def test_schema_writer__nothing_stands_yet__sent_with_its_settings(change: SchemaStatement) -> None:
    session = OneSession(change, stands=change.before)
    apply(session)
    use = ["USE `shop`"] if change.default_schema else []
    assert session.sent == [change.settings, *use, change.sql]


def test_schema_writer__stands_already__not_sent_again() -> None:
    session = OneSession(replay_change(CREATED), stands=1)
    apply(session)
    assert session.change.sql not in session.sent


def test_schema_writer__half_of_it_stands__a_conflict() -> None:
    session = OneSession(undo_change(ADDED), stands=1)
    with pytest.raises(RowConflictError, match="has 1 part of the change, 2 expected"):
        apply(session)
    assert session.change.sql not in session.sent


def test_schema_writer__created_table_still_holds_a_row__not_dropped() -> None:
    session = OneSession(undo_change(CREATED), stands=1, rows=1)
    with pytest.raises(RowConflictError, match="orphaned transactions did not write"):
        apply(session)
    assert session.change.sql not in session.sent


def test_schema_writer__refused_by_the_server__a_conflict_and_a_lost_answer_is_none() -> None:
    session = OneSession(replay_change(CREATED), stands=0, error=NodeError("a1", "no such schema", code=1049))
    with pytest.raises(RowConflictError, match="no such schema"):
        apply(session)
    session.error = NodeError("a1", "lost", indeterminate=True)
    with pytest.raises(NodeError) as caught:
        apply(session)
    assert caught.value.indeterminate


def test_schema_writer__sent_and_not_there_afterwards__a_conflict() -> None:
    session = OneSession(replay_change(CREATED), stands=0)
    session.takes_effect = False
    with pytest.raises(RowConflictError, match="the change was sent; the table has 0 parts"):
        apply(session)


@pytest.mark.parametrize(
    ("sql", "is_allowed"),
    [
        (undo_change(CREATED).sql, True),
        (undo_change(ADDED).sql, True),
        ("CREATE TABLE shop.t (id INT)", True),
        ("DROP TABLE `shop`.`t`", False),
        ("DROP TABLE /* hawser undo */ `mysql`.`user`", False),
        ("DROP TABLE /* hawser undo */ `shop`.`t`, `shop`.`u`", False),
        ("ALTER TABLE `shop`.`t` DROP COLUMN `a` /* hawser undo */", True),
        ("ALTER TABLE `shop`.`t` DROP COLUMN `a`, ENGINE=MyISAM /* hawser undo */", False),
        ("DROP DATABASE `shop`", False),
        ("TRUNCATE TABLE `shop`.`t`", False),
        ("SELECT 1", False),
    ],
)
def test_statement_filter__definitions__only_what_replay_and_undo_write(sql: str, is_allowed: bool) -> None:
    assert is_schema_change(sql, "") is is_allowed
    assert not is_changing(sql)
    assert not is_row_change(sql)


def test_schema_writer__another_statement_or_global_settings__never_leave() -> None:
    change = replay_change(CREATED)
    for wrong in (
        replace(change, sql="DROP TABLE t"),
        replace(change, settings="SET GLOBAL read_only=0"),
        replace(change, parts="DELETE FROM shop.t"),
        replace(change, must_be_none="DROP TABLE t"),
    ):
        session = OneSession(wrong, stands=0)
        with pytest.raises(NotAllowedError):
            apply(session)
        assert session.sent == []
