"""A worker process, driven one half step at a time: ask the walk for its next transition, then store it.

Between any two half steps it may die, sleep past its lease, or be overtaken
(backend/operations/runs/execution/driver.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from backend.core.link_facts import Divergence
from backend.core.ports import NodeError
from backend.core.runner import Intent, Runner, Transition
from backend.core.runner.reconnect import end_session, retry_once
from backend.core.steps.base import StepContext
from backend.operations.runs.execution.unfinished_sessions import MAX_LOST_WORKERS, QuarantineGateway, end_sessions
from tests.fakes.console import FakeConsole
from tests.fakes.driver import StoredStatement, secrets_of
from tests.fakes.gateway import FakeGateway, ProcessDied
from tests.fakes.plans import locate_with
from tests.fakes.side_rows import FakeSideRows
from tests.sim.run import SimRun, StaleEpochError

if TYPE_CHECKING:
    from tests.sim.console import Bench


class HandedOverError(Exception):
    """A predecessor's session could not be ended behind the point of no return, or the run loses workers."""


@dataclass(slots=True)
class RunConsole(FakeConsole):
    """The console's record of the link, written under a worker's epoch."""

    worker: Worker | None = None

    def set_roles(self, active_cluster_id: str, standby_cluster_id: str) -> None:
        """Swap them in the record."""
        self._bench().world.turn(active_cluster_id)

    def record_divergence(self, divergence: Divergence) -> None:
        """Invalidate the lost side; what it alone wrote is the stated loss."""
        self._bench().world.divergence = divergence
        self._bench().ledger.record_divergence(divergence.lost_cluster_id)

    def reconcile(self, lost_cluster_id: str, state_uuid: str | None) -> None:
        """It may be a source again."""
        bench = self._bench()
        if bench.world.divergence is not None:
            bench.world.divergence = replace(bench.world.divergence, is_reconciled=True)
        cluster = next(c for c in (bench.world.a, bench.world.b) if c.id == lost_cluster_id)
        cluster.recorded_uuid = state_uuid

    def accept_state_uuid(self, cluster_id: str, state_uuid: str) -> None:
        """It is this history from now on."""
        bench = self._bench()
        cluster = next(c for c in (bench.world.a, bench.world.b) if c.id == cluster_id)
        cluster.recorded_uuid = state_uuid

    def attach(self, lost_cluster_id: str) -> None:
        """Its failover is over."""
        self._bench().world.divergence = None

    def _bench(self) -> Bench:
        assert self.worker is not None
        self.worker.mine()
        return self.worker.bench


class Worker:
    """One process; holds at most one run."""

    def __init__(self, bench: Bench, name: str) -> None:
        self.bench, self.name = bench, name
        self.is_asleep = False
        self._drop()

    def _drop(self) -> None:
        self.run: SimRun | None = None
        self.epoch = 0
        self.pending: Transition | None = None
        self._walk: Iterator[Transition] = iter(())

    @property
    def is_busy(self) -> bool:
        """Whether it believes to hold a run."""
        return self.run is not None

    def take(self) -> None:
        """The oldest message, where its hands are free."""
        messages = self.bench.link.messages
        if messages and not self.is_busy and not self.is_asleep:
            self.deliver(messages.pop(0))

    def deliver(self, run: SimRun) -> bool:
        """A message names a run; True where this worker claimed it."""
        if self.is_busy or self.is_asleep:
            return False
        epoch = run.claim(self.name, self.bench.now_s)
        if epoch is None:
            return False
        self.run, self.epoch = run, epoch
        self._walk = self._run(run)
        return True

    def renew(self) -> None:
        """The lease keeper of a living process."""
        if self.run is not None and not self.is_asleep:
            with suppress(StaleEpochError):
                self.run.renew(self.epoch, self.bench.now_s)

    def mine(self) -> None:
        """Still the holder; StaleEpochError."""
        assert self.run is not None
        self.run.mine(self.epoch)

    def die(self) -> None:
        """kill -9."""
        self._drop()

    def half_step(self) -> None:
        """Get the next transition, or store the one in hand."""
        if self.run is None:
            return
        try:
            if self.pending is None:
                self.pending = next(self._walk)
                if isinstance(self.pending, Intent):
                    self.run.intended_tick = self.bench.world.ticks
                self.renew()
                self.bench.seen(self.run, self.pending)
            else:
                transition, self.pending = self.pending, None
                self.run.keep(transition, self.epoch)
                if isinstance(transition, Intent):
                    self.run.check(self.epoch, self.bench.now_s)
                self.bench.stored(self.run, transition)
        except ProcessDied:
            self._drop()
        except (StopIteration, StaleEpochError):
            self._let_go()
        except HandedOverError:
            with suppress(StaleEpochError):
                next_action = "Make sure that the node responds, then resume the run. Or create a new plan."
                self.run.finish("needs_operator", self.epoch, next_action)
            self._let_go()

    def _let_go(self) -> None:
        assert self.run is not None
        self.run.release(self.epoch)
        self._drop()

    def _run(self, run: SimRun) -> Iterator[Transition]:
        gateway = FakeGateway(
            self.bench.world,
            sessions=self.bench.sessions,
            faults=self.bench.faults,
            sent=self.bench.sent,
            owner=(run.id, self.epoch),
            active_id=self.bench.active_of(run),
            does_kill_come_late=self.bench.does_kill_come_late,
        )
        if run.lost_workers > MAX_LOST_WORKERS:
            raise HandedOverError
        open_ = run.memory.open_statements()
        left = end_sessions(gateway, [(s.node_id, s.node, s.connection_id) for s in open_])
        run.left_alone = frozenset(left)
        for older in self.bench.link.superseded_by(run):
            for statement in older.memory.open_statements():
                with suppress(HandedOverError):  # its node was attested or expelled when this run was planned
                    _end(gateway, statement)
        if left and run.memory.progress().is_past_return(run.plan):
            raise HandedOverError
        if left and run.memory.undoing is None:
            run.memory.undoing = ("A session could not be ended.", run.memory.is_abort_requested)
        yield from self._runner(run, QuarantineGateway(gateway, left)).walk()

    def _runner(self, run: SimRun, gateway: QuarantineGateway) -> Runner:
        memory, world = run.memory, self.bench.world
        ctx = StepContext(
            plan=run.plan,
            gateway=gateway,
            clock=world.clock,
            locate=locate_with(world, gateway),
            results=dict(memory.done),
            console=RunConsole(worker=self),
            journal=world.journal,
            probe_token=run.id,
            orphans=self.bench.book,
            rows=FakeSideRows(world),
        )
        return Runner(
            ctx,
            memory.progress(),
            secrets=secrets_of,
            is_abort_requested=lambda: memory.is_abort_requested,
            pass_return=self._pass_return,
        )

    def _pass_return(self) -> bool:
        assert self.run is not None
        return self.run.pass_return(self.epoch, self.bench.now_s)


def _end(gateway: FakeGateway, statement: StoredStatement) -> None:
    """Its session, so that looking at its node is conclusive."""
    try:
        retry_once(lambda: end_session(gateway, statement.node_id, statement.connection_id))
    except NodeError as error:
        raise HandedOverError(str(error)) from error
