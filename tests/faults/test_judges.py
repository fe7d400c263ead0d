"""The judges themselves: each rule broken on purpose is named, so that their silence proves something."""

from __future__ import annotations

import pytest

from tests.faults.judges import channels, statements, wire
from tests.faults.judges.channels import Event
from tests.faults.judges.record import Intent, Record
from tests.faults.judges.wire import Wire

LOG = """\
/usr/sbin/mariadbd, Version: 10.11.19-MariaDB. started with:
Time\t\t    Id Command\tArgument
261121 13:30:00\t     7 Connect\thawser_operator@127.0.0.1 on  using SSL/TLS
\t\t     7 Query\tSET SESSION sql_mode='', lock_wait_timeout=5
\t\t     8 Connect\tapp@127.0.0.1 on bank using TCP/IP
\t\t     8 Query\tINSERT INTO transfers VALUES (1)
261121 13:30:02\t     7 Query\tCHANGE MASTER TO
  MASTER_HOST='10.0.0.1', MASTER_USER='r', MASTER_PASSWORD='it''s secret',
  MASTER_LOG_FILE='binlog.000001', MASTER_LOG_POS=4
\t\t     7 Query\tSHOW WARNINGS
\t\t     7 Quit\t
"""
CHANGE = (
    "CHANGE MASTER TO MASTER_HOST='10.0.0.1', MASTER_USER='r', MASTER_PASSWORD='***', "
    "MASTER_LOG_FILE='binlog.000001', MASTER_LOG_POS=4"
)
TEMPLATE = (
    "CHANGE MASTER TO\n  MASTER_HOST='10.0.0.1', MASTER_USER='r', MASTER_PASSWORD='***',\n"
    "  MASTER_LOG_FILE='{{forward.file}}', MASTER_LOG_POS={{forward.offset}}"
)
PLAN = {
    "steps": [
        {"node": "db-b1", "sql": ["STOP SLAVE"], "undo": ["START SLAVE"]},
        {"node": "db-b2", "sql": [TEMPLATE], "undo": []},
        {"node": "db-b2", "sql": ["START SLAVE"], "undo": []},
    ]
}


def sent(node: str, sql: str, session: int = 7, second: int = 100, place: int = 0) -> Wire:
    return Wire(node, place, second, session, wire.OPERATOR, sql)


def intent(node: str, sql: str, step: int, **more: object) -> Intent:
    values: dict[str, object] = {
        "run": "r", "statement": step, "epoch": 1, "step": step, "node": node, "session": 7, "sql": sql,
        "at": 99.0 + step / 10, "state": "ok",
    }  # fmt: skip
    return Intent(**(values | more))  # type: ignore[arg-type]


GOOD = [intent("db-b1", "STOP SLAVE", 0), intent("db-b2", CHANGE, 1), intent("db-b2", "START SLAVE", 2)]
WIRES = [sent("db-b1", "STOP SLAVE"), sent("db-b2", CHANGE), sent("db-b2", "START SLAVE")]


def record(told: list[Intent] | None = None, **claims: float) -> Record:
    return Record(GOOD if told is None else told, {("r", int(e[1:])): at for e, at in claims.items()}, {"r": PLAN})


def test_log__several_sessions_and_lines__changing_statements_of_the_operator_only() -> None:
    found = wire.changing(wire.statements("db-b2", LOG))
    assert [each.plain for each in found] == [CHANGE]
    assert found[0].session == 7


def test_statements__all_as_meant__nothing_to_say() -> None:
    assert statements.breaks(record(), WIRES) == []


@pytest.mark.parametrize(
    ("intents", "wires", "word"),
    [
        (GOOD[:2], WIRES, "no intent"),
        (GOOD, [*WIRES, WIRES[1]], "2 statements"),
        (GOOD, WIRES[:2], "0 statements"),
        ([intent("db-b3", "STOP SLAVE", 0)], [sent("db-b3", "STOP SLAVE")], "went to db-b3"),
        ([intent("db-b1", "RESET SLAVE ALL", 0)], [sent("db-b1", "RESET SLAVE ALL")], "not what the plan showed"),
        (GOOD, [*WIRES, sent("db-b1", "KILL 99")], "nobody's"),
    ],
    ids=["unannounced", "twice", "never-arrived", "other-node", "other-statement", "foreign-session-killed"],
)
def test_statements__rule_broken__is_named(intents: list[Intent], wires: list[Wire], word: str) -> None:
    assert any(word in sentence for sentence in statements.breaks(record(intents), wires))


def test_statements__said_to_be_unsent__may_be_missing() -> None:
    assert statements.breaks(record([*GOOD[:2], intent("db-b2", "START SLAVE", 2, state="failed")]), WIRES[:2]) == []


def test_statements__own_earlier_session_killed__allowed() -> None:
    assert statements.breaks(record(), [*WIRES, sent("db-b2", "KILL 7", session=9)]) == []


def test_statements__old_epoch_behind_a_new_one__is_named() -> None:
    late = [intent("db-b2", CHANGE, 1, epoch=2, session=8), intent("db-b2", "START SLAVE", 2, epoch=1)]
    wires = [sent("db-b2", CHANGE, session=8), sent("db-b2", "START SLAVE", place=1)]
    assert any("of epoch 1 after epoch 2" in sentence for sentence in statements.breaks(record(late), wires))


def test_statements__old_epoch_after_the_takeover__is_named() -> None:
    assert any("after the takeover" in sentence for sentence in statements.breaks(record(e2=90.0), WIRES))


def test_channels__moved_in_order__nothing_to_say() -> None:
    assert channels.breaks(["db-b1", "db-a1"], record(), []) == []


def test_channels__started_while_the_old_one_runs__is_named() -> None:
    assert "db-b1" in channels.breaks(["db-b1", "db-a1"], record(GOOD[1:]), [])[0]


def test_channels__old_holder_is_dead__no_second_channel() -> None:
    assert channels.breaks(["db-b1"], record(GOOD[1:]), [Event(1.0, "db-b1", "down")]) == []


def test_template__filled__only_at_its_marks() -> None:
    assert statements.is_filled(TEMPLATE, CHANGE)
    assert not statements.is_filled(TEMPLATE, CHANGE.replace("10.0.0.1", "10.0.0.2"))
