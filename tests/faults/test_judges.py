"""The judges themselves: each rule broken on purpose is named, so that their silence proves something."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.judges import channels, general_log, sampling, statements
from tests.faults.judges.channels import Event
from tests.faults.judges.general_log import Listener, Wire
from tests.faults.judges.record import Intent, Record
from tests.faults.judges.sampling import Sample

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


def sent(node: str, sql: str, session: int = 7, second: int = 100, index: int = 0) -> Wire:
    return Wire(node, index, second, session, general_log.OPERATOR, sql)


def intent(node: str, sql: str, step: int, **more: object) -> Intent:
    values: dict[str, object] = {
        "run": "r", "statement": step, "epoch": 1, "step": step, "node": node, "session": 7, "sql": sql,
        "at": 99.0 + step / 10, "state": "ok",
    }  # fmt: skip
    values["told_in"] = 0 if more.get("state") == "intended" else more.get("epoch", 1)
    return Intent(**(values | more))  # type: ignore[arg-type]


GOOD = [intent("db-b1", "STOP SLAVE", 0), intent("db-b2", CHANGE, 1), intent("db-b2", "START SLAVE", 2)]
WIRES = [sent("db-b1", "STOP SLAVE"), sent("db-b2", CHANGE), sent("db-b2", "START SLAVE")]


def record(intents: list[Intent] | None = None, **claims: float) -> Record:
    runs = {"r": {"state": "succeeded", "outcome": ""}}
    return Record(
        GOOD if intents is None else intents, {("r", int(e[1:])): at for e, at in claims.items()}, {"r": PLAN}, runs
    )


def test_log__several_sessions_and_lines__changing_statements_of_the_operator_only() -> None:
    found = general_log.changing(general_log.statements("db-b2", LOG))
    assert [each.plain for each in found] == [CHANGE]
    assert found[0].session == 7


@pytest.mark.parametrize(
    "sql",
    [
        "FLUSH BINARY LOGS", "PURGE BINARY LOGS TO 'b.2'", "TRUNCATE TABLE bank.transfers", "GRANT ALL ON *.* TO x",
        "SET @@GLOBAL.read_only=0", "SET GLOBAL read_only=ON", "SET SESSION sql_mode='', GLOBAL read_only=0",
        "SELECT 1 INTO OUTFILE '/tmp/x'", "SELECT * FROM bank.balances FOR UPDATE", "KILL 7",
        "DELETE FROM hawser.probe WHERE 1=1", "SET PASSWORD = PASSWORD('x')", "SHUTDOWN",
        "SET STATEMENT wsrep_on=0 FOR DELETE FROM bank.transfers",
    ],
)  # fmt: skip
@pytest.mark.parametrize("user", ["hawser_operator", "hawser_monitor", "hawser_repl"])
def test_changing__whatever_is_not_known_to_read__is_looked_at_on_every_account(sql: str, user: str) -> None:
    mine, other = (Wire("db-b1", 0, 100, 7, name, sql) for name in (user, "app"))
    assert general_log.changing([mine, other]) == [mine]


@pytest.mark.parametrize(
    "sql",
    [
        "SHOW ALL SLAVES STATUS", "SELECT @@GLOBAL.read_only", "SET NAMES utf8mb4",
        "SET SESSION sql_mode='', lock_wait_timeout=5", "SET @master_heartbeat_period=30000001024",
        "SET STATEMENT wsrep_sync_wait=1 FOR SELECT 1", "DELETE FROM hawser.probe WHERE 1=0",
        "SELECT ' INTO ' AS word",
    ],
)  # fmt: skip
def test_changing__what_only_reads__is_left_out(sql: str) -> None:
    assert general_log.changing([sent("db-b1", sql)]) == []


def test_listener__session_older_than_where_it_listens__is_still_known(tmp_path: Path) -> None:
    head, _, rest = LOG.partition("261121 13:30:02")
    listener = Listener("db-b2", tmp_path / "statements.log")
    listener.log.write_text(head)
    listener.skip()
    with listener.log.open("a") as log:
        log.write("261121 13:30:02" + rest)
    assert [each.plain for each in general_log.changing(listener.heard())] == [CHANGE]
    listener.forget()
    listener.log.write_text("261121 13:30:09\t     7 Query\tSTOP SLAVE\n")
    assert [each.plain for each in general_log.changing(listener.heard())] == ["STOP SLAVE"]


def test_listener__no_second_began_since_it_listens__the_one_of_before_counts(tmp_path: Path) -> None:
    head, middle, rest = LOG.partition("\t\t     7 Query\tSHOW WARNINGS")
    listener = Listener("db-b2", tmp_path / "statements.log")
    listener.log.write_text(head)
    before = listener.heard()[-1].second
    listener.skip()
    listener.log.write_text(head + middle + rest)
    assert [each.second for each in listener.heard()] == [before]


def test_listener__server_starts_again__its_session_numbers_are_others(tmp_path: Path) -> None:
    """An applier has no Connect line; its number was an account of ours before the restart."""
    listener = Listener("db-b2", tmp_path / "statements.log")
    listener.log.write_text(LOG)
    listener.skip()
    assert listener.users[7] == general_log.OPERATOR
    restarted = (
        "261121 13:30:59\t     7 Query\tSTOP SLAVE\n"
        + LOG.partition("Time")[0]
        + "261121 13:31:00\t     7 Query\tBEGIN\n"
    )
    with listener.log.open("a") as log:
        log.write(restarted)
    assert [each.sql for each in general_log.changing(listener.heard())] == ["STOP SLAVE"]
    listener.skip()
    assert listener.users == {}


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
        (GOOD, [*WIRES, sent("db-b1", "KILL 99")], "no worker's"),
        ([intent("db-b1", "STOP SLAVE", 0, at=101.0)], WIRES[:1], "before its intent"),
        ([intent("db-b1", "STOP SLAVE", 0, state="intended")], WIRES[:1], "without an outcome"),
    ],
    ids=[
        "unannounced", "twice", "never-arrived", "other-node", "other-statement", "foreign-session-killed", "too-early",
        "left-open",
    ],
)  # fmt: skip
def test_statements__rule_broken__is_named(intents: list[Intent], wires: list[Wire], word: str) -> None:
    assert any(word in sentence for sentence in statements.breaks(record(intents), wires))


def test_statements__said_to_be_unsent__may_be_missing() -> None:
    assert statements.breaks(record([*GOOD[:2], intent("db-b2", "START SLAVE", 2, state="failed")]), WIRES[:2]) == []


def test_statements__sent_twice_and_meant_again_afterwards__the_second_came_too_early() -> None:
    intents = [intent("db-b1", "STOP SLAVE", 0), intent("db-b1", "STOP SLAVE", 0, at=130.0)]
    assert any("before its intent" in s for s in statements.breaks(record(intents), [WIRES[0], WIRES[0]]))
    second = sent("db-b1", "STOP SLAVE", second=130, index=1)
    assert statements.breaks(record(intents), [WIRES[0], second]) == []


@pytest.mark.parametrize(
    "run", [{"state": "needs_operator", "outcome": ""}, {"state": "failed", "outcome": "Superseded by a new plan (p)"}]
)
def test_statements__open_in_a_run_that_waits_or_was_superseded__allowed(run: dict[str, str]) -> None:
    recorded = record([intent("db-b1", "STOP SLAVE", 0, state="intended")])
    recorded.runs["r"] = run
    assert statements.breaks(recorded, WIRES[:1]) == []


LOOK = "SELECT USER AS user, (SELECT 1) AS me FROM information_schema.PROCESSLIST WHERE ID = 7"


@pytest.mark.parametrize(
    ("looks", "is_named"),
    [
        ([], True),
        ([sent("db-b1", LOOK, session=8)], False),
        ([sent("db-b1", LOOK, session=8, index=2)], True),
        ([sent("db-b1", LOOK, session=8, second=102)], True),
        ([sent("db-b2", LOOK, session=8)], True),
        ([sent("db-b1", LOOK.replace("7", "6"), session=8)], True),
        ([Wire("db-b1", 0, 100, 8, "hawser_monitor", LOOK)], True),
    ],
    ids=["not", "in-time", "behind-its-statement", "a-second-late", "other-node", "other-session", "other-account"],
)
def test_statements__successor_sends_over_what_was_left_open__looked_for_that_session_first(
    looks: list[Wire], is_named: bool
) -> None:
    left = intent("db-b1", "STOP SLAVE", 0, state="failed", told_in=2)
    heir = intent("db-b1", "STOP SLAVE", 0, epoch=2, session=8, at=100.5)
    wires = [WIRES[0], sent("db-b1", "STOP SLAVE", session=8, index=1)]
    found = statements.breaks(record([left, heir]), wires, looks)
    assert ["not looked for at the takeover" in sentence for sentence in found] == [True] * is_named


def test_statements__own_earlier_session_killed__allowed() -> None:
    assert statements.breaks(record(), [*WIRES, sent("db-b2", "KILL 7", session=9)]) == []


def test_statements__old_epoch_behind_a_new_one__is_named() -> None:
    late = [intent("db-b2", CHANGE, 1, epoch=2, session=8), intent("db-b2", "START SLAVE", 2, epoch=1)]
    wires = [sent("db-b2", CHANGE, session=8), sent("db-b2", "START SLAVE", index=1)]
    assert any("of epoch 1 after epoch 2" in sentence for sentence in statements.breaks(record(late), wires))


def test_statements__old_epoch_after_the_takeover__is_named() -> None:
    assert any("after the takeover" in sentence for sentence in statements.breaks(record(e2=90.0), WIRES))


def test_channels__moved_in_order__nothing_to_say() -> None:
    assert channels.breaks(["db-b1", "db-a1"], record(), WIRES, []) == []


def test_channels__started_while_the_old_one_runs__is_named() -> None:
    assert "db-b1" in channels.breaks(["db-b1", "db-a1"], record(GOOD[1:]), WIRES[1:], [])[0]


@pytest.mark.parametrize(
    ("stopped", "word"),
    [("STOP SLAVE IO_THREAD", "db-b1"), ("STOP SLAVE IO_THREAD, SQL_THREAD", ""), ("STOP ALL SLAVES", "")],
)
def test_channels__only_one_thread_was_stopped__the_other_still_counts(stopped: str, word: str) -> None:
    intents = [intent("db-b1", stopped, 0), *GOOD[1:]]
    found = channels.breaks(["db-b1"], record(intents), [sent("db-b1", stopped), *WIRES[1:]], [])
    assert [word in sentence for sentence in found] == [True] * bool(word)


@pytest.mark.parametrize("state", ["intended", "indeterminate", "failed"])
def test_channels__stop_that_nobody_saw_done__the_old_one_still_counts(state: str) -> None:
    intents = [intent("db-b1", "STOP SLAVE", 0, state=state), *GOOD[1:]]
    assert "db-b1" in channels.breaks(["db-b1"], record(intents), WIRES, [])[0]


@pytest.mark.parametrize(
    ("error", "phrases"),
    [
        ("db-b2: connection lost: gone", ["db-b2"]),
        ("no effect: observed on the server", ["db-b2"]),
        ("db-b2: error 1200: the server is not configured as slave", []),
    ],
)
def test_channels__start_called_failed__counts_unless_its_server_refused_it(error: str, phrases: list[str]) -> None:
    """It left, as the server's log shows; that it did nothing is only the console's word."""
    intents = [*GOOD[:2], intent("db-b2", "START SLAVE", 2, state="failed", error=error)]
    back = Wire("db-b1", 9, 101, 8, "lab_admin", "START SLAVE")
    found = channels.breaks(["db-b1"], record(intents), [*WIRES, back], [])
    assert [word in sentence for word, sentence in zip(phrases, found, strict=True)] == [True] * len(phrases)


def test_channels__somebody_else_starts_a_second_one__is_named() -> None:
    other = Wire("db-b3", 0, 101, 9, "lab_admin", "START SLAVE")
    assert "db-b3 was started while db-b2" in channels.breaks(["db-b1"], record(), [*WIRES, other], [])[0]


def test_channels__old_holder_is_dead__no_second_channel() -> None:
    assert channels.breaks(["db-b1"], record(GOOD[1:]), WIRES[1:], [Event(1.0, "db-b1", "down")]) == []


def test_channels__old_holder_is_back__a_start_beside_it_is_named() -> None:
    there_and_back = [Event(1.0, "db-b1", "down"), Event(2.0, "db-b1", "up")]
    assert "db-b1" in channels.breaks(["db-b1"], record(GOOD[1:]), WIRES[1:], there_and_back)[0]
    empty = [Event(1.0, "db-b1", "down"), Event(2.0, "db-b1", "forgot")]
    assert channels.breaks(["db-b1"], record(GOOD[1:]), WIRES[1:], empty) == []


def test_channels__old_holder_is_back_and_cleaned__no_second_channel() -> None:
    intents = [intent("db-b1", "RESET SLAVE ALL", 0), *GOOD[1:]]
    wires = [sent("db-b1", "RESET SLAVE ALL"), *WIRES[1:]]
    there_and_back = [Event(1.0, "db-b1", "down"), Event(2.0, "db-b1", "up")]
    assert channels.breaks(["db-b1"], record(intents), wires, there_and_back) == []


def looks(node: str, *runs: bool | None, begin: float = 0.0) -> list[Sample]:
    return [Sample(begin + at, begin + at + 0.1, node, each) for at, each in enumerate(runs)]


MOVED = [*looks("db-b1", True, True, False, False), *looks("db-b2", False, False, False, True, begin=0.5)]
AT_ONCE = "db-b1 and db-b2 were seen to run that direction at once"
BESIDE = [*looks("db-b1", True, True, True, True), *looks("db-b2", False, True, True, True, begin=0.5)]


def test_sampling__moved_from_one_to_the_other__nothing_to_say() -> None:
    assert sampling.breaks([*MOVED, *looks("db-a1", True, True, True, True, begin=0.3)], []) == []


def test_sampling__two_run_at_one_instant__are_named() -> None:
    assert sampling.breaks(BESIDE, []) == [AT_ONCE]


def test_sampling__seen_at_different_instants_only__is_no_proof() -> None:
    gap = [*looks("db-b1", True, None, True), *looks("db-b2", True, begin=1.0)]
    assert sampling.breaks(gap, []) == []


def test_sampling__back_with_its_old_channel__excused_until_it_was_seen_at_rest() -> None:
    fell = [Event(-1.0, "db-b1", "down"), Event(0.0, "db-b1", "up")]
    assert sampling.breaks(BESIDE, fell) == []
    cleaned = [*looks("db-b1", True, False), *looks("db-b2", True, True, begin=0.5)]
    assert sampling.breaks(cleaned, fell) == []
    repeated = [*cleaned, *looks("db-b1", True, True, True, begin=2.0), *looks("db-b2", True, True, begin=2.5)]
    assert sampling.breaks(repeated, fell) == [AT_ONCE]


def test_template__filled__only_at_its_marks() -> None:
    assert statements.is_filled(TEMPLATE, CHANGE)
    assert not statements.is_filled(TEMPLATE, CHANGE.replace("10.0.0.1", "10.0.0.2"))
