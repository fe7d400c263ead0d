"""A whole site fails in the middle of a switchover or failback: a named end, and the survivor accepts writes again."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

import pytest

from backend.core.runner import StepStarted
from tests.fakes.cluster import FakeCluster
from tests.fakes.plans import sound
from tests.sim import server_events
from tests.sim.console import Bench
from tests.sim.invariants import AFTER_EVERY_STEP
from tests.sim.plans import Wish
from tests.sim.run import FINAL, LEASE_S, SimRun
from tests.sim.snapshot import snapshot

KINDS = ("switchover", "failback")
SIDES = ("old", "new")
"""The side that accepts writes as the switch begins, and the one that is to take them."""
HELD_BACK_TICKS = 34
"""So long the standby applies all but the last two of what it received."""
MOST_HALF_STEPS = 120
MOST_LOOKS = 150
MOST_S = 45.0
"""From the loss to the run's end: until then a side that waits for the dead one may be fenced."""


@dataclass
class Switch:
    """A switch under way, looked at after every half step."""

    bench: Bench
    run: SimRun
    old: FakeCluster
    new: FakeCluster
    found: list[str] = field(default_factory=list)
    judged: int = 0
    verifies_at: int | None = None
    """The tick before the first look of its last step."""
    is_lost_unread: bool = False
    """Whether the loss came before that look."""

    def step(self) -> bool:
        """Half a step of the worker that holds the run, judged; False where no worker holds it any more."""
        worker = next((one for one in self.bench.workers if one.is_busy), None)
        if worker is None:
            return False
        worker.half_step()
        if isinstance(worker.pending, StepStarted) and worker.pending.step.code == "verify":
            self.verifies_at = self.bench.world.ticks
        self.judge()
        return True

    def judge(self) -> None:
        """Every invariant of the simulation, and that no side opened short of what the other had written."""
        self.found += self.bench.broken + [fault for check in AFTER_EVERY_STEP for fault in check(self.bench)]
        opened = [e for e in self.bench.effects[self.judged :] if e[0][0] == self.run.id and e[2] == OPEN]
        self.judged = len(self.bench.effects)
        missing = self.bench.ledger.missing(self.old)
        if missing and any(node[0] == self.new.name[-1] for _, node, _ in opened):
            self.found.append(f"{self.new.name} opened without {missing} of {self.old.name}")
        assert self.found == [], f"{self.found}\n{self.bench.story()}"

    def kill(self, side: FakeCluster) -> None:
        """kill -9 of its nodes; an application's last write had just been acknowledged."""
        writable = [node.name for node in side.live if node.takes_writes]
        if writable and side is self.bench.world.active:
            self.bench.write(writable[0])
        self.is_lost_unread = self.verifies_at in (None, self.bench.world.ticks)
        server_events.lose_site(self.bench, side)


OPEN = "SET GLOBAL read_only=OFF"


def begun(kind: str, *, backlog: int = 0, by_gtid: bool = False) -> Switch:
    """A worker has claimed a switch under load; nothing of it is walked yet."""
    bench = Bench(by_gtid=by_gtid)
    bench.world.has_workload = True
    go_on(bench)
    if kind == "failback":
        made(bench, Wish("switchover"))
        go_on(bench)
    old, new = bench.world.active, bench.world.standby
    bench.world.backlog = backlog
    bench.soon(HELD_BACK_TICKS, lambda: setattr(bench.world, "backlog", 0))
    run = confirmed(bench, Wish(kind))
    assert bench.workers[0].deliver(run)
    return Switch(bench, run, old, new, judged=len(bench.effects))


def go_on(bench: Bench) -> None:
    """Writes come and go, the monitor looks."""
    for _ in range(4):
        bench.world.tick()
        bench.world.remember()


def confirmed(bench: Bench, wish: Wish) -> SimRun:
    """The run of a plan that must be ready."""
    sound(bench.make_plan(wish))
    return bench.start()


def made(bench: Bench, wish: Wish) -> SimRun:
    """A run that must succeed."""
    run = confirmed(bench, wish)
    assert bench.workers[0].deliver(run)
    while bench.workers[0].is_busy:
        bench.workers[0].half_step()
    assert run.state == "succeeded", run.memory.end
    return run


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


def carried_on(switch: Switch) -> None:
    """Workers take the run until it is over; they look at the servers only so often."""
    bench = switch.bench
    looks, at_s = bench.world.ticks, bench.now_s
    for _ in range(MOST_HALF_STEPS):
        if not switch.step():
            break
    assert switch.run.state in (*FINAL, "needs_operator"), f"it spins: {bench.story()}"
    assert bench.world.ticks - looks <= MOST_LOOKS
    assert bench.now_s - at_s <= MOST_S


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


def moments(count: int, first: int) -> range:
    """Every third one, so that the combinations of a test together take each: before and after a transition alike.

    `make scenarios` takes each one in all of them.
    """
    return range(count) if os.environ.get("HAWSER_WHOLE") else range(first % 3, count, 3)


def taken_over(switch: Switch) -> None:
    """The worker is killed as well; once its lease has lapsed another one comes."""
    bench = switch.bench
    bench.workers[0].die()
    bench.world.clock.time_s += LEASE_S + 1
    bench.workers[1].deliver(switch.run)


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


def returned(*, starts_channels: bool, takes_worker_at: int | None) -> Bench:
    """A site was lost and failed over; it starts again writable, and its clients find it first."""
    switch = begun("switchover")
    bench, lost = switch.bench, switch.old
    assert bench.link.abort(switch.run)
    carried_on(switch)
    server_events.lose_site(bench, lost)
    made(bench, Wish("failover"))
    bench.write(bench.world.active.nodes[0].name)
    bench.world.has_workload = False  # what it writes on a lost side has no row of its own
    for node in lost.nodes:
        node.variables["read_only"] = "OFF"
        server_events.bring_back(bench, node, starts_channels=starts_channels)
        bench.write(node.name)
    run = confirmed(bench, Wish("fence_returned_side"))
    assert bench.workers[0].deliver(run)
    switch.run = run
    for _ in range(takes_worker_at or 0):
        switch.step()
    if takes_worker_at is not None and not run.is_final:
        taken_over(switch)
    carried_on(switch)
    assert run.state == "succeeded", run.memory.end
    return bench


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
