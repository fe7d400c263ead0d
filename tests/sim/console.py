"""The console of the simulation: one link, its runs, two workers, an operator, and a clock that all share."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from backend.core.link_facts import LinkFacts, RecordedChannel
from backend.core.orphans.model import OrphanList
from backend.core.plan import Plan, Step
from backend.core.plans import relocate, reprotect
from backend.core.runner import Ended, Intent, StepDone, StepFailed, Transition
from backend.core.steps.base import channel_at, source_of
from backend.core.topology import Direction
from tests.fakes.cluster import FakeNode
from tests.fakes.gateway import FakeGateway, Fault, Session
from tests.fakes.sites import passive, plan_fence_returned
from tests.fakes.world import FakeWorld
from tests.sim.effects import judge
from tests.sim.invariants import clean_spares_what_counts, i08_restored, i10_fresh_plan, i10_recheck_saw_the_change
from tests.sim.ledger import Ledger
from tests.sim.link import SimLink
from tests.sim.membership import i23_plans_need_registered_members
from tests.sim.orphans import write_rows
from tests.sim.plans import Wish, plan_for
from tests.sim.run import LEASE_S, SimRun
from tests.sim.server_events import bring_back
from tests.sim.snapshot import Snapshot, snapshot
from tests.sim.tally import OUTCOMES
from tests.sim.worker import Worker

MOST_HALF_STEPS = 600
PACE = 40.0
"""A wait of 20 s is looked at some fifteen times instead of seven hundred."""


class SimWorld(FakeWorld):
    """Every statement of ours is judged as it takes effect; `bench` is set before the first."""

    bench: Bench

    def execute(self, node: FakeNode, sql: str, by: object = None) -> list[str]:
        """Judge, then let it take effect."""
        assert isinstance(by, tuple)
        try:
            self.bench.broken += judge(self.bench, node, sql, by)
        except Exception as error:  # noqa: BLE001 - the walk would take it for a fault of the step
            self.bench.broken.append(f"the judge failed: {error!r}")
        if sql.startswith("SET GLOBAL read_only=ON"):
            self.bench.opened_by_others.discard(node.name)
        return super().execute(node, sql, by)


class Bench:
    """Everything a rule acts on and an invariant looks at."""

    def __init__(self, *, by_gtid: bool) -> None:
        world = SimWorld(has_gtid_channels=by_gtid)
        world.bench = self
        self.world = passive(world.with_history())
        self.world.clock.pace = PACE
        self.world.on_tick = self._on_tick
        self.ledger = Ledger(self.world)
        self.workers = [Worker(self, "w1"), Worker(self, "w2")]
        self.link = SimLink()
        self.plan: tuple[Plan, Snapshot] | None = None
        self.books: dict[str, OrphanList] = {}
        self.sessions: dict[int, Session] = {}
        self.faults: dict[int, Fault] = {}
        self.sent: list[tuple[str, str]] = []
        self.does_kill_come_late = False
        self.meddled: list[tuple[int, str, str]] = []
        self.placed: dict[str, tuple[int, str]] = {}
        self.opened_by_others: set[str] = set()
        self.both_open: list[str] = []
        self.scheduled: list[tuple[int, Callable[[], None]]] = []
        self.effects: list[tuple[tuple[str, int], str, str]] = []
        self.broken: list[str] = []
        self._ids = count(1)

    # -- what others ask

    @property
    def now_s(self) -> float:
        """Unix time."""
        return self.world.clock.now_s()

    @property
    def runs(self) -> list[SimRun]:
        """All there were."""
        return self.link.runs

    @property
    def unfinished(self) -> SimRun | None:
        """The run that holds the link."""
        return self.link.unfinished

    @property
    def unfinished_id(self) -> str | None:
        """As planning asks: one that waits for an operator may be superseded."""
        run = self.unfinished
        return run.id if run is not None and run.state != "needs_operator" else None

    def active_of(self, run: SimRun) -> str:
        """The side that was active when the plan was made: steps see the link so."""
        return next(c.id for c in (self.world.a, self.world.b) if c.name == run.plan.fingerprint["active"])

    def book(self, scan_id: str) -> OrphanList:
        """A kept scan."""
        return self.books[scan_id]

    def attested(self) -> frozenset[str]:
        """An operator who attests a node has really fenced it: it carries nothing and takes no writes."""
        registered = [*self.world.a.registered, *self.world.b.registered]
        found = [node for node in registered if not node.is_up]
        for node in found:
            if self.unfinished is not None and any(channel.is_running for channel in node.channels.values()):
                self.meddle(node.name, "fenced while another run waits")
            node.variables["read_only"] = "ON"
            for channel in node.channels.values():
                channel.io = channel.sql = "No"
        return frozenset(node.ref.id for node in found)

    # -- the operator

    def make_plan(self, wish: Wish) -> Plan:
        """Plan, and remember how the world stood."""
        plan = plan_for(self, wish)
        self.broken += i23_plans_need_registered_members(self, wish.kind, is_refused_plan=plan.is_refused)
        self.broken += clean_spares_what_counts(self, plan)
        self.plan = None if plan.is_refused else (plan, snapshot(self.world))
        return plan

    def fitting(self, pick: int) -> str:
        """The kind that an operator or the automation would choose now."""
        world = self.world
        if world.divergence is not None and pick == 1 and plan_fence_returned(world) is not None:
            return "fence_returned_side"
        if world.divergence is not None:
            return "reprotect" if pick else "remove_stray_channel"
        if not world.active.live:
            return "failover"
        is_whole = all(node.is_up for node in world.nodes)
        channels = [channel.facts() for node in world.nodes for channel in node.channels.values()]
        if is_whole and pick and any(channel.has_stopped_thread for channel in channels):
            return "start_channel"
        if is_whole and pick < 2:
            return "failback" if world.is_turned and pick else "switchover"
        return "relocate" if pick < 3 else "remove_stray_channel"

    def execute(self) -> SimRun | None:
        """Run the plan in hand, where the console takes it."""
        if self.plan is None:
            return None
        run = SimRun(f"r_{next(self._ids):012d}", *self.plan)
        if not self.link.start(run, self.now_s):
            return None
        self.plan = None
        return run

    def start(self) -> SimRun:
        """The same, where it must be taken."""
        run = self.execute()
        assert run is not None
        return run

    # -- time

    def _on_tick(self) -> None:
        now = self.world.ticks
        due, self.scheduled = [a for t, a in self.scheduled if t <= now], [x for x in self.scheduled if x[0] > now]
        for act in due:
            act()
        self._watch_writers()

    def _watch_writers(self) -> None:
        """Both sides would take a write now, and no other operator opened them."""
        sides = [
            [
                n.name
                for n in c.nodes
                if n.is_up and n.is_member and n.takes_writes and n.name not in self.opened_by_others
            ]
            for c in (self.world.a, self.world.b)
        ]
        if all(sides):
            self.both_open.append(f"tick {self.world.ticks}: {sides}")

    def renew(self) -> None:
        """Lease keepers of living processes."""
        for worker in self.workers:
            worker.renew()

    # -- what follows from success

    def seen(self, run: SimRun, transition: Transition) -> None:
        """A worker's walk came to a transition; it is not stored yet."""
        if isinstance(transition, StepDone) and transition.step.code == "recheck":
            self.broken += i10_recheck_saw_the_change(self, run)
        if isinstance(transition, Intent) and not transition.is_undo and not run.memory.statements:
            self.broken += i10_fresh_plan(self, run)

    def stored(self, run: SimRun, transition: Transition) -> None:
        """A worker stored a transition."""
        if isinstance(transition, Intent) and not transition.is_undo and transition.step.code == "change_source":
            self.world.stray_since_s[str(transition.step.node_id)] = self.now_s
        if isinstance(transition, StepDone | StepFailed):
            self._record_step(run, transition.step, is_done=isinstance(transition, StepDone))
        if isinstance(transition, Ended):
            OUTCOMES[f"{run.plan.kind} {run.state}"] += 1
            self.broken += i08_restored(self, run)
            if run.state == "succeeded":
                self._succeeded(run)

    def _record_step(self, run: SimRun, step: Step, *, is_done: bool) -> None:
        """What a step leaves behind on its node (backend/operations/runs/execution/channel_records.py)."""
        if step.node_id is None:
            return
        if step.code == "start_channel" and self._is_started(step) and run.plan.kind in (relocate.KIND, reprotect.KIND):
            self._record(run, step.params["direction"])
        if step.code == "reset_channel" and is_done:
            self.world.stray_since_s.pop(step.node_id, None)

    def _is_started(self, step: Step) -> bool:
        assert step.node_id is not None
        channel = channel_at(self.world.facts().node(step.node_id), step.params["name"], source_of(step))
        return channel is not None and (channel.is_running or bool(channel.sql_errno))

    def _succeeded(self, run: SimRun) -> None:
        """Keep where the channels stand now (backend/operations/runs/execution/channel_records.py)."""
        for direction in Direction:
            self._record(run, direction.value)

    def _record(self, run: SimRun, pointed: str) -> None:
        """One direction's channel, where the run pointed it again."""
        facts = self.world.facts()
        for step in run.plan.steps:
            if step.code != "change_source" or step.node_id is None or step.params["direction"] != pointed:
                continue
            channel = facts.node(step.node_id).channel(step.params["name"])
            if channel is not None:
                node = self.world.node(step.node_id)
                self.placed[node.name[0]] = (self.world.ticks, node.name)
                direction = Direction(step.params["direction"])
                source_id, left_on = step.params["source_node_id"], self._left_on(facts, direction, step, run.plan)
                new = RecordedChannel(direction, step.node_id, source_id, channel, self.now_s, left_on)
                self.world.recorded = [r for r in self.world.recorded if r.direction is not direction] + [new]

    @staticmethod
    def _left_on(facts: LinkFacts, direction: Direction, step: Step, plan: Plan) -> frozenset[str]:
        """Nodes this direction was moved away from while they could not be cleaned."""
        before, old = facts.recorded_channel(direction), step.params["old_replica_id"]
        known = before.left_on if before is not None else frozenset()
        is_cleaned = any(one.code == "reset_channel" and one.node_id == old for one in plan.steps)
        is_due = old is not None and old != step.node_id and not is_cleaned
        recorded = {before.replica_node_id} - {old} if before is not None else set()
        return (known | recorded | ({old} if is_due else set())) - {step.node_id}

    # -- others

    def write(self, node: str, **shape: object) -> None:
        """An application's transaction; on a lost side it is an orphan with a row of its own."""
        txn = self.world.write(node, **shape)
        side = self.world.cluster_of(self.world.node(node))
        if self.world.divergence is not None and self.world.divergence.lost_cluster_id == side.id:
            write_rows(self.world, side, [txn.uid])

    def application(self, node: str, shape: str) -> None:
        """A client's write where it is let in."""
        one = self.world.node(node)
        if not (one.is_up and one.is_member and one.takes_writes):
            return
        if shape == "ddl":
            self.write(node, statement=f"ALTER TABLE t{self.world.ticks} ADD c INT", kind="ddl")
        elif shape == "same":
            self.write(node, statement="UPDATE counters SET n=n+1")
        else:
            self.write(node, kind="other" if shape == "other" else "dml", row_events=30 if shape == "big" else 1)

    def soon(self, ticks: int, act: Callable[[], None]) -> None:
        """Now, or that many ticks on (which may be in the middle of a step)."""
        if ticks == 0:
            act()
        else:
            self.scheduled.append((self.world.ticks + ticks, act))

    def run_late(self) -> None:
        """Statements of sessions that live on without their owner."""
        FakeGateway(self.world, sessions=self.sessions).run_late()

    def heal(self) -> None:
        """No fault is left; a fresh worker takes the unfinished run as far as it goes."""
        self.faults.clear()
        self.scheduled.clear()
        for node in self.world.nodes:
            bring_back(self, node, starts_channels=False)
        for worker in self.workers:
            worker.die()
            worker.is_asleep = False
        run = self.unfinished
        if run is None or run.state == "needs_operator":
            return
        self.world.clock.time_s += 2 * LEASE_S
        self.link.sweep(self.now_s)
        while self.link.messages and not self.workers[0].is_busy:
            self.workers[0].take()
        assert self.workers[0].is_busy or run.is_final, f"I13, I22: no worker claims {run.id} in state {run.state}"
        for _ in range(MOST_HALF_STEPS):
            if not self.workers[0].is_busy:
                break
            self.workers[0].half_step()
        assert run.is_final or run.state == "needs_operator", f"I22: {run.id} stays {run.state}"

    def story(self) -> str:
        """The last runs, what they sent and what others did, for the reader of a failure."""
        lines = [f"{r.id} {r.plan.kind} {r.states} {r.memory.failures}" for r in self.runs[-3:]]
        lines += [f"{by}: {node}: {sql[:300]!r}" for by, node, sql in self.effects[-12:]]
        return "\n".join([*lines, f"others: {self.meddled[-12:]}, tick {self.world.ticks}"])

    def meddle(self, node: str, what: str) -> None:
        """Another operator acted; what follows is measured against that."""
        self.meddled.append((self.world.ticks, node, what))

    def meddled_since(self, tick: int, node: str | None = None) -> bool:
        """Whether anybody else acted (on that node) since then."""
        return any(at >= tick and node in (None, on) for at, on, _ in self.meddled)
