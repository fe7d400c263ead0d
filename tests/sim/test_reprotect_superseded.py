"""A reprotect that stops behind its undo: what was dealt with never comes over, whatever is planned next."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.plan import Step
from backend.core.runner import StepStarted
from tests.sim import server_events
from tests.sim.console import Bench
from tests.sim.plans import Wish
from tests.sim.run import SimRun


def drive(bench: Bench, run: SimRun, stops_at: Callable[[Step], bool] = lambda _: False) -> str:
    """Walk the run to its end; `stops_at` may break the world as a step begins."""
    bench.world.clock.time_s += 40
    worker = bench.workers[0]
    worker.die()
    assert worker.deliver(run)
    for _ in range(4_000):
        if not worker.is_busy:
            break
        if isinstance(worker.pending, StepStarted) and stops_at(worker.pending.step):
            stops_at = lambda _: False  # noqa: E731
        worker.half_step()
    return run.state


def failed_over() -> Bench:
    """a wrote two transactions that b never received and was lost; b took over, and a is back, fenced."""
    bench = Bench(by_gtid=False)
    world = bench.world
    for _ in range(6):
        bench.write("a1")
        world.tick()
        world.remember()
    world.node("b1").channels["link1"].io = "Connecting"
    bench.write("a1")
    bench.write("a2")
    server_events.lose_site(bench, world.a)
    world.remember()
    assert not bench.make_plan(Wish("failover")).is_refused
    assert drive(bench, bench.start()) == "succeeded"
    for _ in range(3):
        bench.write("b2")
        world.tick()
        world.remember()
    for node in world.a.nodes:
        node.variables["read_only"] = "ON"
        server_events.bring_back(bench, node, starts_channels=False)
    world.remember()
    return bench


@pytest.mark.parametrize("way", ["undo", "replay"])
@pytest.mark.parametrize(
    "at", ["change_source:forward", "change_source:reverse", "start_channel:forward", "probe:reverse"]
)
def test_reprotect__stopped_behind_its_undo__only_a_reprotect_takes_over_and_no_orphan_comes_over(
    way: str, at: str
) -> None:
    bench = failed_over()
    world = bench.world
    assert not bench.make_plan(Wish("reprotect", way=way)).is_refused

    def ends_here(step: Step) -> bool:
        if f"{step.code}:{step.params.get('direction')}" != at:
            return False
        server_events.kill(bench, world.node("a1"), is_hung=False)
        return True

    assert drive(bench, bench.start(), ends_here) == "needs_operator"
    world.remember()
    for kind in ("relocate", "switchover", "failback", "failover"):
        assert bench.make_plan(Wish(kind)).is_refused, kind
    second = bench.make_plan(Wish("reprotect", way=way))
    if second.is_refused:
        assert not bench.make_plan(Wish("remove_stray_channel")).is_refused
        assert drive(bench, bench.start()) == "succeeded"
        second = bench.make_plan(Wish("reprotect", way=way))
    assert not second.is_refused, [f.message for f in second.findings if f.refuses]
    assert drive(bench, bench.start()) == "succeeded", bench.runs[-1].memory.end
    for _ in range(6):
        world.tick()
    got = [p.txn.uid for p in world.node("b2").log.placed if p.txn.server_id in world.a.server_ids]
    orphans = set(bench.ledger.resolved)
    assert orphans
    if way == "undo":
        assert not orphans & set(got)
    assert bench.broken == []
    assert world.b.doubled == []


@pytest.mark.parametrize("way", ["undo", "replay"])
def test_reprotect__behind_an_undo_without_a_probe__refused_by_name(way: str) -> None:
    """Nothing of the returned side would stand on the survivor behind the place where they diverged."""
    plan = failed_over().make_plan(Wish("reprotect", way=way, probes=False))
    assert [f.code for f in plan.findings if f.refuses] == ["probe_needed"]


def test_reprotect__fails_behind_its_fence__a_node_it_fenced_stays_fenced() -> None:
    """An operator had opened the lost side; opened again by the way back, both sides would accept writes."""
    bench = failed_over()
    server_events.set_read_only(bench, bench.world.node("a1"), is_on=False)
    assert not bench.make_plan(Wish("reprotect", way="fence")).is_refused
    run = bench.start()

    def opens(step: Step) -> bool:
        if step.code != "verify_fence":
            return False
        server_events.set_read_only(bench, bench.world.node("a2"), is_on=False)
        return True

    assert drive(bench, run, opens) == "failed"
    assert run.memory.end is not None
    assert "a1 is still fenced." in run.memory.end.sentence
    assert not bench.world.node("a1").takes_writes
    assert not bench.both_open
