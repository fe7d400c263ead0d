"""A whole site fails in the middle of a switchover or failback: a named end, and the survivor accepts writes again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.builders.examples import moments
from tests.fakes.cluster import FakeCluster
from tests.sim import server_events
from tests.sim.console import Bench
from tests.sim.invariants import AFTER_EVERY_STEP
from tests.sim.plans import Wish
from tests.sim.snapshot import snapshot
from tests.sim.switches import OPEN, Switch, begun, carried_on, go_on, made, returned, taken_over

KINDS = ("switchover", "failback")
SIDES = ("old", "new")
"""The side that accepts writes as the switch begins, and the one that is to take them."""


def test_judge__of_a_switch_that_compares_no_ends__says_that_a_side_opened_short() -> None:
    bench = Bench(by_gtid=False)
    go_on(bench)
    bench.world.backlog = 2
    for _ in range(2):
        bench.write("a1")
        bench.world.tick()
    plan = bench.make_plan(Wish("switchover"))
    steps = [step for step in plan.steps if step.code != "verify_caught_up"]
    bench.plan = (
        replace(plan, steps=tuple(replace(step, index=i) for i, step in enumerate(steps))),
        snapshot(bench.world),
    )
    run = bench.start()
    assert bench.workers[0].deliver(run)
    switch = Switch(bench, run, bench.world.active, bench.world.standby)
    with pytest.raises(AssertionError, match="cluster-b opened without"):
        carried_on(switch)


def lengths(kind: str) -> tuple[int, int]:
    """Half steps and ticks of a switch that nothing disturbs."""
    switch = begun(kind, backlog=2)
    begun_at, half_steps = switch.bench.world.ticks, 0
    while switch.step():
        half_steps += 1
    assert switch.run.state == "succeeded", switch.run.memory.end
    return half_steps, switch.bench.world.ticks - begun_at


def assert_named(switch: Switch, lost: FakeCluster) -> None:
    """What failed names the side that is down; what it left closed there is told with the very statements."""
    run, end = switch.run, switch.run.memory.end
    if run.state == "succeeded":
        assert not switch.is_lost_unread, "it calls verified what it did not read"
        return
    if end is None:  # its predecessor's session could not be ended: see test_unfinished_sessions.py
        assert run.next_action
        return
    names = [lost.name, *(node.name for node in lost.nodes)]
    assert any(name in end.sentence for name in names), end.sentence
    assert "outside this run" not in end.sentence, "the dead are called meddled with"
    assert end.next_action
    if run.state == "needs_operator" and not run.memory.is_past_return:
        assert "new plan" in end.next_action
        for node in {statement.node for statement in run.memory.statements if statement.node[0] == lost.name[-1]}:
            assert f"Restore {node} by hand: {OPEN}." in end.next_action


def brought_to_write(switch: Switch, survivor: FakeCluster) -> None:
    """What the console offers next opens the survivor, and an application's write stands on it alone."""
    bench = switch.bench
    bench.world.remember()
    if bench.world.active is not survivor:
        made(bench, Wish("failover"))
    switch.judge()
    assert [node.name for node in survivor.nodes if not node.takes_writes] == []
    bench.write(survivor.nodes[1].name)


def made_whole(switch: Switch, lost: FakeCluster) -> None:
    """The side is back, kept from clients: attached or gone on with, both sides hold all but what was stated lost."""
    bench, world = switch.bench, switch.bench.world
    for node in lost.nodes:
        node.variables["read_only"] = "ON" if lost is world.standby else "OFF"
        server_events.bring_back(bench, node, starts_channels=True)
    go_on(bench)
    if world.divergence is not None:
        made(bench, Wish("reprotect", way="undo"))
    elif not switch.run.is_final:
        assert bench.link.resume(switch.run, bench.now_s)
        assert bench.workers[0].deliver(switch.run)
        carried_on(switch)
        assert switch.run.is_final
    world.converge()
    switch.judge()
    assert bench.unfinished is None
    for side in (world.a, world.b):
        assert bench.ledger.missing(side) == [], side.name


def through(switch: Switch, lost: FakeCluster) -> None:
    """From the loss to two whole sides."""
    carried_on(switch)
    assert_named(switch, lost)
    survivor = switch.new if lost is switch.old else switch.old
    brought_to_write(switch, survivor)
    made_whole(switch, lost)


@pytest.mark.parametrize("takes_worker", [False, True], ids=["worker_lives", "worker_dies_too"])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", KINDS)
def test_site__lost_at_any_transition__named_and_the_survivor_takes_writes(
    kind: str, side: str, takes_worker: bool
) -> None:
    for at in moments(lengths(kind)[0] + 1, (side == "new") + takes_worker):
        switch = begun(kind, backlog=2)
        for _ in range(at):
            switch.step()
        lost: FakeCluster = getattr(switch, side)
        switch.kill(lost)
        if takes_worker:
            taken_over(switch)
        through(switch, lost)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("kind", "by_gtid"), [("switchover", False), ("switchover", True), ("failback", False)])
def test_site__lost_in_the_middle_of_any_step__named_and_the_survivor_takes_writes(
    kind: str, side: str, by_gtid: bool
) -> None:
    for at in moments(lengths(kind)[1], (side == "new") + by_gtid):
        ticks = at + 1
        switch = begun(kind, backlog=2, by_gtid=by_gtid)
        lost: FakeCluster = getattr(switch, side)
        switch.bench.soon(ticks, lambda switch=switch, lost=lost: switch.kill(lost))  # type: ignore[misc]
        while lost.live and switch.step():
            pass
        through(switch, lost)


@pytest.mark.parametrize("starts_channels", [False, True])
@pytest.mark.parametrize("at", [None, *range(0, 40, 5)])
def test_site__returns_writable__fenced_by_itself_and_its_orphans_kept(at: int | None, starts_channels: bool) -> None:
    bench = returned(starts_channels=starts_channels, takes_worker_at=at)
    lost = bench.world.standby
    assert not any(node.takes_writes for node in lost.nodes)
    assert not any(channel.is_running for node in lost.nodes for channel in node.channels.values())
    assert bench.make_plan(Wish("fence_returned_side")).is_refused, "nothing is left to fence"
    if starts_channels:
        return  # what the survivor wrote may stand over an orphan's row by now
    made(bench, Wish("reprotect", way="undo"))
    bench.world.converge()
    assert [fault for check in AFTER_EVERY_STEP for fault in check(bench)] == []
    for side in (bench.world.a, bench.world.b):
        assert bench.ledger.missing(side) == [], side.name
