"""The state machine: operators, workers, faults, other people and time, in any order hypothesis likes."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.fakes.gateway import Fault
from tests.sim import membership, server_events
from tests.sim.console import Bench
from tests.sim.invariants import (
    AFTER_EVERY_STEP,
    BLANKS,
    i14_i15_less_known_is_never_better,
    i20_refused_until_reconciled,
)
from tests.sim.plans import KINDS, Wish
from tests.sim.tally import OUTCOMES, STEPS

NODES = st.sampled_from(("a1", "a2", "a3", "b1", "b2", "b3"))
SIDES = st.sampled_from(("a", "b"))
WORKERS = st.integers(0, 1)
MAYBE_NODE = st.none() | st.integers(0, 2)
HALF_STEPS = st.sampled_from((1, 2, 5, 12, 25, 40, 90))
RARE = (
    "sleep or wake",
    "sleep or wake",
    "sleep or wake",
    "late statements",
    "late statements",
    "lose redis",
    "lose right",
    "lose site",
)
DEATHS = (Fault.DIES_BEFORE, Fault.DIES_AFTER, Fault.DIES_LATE)
WAYS = st.sampled_from(("attach", "undo", "replay", "fence"))


class Simulation(RuleBasedStateMachine):
    """One link from its healthy beginning on."""

    by_gtid = False
    is_broken = False

    @initialize()
    def begin(self) -> None:
        """A classic pair of channels with some history."""
        self.bench = Bench(by_gtid=self.by_gtid)
        OUTCOMES["examples"] += 1

    def _count(self, name: str) -> None:
        STEPS[name] += 1
        self.bench.renew()

    # -- the operator

    @rule(
        kind=st.sampled_from((*KINDS, "relocate", "relocate")),
        source=MAYBE_NODE,
        replica=MAYBE_NODE,
        way=WAYS,
        attests=st.booleans(),
        executes=st.booleans(),
    )
    def plan(self, kind: str, source: int | None, replica: int | None, way: str, attests: bool, executes: bool) -> None:
        """A plan of any kind; ready ones are mostly run at once."""
        self._count(f"plan {kind}")
        plan = self.bench.make_plan(Wish(kind, source, replica, way, attests=attests))
        assert i20_refused_until_reconciled(self.bench, kind, is_refused_plan=plan.is_refused) == []
        OUTCOMES[f"{kind} {'refused' if plan.is_refused else 'ready'}"] += 1
        if executes:
            self.execute()

    @rule(pick=st.integers(0, 3), way=WAYS, node=MAYBE_NODE, worker=WORKERS, half_steps=HALF_STEPS)
    def run_what_fits(self, pick: int, way: str, node: int | None, worker: int, half_steps: int) -> None:
        """The plan an operator would make now, run at once; a lost side is brought back first."""
        if self.bench.world.divergence is not None:
            self.bring_site_back("a" if self.bench.world.is_turned else "b")
        if self.bench.unfinished_id is None:
            self.plan(self.bench.fitting(pick), node, node, way, attests=True, executes=True)
        if self.bench.unfinished is not None:
            self.deliver(worker)
            self.work(worker, half_steps)

    @rule()
    def execute(self) -> None:
        """Run the plan in hand."""
        self._count("execute")
        before = self.bench.unfinished_id
        run = self.bench.execute()
        assert run is None or before is None
        OUTCOMES["runs"] += run is not None

    @precondition(lambda self: self.bench.unfinished is not None)
    @rule()
    def abort(self) -> None:
        """Ask to abort; refused past the point of no return."""
        self._count("abort")
        run = self.bench.unfinished
        assert run is not None
        was_past = run.memory.is_past_return
        assert not (self.bench.link.abort(run) and was_past), "I9: aborted past the point of no return"

    @precondition(lambda self: self.bench.unfinished is not None and self.bench.unfinished.state == "needs_operator")
    @rule()
    def resume(self) -> None:
        """An operator presses Resume."""
        self._count("resume")
        assert self.bench.unfinished is not None
        self.bench.link.resume(self.bench.unfinished, self.bench.now_s)

    # -- workers

    @precondition(lambda self: self.bench.unfinished is not None)
    @rule(worker=WORKERS)
    def deliver(self, worker: int) -> None:
        """A worker takes the next message; a monitor has rung again for what is stale."""
        self._count("deliver")
        self.bench.link.sweep(self.bench.now_s)
        self.bench.workers[worker].take()

    @precondition(lambda self: self.bench.runs)
    @rule(worker=WORKERS, which=st.integers(0, 5))
    def redeliver(self, worker: int, which: int) -> None:
        """An old message again: nothing is changed anywhere by its delivery (I12)."""
        self._count("redeliver")
        before = len(self.bench.effects)
        self.bench.workers[worker].deliver(self.bench.runs[which % len(self.bench.runs)])
        assert len(self.bench.effects) == before, "I12: a delivery changed a server"

    @precondition(lambda self: any(w.is_busy and not w.is_asleep for w in self.bench.workers))
    @rule(worker=WORKERS, half_steps=HALF_STEPS)
    def work(self, worker: int, half_steps: int) -> None:
        """A worker goes on for some half steps."""
        one = self.bench.workers[worker]
        for _ in range(half_steps):
            if one.is_asleep or not one.is_busy:
                break
            self._count("work")
            one.half_step()
            self.holds()

    @precondition(lambda self: any(w.is_busy for w in self.bench.workers))
    @rule(worker=WORKERS, comes_late=st.booleans())
    def kill_worker(self, worker: int, comes_late: bool) -> None:
        """kill -9 between two half steps: before or after an intent, a statement, an outcome."""
        self._count("kill worker")
        self.bench.does_kill_come_late = comes_late
        self.bench.workers[worker].die()

    @precondition(lambda self: self.bench.unfinished is not None)
    @rule(worker=WORKERS, half_steps=st.integers(1, 40), fault=st.none() | st.sampled_from(tuple(Fault)))
    def take_over(self, worker: int, half_steps: int, fault: Fault | None) -> None:
        """A worker is killed on its way, perhaps over its next statement; its lease lapses, the other one continues."""
        self._count("take over")
        if fault is not None:
            self.break_statement(fault, 1)
        self.deliver(worker)
        self.work(worker, half_steps)
        self.bench.workers[worker].die()
        self.advance(31.0)
        if self.bench.unfinished is not None:
            self.deliver(1 - worker)
            self.work(1 - worker, 90)

    @rule(worker=WORKERS, side=SIDES, what=st.sampled_from(RARE))
    def rarely(self, worker: int, side: str, what: str) -> None:
        """SIGSTOP and SIGCONT; late statements take effect; Redis forgets (I13); a right or a whole site is lost."""
        self._count(what)
        if what == "sleep or wake":
            self.bench.workers[worker].is_asleep ^= True
        elif what == "late statements":
            self.bench.run_late()
        elif what == "lose redis":
            self.bench.link.messages.clear()
        elif what == "lose right":
            self._lose_right()
        else:
            server_events.lose_site(self.bench, getattr(self.bench.world, side))

    def _lose_right(self) -> None:
        """Who asked for the unfinished run may run plans no more: it ends, if it has not begun."""
        if self.bench.unfinished is not None:
            self.bench.unfinished.may_request = False

    @precondition(lambda self: self.bench.unfinished is not None)
    @rule(fault=st.sampled_from(tuple(Fault)), ahead=st.integers(1, 3))
    def break_statement(self, fault: Fault, ahead: int) -> None:
        """One of the next statements is refused, warned of, lost, late, or the last of its process."""
        self._count("break statement")
        self.bench.faults[len(self.bench.sent) + ahead] = fault

    @precondition(lambda self: self.bench.unfinished is not None)
    @rule(worker=WORKERS, fault=st.sampled_from(DEATHS), ahead=st.integers(1, 3), is_hung=st.booleans())
    def worker_and_node_die(self, worker: int, fault: Fault, ahead: int, is_hung: bool) -> None:
        """A worker ends with one of its next statements and the node it asked goes with it; a successor takes over."""
        self._count("worker and node die")
        before = len(self.bench.sent)
        self.bench.faults[before + ahead] = fault
        self.deliver(worker)
        self.work(worker, 90)
        if len(self.bench.sent) == before + ahead:
            server_events.kill(self.bench, self.bench.world.node(self.bench.sent[-1][0]), is_hung=is_hung)
            self.advance(31.0)
            if self.bench.unfinished is not None:
                self.deliver(1 - worker)
                self.work(1 - worker, 90)

    # -- time and the monitor

    @rule(seconds=st.sampled_from((1.0, 5.0, 31.0, 31.0, 301.0)))
    def advance(self, seconds: float) -> None:
        """Time passes."""
        self._count("advance")
        self.bench.world.clock.time_s += seconds
        self.bench.world.tick()

    @rule(ticks=st.integers(1, 4))
    def tick(self, ticks: int) -> None:
        """Channels carry."""
        self._count("tick")
        for _ in range(ticks):
            self.bench.world.tick()

    @rule()
    def monitor_looks(self) -> None:
        """A tick of the monitor."""
        self._count("monitor looks")
        self.bench.world.remember()

    # -- servers and other people

    @rule(node=NODES, shape=st.sampled_from(("dml", "dml", "dml", "other", "ddl", "big", "same")))
    def write(self, node: str, shape: str) -> None:
        """An application writes where it may."""
        self._count("write")
        self.bench.application(node, shape)

    @rule(node=NODES)
    def write_local(self, node: str) -> None:
        """wsrep_on=OFF."""
        self._count("local write")
        if self.bench.world.node(node).is_up:
            self.bench.world.write_local(node)

    @rule(is_on=st.booleans(), backlog=st.sampled_from((0, 0, 0, 2)))
    def workload(self, is_on: bool, backlog: int) -> None:
        """Applications write meanwhile; appliers fall behind."""
        self._count("workload")
        self.bench.world.has_workload, self.bench.world.backlog = is_on, backlog

    @rule(node=NODES, what=st.sampled_from(("rotate", "rotate", "purge", "reset")))
    def binlog(self, node: str, what: str) -> None:
        """FLUSH BINARY LOGS, PURGE, RESET MASTER."""
        self._count(what)
        server = self.bench.world.node(node)
        if what == "reset":
            server_events.reset_master(self.bench, server)
        elif what == "purge":
            server_events.purge(self.bench, server)
        else:
            server.log.rotate()

    @rule(node=NODES, is_hung=st.booleans(), ahead=st.sampled_from((0, 0, 2, 5)))
    def lose(self, node: str, is_hung: bool, ahead: int) -> None:
        """A node is down, now or in the middle of a step."""
        self._count("lose node")
        victim = self.bench.world.node(node)
        self.bench.soon(ahead, lambda: server_events.kill(self.bench, victim, is_hung=is_hung))

    @rule(node=NODES, starts=st.booleans(), behind=st.sampled_from((0, 0, 1, 3)), breaks=st.sampled_from((0, 0, 0, 1)))
    def bring_back(self, node: str, starts: bool, behind: int, breaks: int) -> None:
        """A node returns, what its channels say of themselves perhaps behind its data, or unable to read on."""
        self._count("bring back")
        server_events.bring_back(
            self.bench,
            self.bench.world.node(node),
            starts_channels=starts,
            behind=behind,
            breaks_relay_log=bool(breaks),
        )

    @rule(node=NODES, joins_again=st.booleans(), is_added=st.booleans(), is_removed=st.booleans())
    def change_membership(self, node: str, joins_again: bool, is_added: bool, is_removed: bool) -> None:
        """A node leaves and is removed from the registration; one joins that the console does not know yet."""
        self._count("change membership")
        bench, server = self.bench, self.bench.world.node(node)
        server_events.kill(bench, server, is_hung=False)
        bench.world.remember()
        OUTCOMES["nodes removed"] += is_removed and membership.remove(bench, server)
        if joins_again:
            server_events.bring_back(bench, server, starts_channels=True)
        if is_added:
            OUTCOMES["nodes added"] += membership.add(bench, server)

    @rule(side=SIDES, worker=WORKERS)
    def holder_dies_again(self, side: str, worker: int) -> None:
        """The node that receives fails after an earlier one returned; what an operator then does: clean, relocate."""
        self._count("holder fails again")
        receiving = getattr(self.bench.world, side)
        holders = [node for node in receiving.nodes if node.is_up and node.channels]
        for node in receiving.nodes:
            server_events.bring_back(self.bench, node, starts_channels=True)
        self.bench.world.remember()
        for node in holders[:1]:
            server_events.kill(self.bench, node, is_hung=False)
        self.bench.world.remember()
        for pick in (3, 2):
            self.run_what_fits(pick, "attach", None, worker, 90)

    @rule(side=SIDES, worker=WORKERS, half_steps=HALF_STEPS)
    def stops_silently(self, side: str, worker: int, half_steps: int) -> None:
        """A channel's SQL thread ends automatically, and an operator starts it where it stands."""
        self._count("stops silently")
        for node in getattr(self.bench.world, side).nodes:
            server_events.stop_silently(self.bench, node)
        if self.bench.unfinished_id is None:
            self.plan("start_channel", None, None, "attach", attests=False, executes=True)
        if self.bench.unfinished is not None:
            self.deliver(worker)
            self.work(worker, half_steps)

    @rule(side=SIDES)
    def bring_site_back(self, side: str) -> None:
        """All nodes of a site return."""
        self._count("bring site back")
        for node in getattr(self.bench.world, side).nodes:
            server_events.bring_back(self.bench, node, starts_channels=False)

    @rule(node=NODES, source=NODES, ahead=st.sampled_from((0, 0, 3)), act=st.integers(0, 9))
    def meddle(self, node: str, source: str, ahead: int, act: int) -> None:
        """Another operator's statement, now or in the middle of a step."""
        self._count("meddle")
        self.bench.soon(ahead, lambda: self._meddle(node, source, act))

    def _meddle(self, name: str, source_name: str, act: int) -> None:
        bench, node, source = self.bench, self.bench.world.node(name), self.bench.world.node(source_name)
        if act < 3:
            server_events.stop_slave(bench, node, threads=("both", "io", "sql")[act])
        elif act < 5:
            server_events.start_slave(bench, node)
        elif act == 5:
            server_events.change_elsewhere(bench, node)
        elif act < 8 and bench.world.cluster_of(source) is not bench.world.cluster_of(node):
            server_events.second_channel(bench, node, source, is_running=act == 6)
        else:
            server_events.set_read_only(bench, node, is_on=act == 8)

    @rule(node=NODES, fact=st.sampled_from(tuple(BLANKS)))
    def know_less(self, node: str, fact: str) -> None:
        """A fact becomes unknown (I14, I15)."""
        self._count("know less")
        assert i14_i15_less_known_is_never_better(self.bench, node, fact) == []

    # -- judging

    @invariant()
    def holds(self) -> None:
        """Everything that must hold, after every step."""
        if hasattr(self, "bench") and not self.is_broken:
            found = self.bench.broken + [fault for check in AFTER_EVERY_STEP for fault in check(self.bench)]
            self.is_broken = bool(found)
            assert not found, f"{'; '.join(found)}\n{self.bench.story()}"

    def teardown(self) -> None:
        """All faults heal; whatever was going on ends or names what it needs (I22)."""
        if hasattr(self, "bench") and not self.is_broken:
            self.bench.heal()
            self.holds()


class GtidSimulation(Simulation):
    """The same with channels in GTID mode."""

    by_gtid = True
