"""The way back under workers that die: many orphans in batches, rows written over, and a side bootstrapped again."""

from __future__ import annotations

import re

import pytest

from backend.core.orphans.rows.row_keys import key_digest, row_key_of
from backend.core.positions import FilePosition
from backend.core.steps import orphans as orphan_steps
from backend.core.topology import DUPLICATE_KEY
from tests.core.builders.examples import moments
from tests.core.builders.orphan_worlds import KEYED, row, stored
from tests.fakes.cluster import FakeCluster
from tests.sim.console import Bench
from tests.sim.invariants import AFTER_EVERY_STEP
from tests.sim.orphans import rows_of
from tests.sim.plans import Wish
from tests.sim.run import LEASE_S, SimRun
from tests.sim.switches import confirmed, made, returned

BATCH = 3
ORPHANS = 10
MOST_HALF_STEPS = 400


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few orphans fill some."""
    monkeypatch.setattr(orphan_steps, "BATCH", BATCH)


def fenced_with_orphans() -> tuple[Bench, list[int]]:
    """A side returned, was fenced, and holds these orphans (by their uids) alone."""
    bench = returned(starts_channels=False, takes_worker_at=None)
    lost = bench.world.standby
    for _ in range(ORPHANS):  # an account that the fence lets through
        bench.write(lost.nodes[0].name)
    return bench, rows_of(bench.world, lost)


def with_old_error(way: str) -> Bench:
    """Its old channel stands where the reprotect will prove its place, and shows what stopped it before the loss."""
    bench, _ = fenced_with_orphans()
    (channel,) = (channel for node in bench.world.standby.nodes for channel in node.channels.values())
    plan = bench.make_plan(Wish("reprotect", way=way))
    pointed = next(step for step in plan.steps if step.code == "change_source").sql[0]
    found = re.search(r"MASTER_LOG_FILE='(.+)', MASTER_LOG_POS=(\d+)", pointed)
    assert found
    channel.position = channel.read = FilePosition(found[1], int(found[2]))
    channel.pending.clear()
    channel.sql_errno, channel.sql_error = DUPLICATE_KEY, "Duplicate entry '1' for key 'PRIMARY'"
    return bench


def walked(bench: Bench, wish: Wish, dies_at: int | None) -> int:
    """The run of that plan to its end, its worker dead after so many half steps; how many there were."""
    run = confirmed(bench, wish)
    assert bench.workers[0].deliver(run)
    for half_steps in range(MOST_HALF_STEPS):
        if half_steps == dies_at and not run.is_final:
            bench.workers[0].die()
            bench.world.clock.time_s += LEASE_S + 1
            assert bench.workers[1].deliver(run)
        worker = next((one for one in bench.workers if one.is_busy), None)
        if worker is None:
            ended(bench, run)
            return half_steps
        worker.half_step()
    pytest.fail(f"it spins: {bench.story()}")


def ended(bench: Bench, run: SimRun) -> None:
    """Well, and no invariant of the simulation was broken on the way."""
    assert run.state == "succeeded", (run.memory.end, run.memory.failures)
    assert bench.broken + [fault for check in AFTER_EVERY_STEP for fault in check(bench)] == []


def assert_alike(bench: Bench) -> None:
    """All that counts is on both sides."""
    bench.world.converge()
    for side in (bench.world.a, bench.world.b):
        assert bench.ledger.missing(side) == [], side.name


@pytest.mark.parametrize("way", ["replay", "undo"])
def test_reprotect__worker_dies_anywhere_among_the_batches__each_orphan_once(way: str) -> None:
    whole = walked(fenced_with_orphans()[0], Wish("reprotect", way=way), None)
    for dies_at in moments(whole, way == "undo"):
        bench, uids = fenced_with_orphans()
        survivor, lost = bench.world.active, bench.world.standby
        walked(bench, Wish("reprotect", way=way), dies_at)
        assert sorted(rows_of(bench.world, survivor)) == (sorted(uids) if way == "replay" else []), dies_at
        assert [uid for uid in rows_of(bench.world, lost) if uid in uids] == [], dies_at
        assert_alike(bench)


@pytest.mark.parametrize("way", ["replay", "undo"])
def test_reprotect__an_error_of_before_the_loss_shows__is_no_answer_whenever_the_worker_dies(way: str) -> None:
    whole = walked(with_old_error(way), Wish("reprotect", way=way), None)
    for dies_at in moments(whole, way == "undo"):
        bench = with_old_error(way)
        walked(bench, Wish("reprotect", way=way), dies_at)
        assert_alike(bench)


def overwrite(bench: Bench, uid: int) -> None:
    """The returned side's old channel wrote the survivor's row over an orphan's; the survivor changed it again."""
    world = bench.world
    for side, name in ((world.standby, b"theirs"), (world.active, b"later")):
        rows = [one for one in world.tables[side.id].rows.get(KEYED.name, []) if int(one["id"]) != uid]
        world.tables[side.id].rows[KEYED.name] = [*rows, stored(row(uid, name))]
    world.overwritten[key_digest(row_key_of(row(uid), KEYED))] = ORPHANS + 1


def names_of(bench: Bench, side: FakeCluster, uid: int) -> list[str]:
    """What stands in that row there."""
    rows = bench.world.tables[side.id].rows.get(KEYED.name, [])
    return [one["name"] for one in rows if int(one["id"]) == uid]


def test_undo__rows_written_over_by_the_survivor__stay_whenever_the_worker_dies() -> None:
    def begun() -> tuple[Bench, int]:
        bench, uids = fenced_with_orphans()
        overwrite(bench, uids[1])
        return bench, uids[1]

    whole = walked(begun()[0], Wish("reprotect", way="undo"), None)
    for dies_at in moments(whole, 2):
        bench, uid = begun()
        survivor, lost = bench.world.active, bench.world.standby
        walked(bench, Wish("reprotect", way="undo"), dies_at)
        for side, name in ((lost, b"theirs"), (survivor, b"later")):
            assert names_of(bench, side, uid) == [stored(row(uid, name))["name"]], dies_at
        assert_alike(bench)


def bootstrapped_anew() -> Bench:
    """All that the active side had written was applied; it began a new history and is written on."""
    bench = Bench(by_gtid=False)
    for _ in range(4):
        bench.write("a1")
        bench.world.tick()
    bench.world.converge()
    bench.world.a.bootstrap_anew()
    for _ in range(3):
        bench.write("a1")
        bench.world.tick()
    bench.world.remember()
    return bench


def test_accept_state_uuid__worker_dies_anywhere__accepted_once_and_nothing_lost() -> None:
    assert bootstrapped_anew().make_plan(Wish("switchover")).is_refused
    whole = walked(bootstrapped_anew(), Wish("accept_state_uuid"), None)
    for dies_at in moments(whole, 0, one_in=3):
        bench = bootstrapped_anew()
        walked(bench, Wish("accept_state_uuid"), dies_at)
        assert bench.world.a.recorded_uuid == bench.world.a.uuid, dies_at
        bench.write("a1")
        assert_alike(bench)
        bench.world.remember()
        made(bench, Wish("switchover"))
        assert_alike(bench)
