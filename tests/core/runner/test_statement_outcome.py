"""What the record says of each statement is what became of it, whatever failed or got lost on the way."""

from __future__ import annotations

from collections import Counter

import pytest

from backend.core.plan import Step
from backend.core.runner.statement_outcome import SentStatement, took_effect_by_next, took_effect_by_undone
from backend.core.steps import orphans as orphan_steps
from tests.core.builders.examples import moments
from tests.core.builders.orphan_runs import BOOK, build, walk
from tests.core.builders.orphan_worlds import KEYLESS, book_of, insert, row
from tests.core.builders.situations import SITUATIONS, Situation, situation
from tests.core.runner.walks import asks_to_abort, drive_to_end, unbroken, walked_with_some
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.world import FakeWorld

MOVED = [situation(name) for name in ("both_lost", "move_both")]
TURNED = [situation(name) for name in ("move_both", "io_thread_stopped")]
UNKNOWN = [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LATE, Fault.DIES_BEFORE, Fault.DIES_AFTER, Fault.DIES_LATE]
SAID = ("ok", "observed")


def assert_told_true(world: FakeWorld, memory: Memory) -> None:
    """Every statement said to be done was, no other was, and none is left open."""
    reported = Counter((s.node, s.sql) for s in memory.statements if s.state in SAID)
    assert reported == Counter((e.node, e.sql) for e in world.executed)
    assert memory.open_statements() == []


@pytest.mark.parametrize("does_kill_come_late", [pytest.param(True, marks=pytest.mark.slow), False])
@pytest.mark.parametrize("fault", UNKNOWN, ids=str)
@pytest.mark.parametrize("one", MOVED, ids=lambda s: s.name)
def test_record__any_statement_of_unknown_outcome__told_as_it_was(
    one: Situation, fault: Fault, does_kill_come_late: bool
) -> None:
    for world, memory, gateway in walked_with_some(one, fault, does_kill_come_late):
        drive_to_end(world, memory, gateway)
        assert_told_true(world, memory)


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.DIES_BEFORE, Fault.DIES_AFTER], ids=str)
@pytest.mark.parametrize("one", TURNED, ids=lambda s: s.name)
def test_record__statement_of_unknown_outcome_taken_back__told_as_it_was(one: Situation, fault: Fault) -> None:
    """The deed is known by its undo, and the undo by the state before."""
    for at in moments(unbroken(one)[1] - 1, SITUATIONS.index(one) + UNKNOWN.index(fault), one_in=6):
        for ordinal in (1, 2, 3):
            world, plan = one.build()
            memory, gateway = Memory(plan), FakeGateway(world, {ordinal: fault})
            _, on_transition = asks_to_abort(memory, at + 1)
            Walker(world, gateway, memory, on_transition=on_transition).run()
            memory.request_abort()
            drive_to_end(world, memory, gateway)
            assert_told_true(world, memory)


@pytest.mark.parametrize("fault", UNKNOWN, ids=str)
def test_record__orphans__each_transaction_told_once(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orphan_steps, "BATCH", 1)
    for ordinal in range(1, 9):
        world, plan = build()
        memory, gateway = Memory(plan), FakeGateway(world, {ordinal: fault})
        walk(world, memory, gateway)
        if memory.end is None:
            walk(world, memory, gateway)
        reported = Counter((s.step, s.before["transaction"]) for s in memory.statements if s.state in SAID)
        assert reported == {(step, index): 1 for step in (0, 1) for index in range(len(BOOK.transactions))}
        assert memory.open_statements() == []


def test_record__orphans_with_equal_rows__the_committed_one_is_not_told_as_never_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(orphan_steps, "BATCH", 1)
    book = book_of([[insert(row(3), KEYLESS)], [insert(row(3), KEYLESS)]])
    world, plan = build(book)
    memory, gateway = Memory(plan), FakeGateway(world, {1: Fault.DIES_AFTER})
    walk(world, memory, gateway, book)
    walk(world, memory, gateway, book)
    first, second = memory.statements[:2]
    assert first.sql.partition("\n")[2] == second.sql.partition("\n")[2]
    assert (first.state, second.state) == ("observed", "ok")


def took_effect(code: str, left: int, following: int) -> bool | None:
    """Of an orphan transaction, by the next one that is sent."""
    step = Step(0, code, "x", "n_a1", "a1")
    pair = [SentStatement("INSERT", {"transaction": index}) for index in (left, following)]
    return took_effect_by_next(step, pair[0], pair[1], is_undo=False)


def test_orphan__next_in_its_way__passed_only_where_the_marker_stood_behind_it() -> None:
    assert [took_effect("replay", 3, following) for following in (2, 3, 4)] == [False, False, True]
    assert [took_effect("undo_orphans", 3, following) for following in (2, 3, 4)] == [True, False, False]


def test_statement__another_one_follows_that_is_no_undo_of_it__not_told() -> None:
    step = Step(0, "stop_channel", "x", "n_a1", "a1", sql=("STOP SLAVE",), undo=("START SLAVE",))
    start, part, stop = (SentStatement(sql, {}) for sql in ("START SLAVE", "START SLAVE IO_THREAD", "STOP SLAVE"))
    assert took_effect_by_next(step, start, part, is_undo=True) is None
    assert took_effect_by_next(step, stop, part, is_undo=True)
    assert took_effect_by_next(step, stop, start, is_undo=False) is None
    assert (took_effect_by_undone(step, start.sql), took_effect_by_undone(step, stop.sql)) == (True, False)
