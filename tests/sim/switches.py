"""A switch under way, looked at after every half step, and runs that must succeed."""

from __future__ import annotations

from dataclasses import dataclass, field

from backend.core.runner import StepStarted
from tests.fakes.cluster import FakeCluster
from tests.fakes.plans import sound
from tests.sim import server_events
from tests.sim.console import Bench
from tests.sim.invariants import AFTER_EVERY_STEP
from tests.sim.plans import Wish
from tests.sim.run import FINAL, LEASE_S, SimRun

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


def taken_over(switch: Switch) -> None:
    """The worker is killed as well; once its lease has lapsed another one comes."""
    bench = switch.bench
    bench.workers[0].die()
    bench.world.clock.time_s += LEASE_S + 1
    bench.workers[1].deliver(switch.run)


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


def relocating(*, by_gtid: bool = False) -> tuple[Bench, SimRun]:
    """b1 is lost, and the run that moves both channels to b2 has not sent anything yet."""
    bench = Bench(by_gtid=by_gtid)
    bench.world.converge()
    bench.world.kill("b1")
    assert not bench.make_plan(Wish("relocate", source=0, replica=1)).is_refused
    return bench, bench.start()
