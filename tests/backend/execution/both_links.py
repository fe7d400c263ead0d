"""A link's runs in the console's database and in the simulation's model, given the same events side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import TestCase
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.core.plan import Plan as CorePlan
from backend.core.runner import Intent, Outcome, StepDone
from backend.operations.runs import services
from backend.operations.runs.execution.claim import StaleEpochError
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import SUPERSEDED_BY, Plan, Run, RunState, Statement, StatementState
from backend.operations.runs.services import dispatch_run, start
from tests.sim.link import SimLink
from tests.sim.run import LEASE_S, SimRun
from tests.sim.run import StaleEpochError as SimStaleEpochError
from tests.sim.snapshot import Snapshot
from tests.support.console import confirmation, make_user, store_plan

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
STALE = "another worker holds the run"
SQL = "STOP SLAVE"


class DifferenceError(AssertionError):
    """The model and the product answered differently, or stand differently."""


@dataclass(slots=True)
class Clock:
    """Whole seconds since the beginning, for Python and the database alike."""

    seconds: int = 0

    @property
    def now(self) -> datetime:
        """As the console's code reads it."""
        return datetime.fromtimestamp(BEGAN.timestamp() + self.seconds, UTC)

    def rule(self, patch: pytest.MonkeyPatch) -> None:
        """Every clock the console asks is this one from now on."""

        def now_in_sql(node: Now, compiler: Any, connection: Any, **more: Any) -> Any:
            del more
            return node.as_sql(compiler, connection, template=f"'{self.now:%Y-%m-%d %H:%M:%S}'")

        for vendor in ("as_sqlite", "as_mysql"):
            patch.setattr(Now, vendor, now_in_sql)
        patch.setattr(timezone, "now", lambda: self.now)


@dataclass(slots=True)
class Bell:
    """Takes the place of the task: what is dispatched is kept."""

    rung: list[str] = field(default_factory=list)

    def apply_async(self, args: tuple[str], **options: object) -> None:
        """One message."""
        del options
        self.rung.append(args[0])


@dataclass(slots=True)
class ClaimedRun:
    """One claim's hold on a run, in both."""

    store: RunStore
    run: SimRun
    epoch: int
    statement_id: int = 0


class Both:
    """The pair. Each public method is an event; it raises DifferenceError where the two do not agree."""

    def __init__(self, link: Link, core: CorePlan, patch: pytest.MonkeyPatch) -> None:
        self._link, self._core = link, core
        self._clock, self._bell = Clock(), Bell()
        self._clock.rule(patch)
        patch.setattr(import_module(dispatch_run.__module__), "drive_run", self._bell)
        patch.setattr(start, "fact_changes", lambda plan: [])
        self.sim = SimLink()
        self._plans: list[tuple[Plan, CorePlan]] = []
        self._held: list[ClaimedRun] = []

    # -- operators

    def plan(self, _: int) -> None:
        """A new plan stands ready."""
        core = replace(self._core, created_at_s=self._clock.now.timestamp())
        self._plans.append((store_plan(self._link, core), core))

    def confirm(self, back: int) -> None:
        """A new plan is confirmed, or one of the last."""
        if back == 0 or not self._plans:
            self.plan(0)
        stored, core = self._plans[-1 - back % len(self._plans)]
        actor = f"operator{len(Run.objects.all())}x{self._clock.seconds}x{len(self._bell.rung)}"
        with _refused() as product, self._rings():
            product.append(services.run_start(actor=actor, plan=stored, **confirmation(stored)).id)
        run_id = str(product[0]) if product else "refused"
        run = SimRun(run_id, core, Snapshot({}, {}, {}, 0, self._now_s))
        self._agree("confirm", bool(product), self.sim.start(run, self._now_s))
        if product:
            make_user(actor, "operator")

    def abort(self, back: int) -> None:
        """An operator asks to abort one of the last runs."""
        for run in self._one(back):
            with _refused() as product, self._rings():
                product.append(services.run_abort(actor="nora", run=Run.objects.get(pk=run.id), comment=""))
            self._agree("abort", bool(product), self.sim.abort(run))

    def resume(self, back: int) -> None:
        """An operator presses Resume."""
        for run in self._one(back):
            with _refused() as product, self._rings():
                product.append(services.run_resume(actor="nora", run=Run.objects.get(pk=run.id), comment=""))
            self._agree("resume", bool(product), self.sim.resume(run, self._now_s))

    def lose_right(self, back: int) -> None:
        """The requester of the run may no longer run plans."""
        from backend.identity.accounts.models import User

        for run in self._one(back):
            User.objects.filter(username=Run.objects.get(pk=run.id).requested_by).update(is_active=False)
            run.may_request = False

    # -- time and messages

    def wait(self, seconds: int) -> None:
        """Time passes."""
        self._clock.seconds += seconds

    def sweep(self, _: int) -> None:
        """A monitor dispatches again."""
        with self._rings():
            rung = services.redispatch_stale()
        self._agree("sweep", rung, self.sim.sweep(self._now_s))

    def lose_messages(self, _: int) -> None:
        """Redis forgets."""
        self._bell.rung.clear()
        self.sim.messages.clear()

    def take(self, worker: int) -> None:
        """A worker takes the oldest message and claims the run it names."""
        if self._bell.rung and self.sim.messages:
            self._bell.rung.pop(0)
            self._claim(self.sim.messages.pop(0), f"w{worker}")

    # -- workers

    def claim(self, back: int) -> None:
        """A message is delivered again."""
        for run in self._one(back):
            self._claim(run, f"w{back}")

    def _claim(self, run: SimRun, owner: str) -> None:
        store = RunStore(run.id, owner)
        epoch = store.claim(LEASE_S)
        self._agree("claim", epoch, run.claim(owner, self._now_s))
        if epoch is not None:
            self._held.append(ClaimedRun(store, run, epoch))

    def renew(self, back: int) -> None:
        """The keeper of one of the last holds renews its lease."""
        self._write("renew", back, lambda h: h.store.renew(LEASE_S), lambda h: h.run.renew(h.epoch, self._now_s))

    def check(self, back: int) -> None:
        """Just before a statement."""
        self._write("check", back, lambda h: h.store.check(), lambda h: h.run.check(h.epoch, self._now_s))

    def release(self, back: int) -> None:
        """Released."""
        self._write("release", back, lambda h: h.store.release(), lambda h: h.run.release(h.epoch))

    def pass_return(self, back: int) -> None:
        """The point of no return."""
        self._write(
            "pass",
            back,
            lambda h: h.store.pass_point_of_no_return(),
            lambda h: h.run.pass_return(h.epoch, self._now_s),
        )

    def intend(self, back: int) -> None:
        """A statement is to be sent."""
        step = self._core.steps[0]

        def store_intent(held: ClaimedRun) -> None:
            node_id, node = step.node_id or "", step.node or ""
            held.statement_id = held.store.intent(0, node_id=node_id, node=node, sql=SQL, connection_id=1)

        self._write("intent", back, store_intent, lambda h: h.run.keep(Intent(step, SQL, 1, {}, False), h.epoch))

    def come_out(self, back: int) -> None:
        """What became of it."""
        if any(held.statement_id for held in self._last(back)):
            self._write(
                "outcome",
                back,
                lambda h: h.store.outcome(h.statement_id, StatementState.OK),
                lambda h: h.run.keep(Outcome(self._core.steps[0], "ok"), h.epoch),
            )

    def finish_step(self, back: int) -> None:
        """The first step is done."""
        done = StepDone(self._core.steps[0], "x", {}, False)
        self._write(
            "step",
            back,
            lambda h: h.store.step_finished(0, outcome="x"),
            lambda h: h.run.keep(done, h.epoch),
        )

    def succeed(self, back: int) -> None:
        """The run ends well."""
        self._finish(back, RunState.SUCCEEDED)

    def stop(self, back: int) -> None:
        """The run ends in an operator's hands."""
        self._finish(back, RunState.NEEDS_OPERATOR)

    def _finish(self, back: int, state: RunState) -> None:
        next_action = "Press Resume."
        self._write(
            "finish",
            back,
            lambda h: h.store.run_finished(state, outcome="x", next_action=next_action),
            lambda h: h.run.finish(state.value, h.epoch, next_action),
        )

    def _write(
        self, what: str, back: int, product: Callable[[ClaimedRun], Any], model: Callable[[ClaimedRun], Any]
    ) -> None:
        for held in self._last(back):
            answers = [_answer(product, held), _answer(model, held)]
            self._agree(what, *answers)

    # -- comparing

    @property
    def _now_s(self) -> float:
        return self._clock.now.timestamp()

    def _one(self, back: int) -> list[SimRun]:
        """One of the last runs, or none."""
        return self.sim.runs[-1 - back :][:1]

    def _last(self, back: int) -> list[ClaimedRun]:
        return self._held[-1 - back :][:1]

    @staticmethod
    @contextmanager
    def _rings() -> Iterator[None]:
        with TestCase.captureOnCommitCallbacks(execute=True):
            yield

    def _agree(self, what: str, product: object, model: object) -> None:
        if product != model:
            raise DifferenceError(f"{what} at {self._clock.seconds} s: the product {product}, the model {model}")

    def follow(self, trace: Iterable[tuple[str, int]]) -> None:
        """One event after the other, all compared after each."""
        for name, number in trace:
            getattr(self, name)(number)
            self._compare(name)

    def _compare(self, event: str) -> None:
        self._agree(f"{event}: messages", self._bell.rung, [run.id for run in self.sim.messages])
        for run in self.sim.runs:
            self._agree(f"{event}: run", self._stored(run.id), self._modelled(run))

    def _stored(self, run_id: str) -> dict[str, object]:
        run = Run.objects.get(pk=run_id)
        successor = Run.objects.filter(plan_id=run.facts.get(SUPERSEDED_BY)).first()
        return {
            "state": run.state,
            "epoch": run.epoch,
            "owner": run.owner,
            "lease": run.lease_until and run.lease_until.timestamp(),
            "announced": run.dispatched_at and run.dispatched_at.timestamp(),
            "is_started": run.started_at is not None,
            "is_past_return": run.point_of_no_return_passed,
            "is_abort_requested": run.abort_requested_at is not None,
            "next_action": run.next_action,
            "holds": run.unfinished_link is not None,
            "superseded_by": successor.id if successor else "",
            "statements": Statement.objects.filter(step__run=run).count(),
            "lost_workers": run.lost_workers,
        }

    @staticmethod
    def _modelled(run: SimRun) -> dict[str, object]:
        return {
            "state": run.state,
            "epoch": run.epoch,
            "owner": run.owner,
            "lease": run.lease_until_s,
            "announced": run.announced_s,
            "is_started": run.is_started,
            "is_past_return": run.memory.is_past_return,
            "is_abort_requested": run.memory.is_abort_requested,
            "next_action": run.next_action,
            "holds": not run.is_final,
            "superseded_by": run.superseded_by,
            "statements": len(run.memory.statements),
            "lost_workers": run.lost_workers,
        }


@contextmanager
def _refused() -> Iterator[list[object]]:
    """What was granted; nothing where the console refused."""
    granted: list[object] = []
    try:
        yield granted
    except ProblemError:
        granted.clear()


def _answer(ask: Callable[[ClaimedRun], Any], held: ClaimedRun) -> object:
    try:
        return ask(held)
    except (StaleEpochError, SimStaleEpochError):
        return STALE
