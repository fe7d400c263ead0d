"""Replay and undo as steps of a run: exactly once, whatever fails or gets lost between two transactions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from backend.core.orphans.model import OrphanList
from backend.core.orphans.progress_marker import (
    MarkerProgress,
    OrphanAction,
    parse_marker,
    pending_range,
    read_marker,
    write_marker,
)
from backend.core.orphans.rows.row_keys import key_digest, row_key_of
from backend.core.plan import Step
from backend.core.steps import orphans as orphan_steps
from tests.core.builders.orphan_runs import BOOK, assert_done, build, contents, walk
from tests.core.builders.orphan_worlds import KEYED, row, same_contents, stored
from tests.fakes.driver import Memory, Walker, at_start_of
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.rows import Row
from tests.fakes.world import FakeWorld


@pytest.fixture(autouse=True)
def one_in_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each transaction under an intent of its own, so that a walk can be broken off between any two."""
    monkeypatch.setattr(orphan_steps, "BATCH", 1)


def begun(*, skip: tuple[int, ...] = ()) -> tuple[FakeWorld, Memory, FakeGateway]:
    """The run of such a plan before its first step."""
    world, plan = build(skip=skip)
    return world, Memory(plan), FakeGateway(world)


def test_steps__unbroken__one_statement_record_a_transaction() -> None:
    world, memory, gateway = begun()
    walk(world, memory, gateway)
    assert_done(world, memory)
    assert [s.state for s in memory.statements] == ["ok"] * 8
    assert memory.done[0]["done"] == 4


def test_steps__in_batches__one_record_each_and_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orphan_steps, "BATCH", 3)
    world, memory, gateway = begun()
    walk(world, memory, gateway)
    assert_done(world, memory)
    assert [
        (s.before["transaction"], s.before["last"], s.before["done"], s.before["of"]) for s in memory.statements
    ] == [
        (0, 2, 0, 4),
        (3, 3, 3, 4),
        (3, 1, 0, 4),
        (0, 0, 3, 4),
    ]
    assert memory.statements[1].sql.startswith("-- 4 to 4 of 4\n")


def test_replay__conflict_within_a_batch__named_and_those_before_it_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orphan_steps, "BATCH", 200)
    world, memory, gateway = begun()
    world.tables[world.b.id].rows[KEYED.name][0]["amount"] = "9.99"
    walk(world, memory, gateway)
    assert "transaction 3: " in memory.failures[0]
    assert world.node("b1").probes["r_failover0001", "replay"].endswith(":1")


@pytest.mark.parametrize("stores", [True, False])
def test_steps__worker_dies_at_any_transition__successor_ends_the_same(stores: bool) -> None:
    for dies_at in range(1, 40):
        world, memory, gateway = begun()
        walk(world, memory, gateway, dies_at=dies_at, dies_after_storing=stores)
        if memory.end is not None:
            break
        walk(world, memory, gateway)
        assert_done(world, memory)
    else:
        pytest.fail("the walk never ended")


FAULTS = [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LATE, Fault.DIES_BEFORE, Fault.DIES_AFTER, Fault.DIES_LATE]


@pytest.mark.parametrize("batch", [1, 3, 200])
@pytest.mark.parametrize("does_kill_come_late", [True, False])
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_steps__transaction_lost_late_or_killed_within_or_between_batches__each_applied_exactly_once(
    fault: Fault, does_kill_come_late: bool, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orphan_steps, "BATCH", batch)
    for ordinal in range(1, 9):
        world, plan = build()
        memory = Memory(plan)
        gateway = FakeGateway(world, {ordinal: fault}, does_kill_come_late=does_kill_come_late)
        walk(world, memory, gateway)
        if memory.end is None:
            walk(world, memory, gateway)
        assert_done(world, memory)


def stopped_on_row(number: str, side_id: str) -> str:
    """What a run reports that stops on a row that an application changed; changed back, it is resumed and done."""
    world, memory, gateway = begun()

    def changed() -> Row:
        return next(one for one in world.tables[side_id].rows[KEYED.name] if one["id"] == number)

    was, changed()["amount"] = changed()["amount"], "9.99"
    walk(world, memory, gateway)
    assert memory.ended.state == "needs_operator"
    message = memory.failures[-1]
    changed()["amount"] = was
    memory.end = None
    walk(world, memory, gateway)
    assert_done(world, memory)
    return message


def test_replay__row_changed_meanwhile__stops_there_by_name_and_resume_goes_on() -> None:
    assert "transaction 3: " in stopped_on_row("9", "c_b")


def test_replay__some_left_out__the_others_replayed_and_all_undone() -> None:
    world, memory, gateway = begun(skip=(1,))
    walk(world, memory, gateway)
    assert memory.ended.state == "succeeded", memory.failures
    assert same_contents(world.tables[world.a.id], contents(is_lost_side=False))
    assert world.tables[world.b.id].rows[KEYED.name][1]["name"] == "_utf8mb4 x'6e'"


def put_back_by_hand(world: FakeWorld) -> None:
    """Row 9 of the returned side is as it was before its orphan."""
    table = world.tables[world.a.id].rows[KEYED.name]
    table[:] = [stored(row(9)) if found["id"] == "9" else found for found in table]


def overwrite_since(world: FakeWorld) -> None:
    """The channel wrote row 2 over its orphans, behind the scan."""
    world.overwritten = {key_digest(row_key_of(row(2), KEYED)): len(BOOK.transactions)}


def test_undo__row_put_back_by_hand_since_the_plan__done_and_the_rest_undone() -> None:
    world, memory, gateway = begun()
    put_back_by_hand(world)
    walk(world, memory, gateway)
    assert_done(world, memory)


def test_undo__row_overwritten_since_the_plan__left_as_the_channel_wrote_it() -> None:
    world, memory, gateway = begun()
    overwrite_since(world)
    walk(world, memory, gateway)
    assert memory.ended.state == "succeeded", memory.failures
    assert {found["id"] for found in world.tables[world.a.id].rows[KEYED.name]} == {"2", "9"}


def test_undo__row_that_is_neither__stops_with_the_ways_on_and_resume_ends_it() -> None:
    message = stopped_on_row("1", "c_a")
    assert "resume the run, which compares it again" in message
    assert "or rebuild the side" in message


def test_replay__the_last_one_left_out__ends_all_the_same() -> None:
    world, memory, gateway = begun(skip=(3,))
    walk(world, memory, gateway)
    assert memory.ended.state == "succeeded", memory.failures
    assert memory.done[0]["done"] == 3


def test_undo__written_on_the_returned_side_meanwhile__not_called_done() -> None:
    world, plan = build()
    plan = replace(plan, steps=(replace(plan.steps[1], index=0, point_of_no_return=True),))
    memory, gateway = Memory(plan), FakeGateway(world)
    walk(world, memory, gateway, dies_at=6)
    world.write("a2")
    walk(world, memory, gateway)
    assert memory.ended.state == "needs_operator"
    assert "written on the returned side since" in memory.failures[-1]


def written_behind_the_undo() -> str:
    """How a run ends where the returned side, restarted and open, took a write before its log's end was read."""
    world, plan = build()
    ends = {"direction": "reverse", "source_node_id": "n_a1", "replica_node_id": "n_b1", "uses_gtid": False}
    plan = replace(plan, steps=(*plan.steps, Step(2, "locate_log_end", "Read the end", "n_a1", "a1", params=ends)))
    memory, gateway = Memory(plan), FakeGateway(world)
    watch = at_start_of("locate_log_end", lambda: world.write("a2"))
    Walker(world, gateway, memory, book=BOOK, on_transition=watch).run()
    assert not memory.failures or "written on the returned side since" in memory.failures[-1]
    return memory.ended.state


def test_log_end__written_behind_the_undo_and_still_again__not_taken_for_the_end_of_the_undo() -> None:
    """Those writes would be passed over."""
    assert written_behind_the_undo() == "needs_operator"


def write_since_the_scan(world: FakeWorld) -> None:
    """One more orphan, on another node."""
    world.write("a2")


def mark_another_list(world: FakeWorld) -> None:
    """A marker left behind by the replay of other orphans."""
    world.node("b1").probes["r_failover0001", "replay"] = "0123456789abcdef:2"


def change_nothing(world: FakeWorld) -> None:
    """The world is as planned."""


@pytest.mark.parametrize(
    ("spoil", "book", "reason"),
    [
        (write_since_the_scan, BOOK, "written on the returned side since"),
        (change_nothing, replace(BOOK, digest="e" * 64), "not those of the plan"),
        (mark_another_list, BOOK, "another list of orphans"),
    ],
    ids=["written_since_the_scan", "stored_orphans_are_others_than_planned", "marker_of_another_list"],
)
def test_steps__not_as_planned__nothing_is_sent(
    spoil: Callable[[FakeWorld], None], book: OrphanList, reason: str
) -> None:
    world, memory, gateway = begun()
    spoil(world)
    walk(world, memory, gateway, book)
    assert memory.ended.state == "failed"
    assert reason in memory.failures[0]
    assert gateway.sent == []


def test_steps__second_run_of_the_same_divergence__resumes_where_the_first_stopped() -> None:
    world, plan = build()
    first, gateway = Memory(plan), FakeGateway(world)
    walk(world, first, gateway, dies_at=9)
    second = Memory(plan)
    walk(world, second, gateway)
    assert_done(world, second)
    assert len(second.statements) < 8


def test_marker__there_and_back() -> None:
    sql = write_marker("r_1", OrphanAction.UNDO, "ab" * 32, 7, "db-a1")
    assert "'r_1', 'undo', 'abababababababab:7', 'db-a1'" in sql
    assert parse_marker("abababababababab:7") == MarkerProgress("abababababababab", 7)
    assert parse_marker("abababababababab:7").is_of("ab" * 32)
    assert "direction='undo'" in read_marker("r_1", OrphanAction.UNDO)


@pytest.mark.parametrize("key", ["a'b", "", "a" * 41])
def test_marker__key_that_is_none__refused(key: str) -> None:
    with pytest.raises(ValueError, match="is not allowed in a progress marker"):
        write_marker(key, OrphanAction.UNDO, "ab" * 32, 7, "db-a1")


def test_pending__replay_goes_up_and_undo_goes_down() -> None:
    assert list(pending_range(OrphanAction.REPLAY, 4, MarkerProgress("", 1))) == [2, 3]
    assert list(pending_range(OrphanAction.UNDO, 4, MarkerProgress("", 2))) == [1, 0]
    assert list(pending_range(OrphanAction.UNDO, 2, None)) == [1, 0]
    assert list(pending_range(OrphanAction.REPLAY, 2, MarkerProgress("", 1))) == []
