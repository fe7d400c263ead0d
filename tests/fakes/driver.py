"""Carries a run over a `FakeGateway` as the console does: fence, walk, store each transition; may die anywhere.

What is stored here is all that a successor knows, exactly as in
backend/operations/runs/execution/transition_recorder.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.core.orphans.model import OrphanList
from backend.core.plan import Plan, Step
from backend.core.runner import (
    Ended,
    Intent,
    Outcome,
    Progress,
    Runner,
    StepDone,
    StepFailed,
    StepStarted,
    StepUndone,
    Transition,
    UndoStarted,
)
from backend.core.runner.statement_outcome import SentStatement, took_effect_by_next, took_effect_by_undone
from backend.core.steps.base import StepContext
from backend.core.topology import Direction
from tests.fakes.console import FakeConsole
from tests.fakes.contents import FakeContents
from tests.fakes.gateway import FakeGateway, ProcessDied
from tests.fakes.plans import locate_with
from tests.fakes.side_rows import FakeSideRows
from tests.fakes.world import PASSWORD, FakeWorld

TOKEN = "r_0123456789ab"


@dataclass(slots=True)
class StoredStatement:
    """A statement with an intent; `state` as the console stores it."""

    step: int
    node: str
    node_id: str
    sql: str
    connection_id: int
    before: Mapping[str, Any] = field(default_factory=dict)
    state: str = "intended"


@dataclass(slots=True)
class Memory:
    """A run as the console's database knows it."""

    plan: Plan
    done: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)
    statements: list[StoredStatement] = field(default_factory=list)
    undoing: tuple[str, bool] | None = None
    is_abort_requested: bool = False
    is_past_return: bool = False
    end: Ended | None = None
    failures: list[str] = field(default_factory=list)

    @property
    def ended(self) -> Ended:
        """How the run ended; a run that did not end fails the test."""
        assert self.end is not None, "the run did not end"
        return self.end

    def request_abort(self) -> bool:
        """Granted only while the way back is open."""
        if self.is_past_return:
            return False
        self.is_abort_requested = True
        return True

    def pass_return(self) -> bool:
        """Close the way back; False where an abort was granted first."""
        if self.is_abort_requested:
            return False
        self.is_past_return = True
        return True

    def progress(self) -> Progress:
        """What a new walk starts from."""
        return Progress(
            done=set(self.done),
            intended={s.step for s in self.statements},
            undone=set(self.undone),
            undo_reason=self.undoing[0] if self.undoing else None,
            is_abort=bool(self.undoing and self.undoing[1]),
            is_return_closed=self.is_past_return,
        )

    def keep(self, transition: Transition) -> None:
        """Store one transition."""
        match transition:
            case Intent(step, sql, connection_id, before, is_undo, _):
                new = SentStatement(sql, before)
                self._resolve(step, lambda left: took_effect_by_next(step, left, new, is_undo=is_undo))
                assert step.node_id is not None
                assert step.node is not None
                self.statements.append(StoredStatement(step.index, step.node, step.node_id, sql, connection_id, before))
            case Outcome(step, state):
                next(s for s in reversed(self.statements) if s.step == step.index).state = state
            case StepDone(step, _, facts):
                self._resolve(step, lambda _: True)
                self.done[step.index] = facts
            case StepFailed(_, sentence):
                self.failures.append(sentence)
            case StepUndone(step):
                self._resolve(step, lambda left: took_effect_by_undone(step, left.sql))
                self.undone.add(step.index)
                self.done.pop(step.index, None)
            case UndoStarted(reason, is_abort):
                self.undoing = (reason, is_abort)
            case Ended():
                self.end = transition

    def _resolve(self, step: Step, took_effect: Callable[[SentStatement], bool | None]) -> None:
        for statement in self.open_statements(step.index):
            did = took_effect(SentStatement(statement.sql, statement.before))
            if did is not None:
                statement.state = "observed" if did else "failed"

    def open_statements(self, step: int | None = None) -> list[StoredStatement]:
        """Those (of one step) of which no outcome is known."""
        unsettled = [s for s in self.statements if s.state in ("intended", "indeterminate")]
        return [s for s in unsettled if step in (None, s.step)]


class RecordSilentError(Exception):
    """The console's own database does not answer just now."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A part of the console's record; `on_ask` is called before each answer."""

    part: Any
    on_ask: Callable[[], None]

    def __getattr__(self, name: str) -> Any:
        """Its own, asked first."""
        return Asked(getattr(self.part, name), self.on_ask)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Where it is a function itself."""
        self.on_ask()
        return self.part(*args, **kwargs)


@dataclass(slots=True)
class Walker:
    """One process's hold on a run. `dies_at`: the transition (from 1) at which it ends, before or after storing it.

    `silent_at`: the question (from 1) that the console's record does not answer it.
    """

    world: FakeWorld
    gateway: FakeGateway
    memory: Memory
    dies_at: int | None = None
    dies_after_storing: bool = True
    on_transition: Callable[[Transition], None] | None = None
    silent_at: int | None = None
    asks: int = 0
    seen: list[Transition] = field(default_factory=list)
    console: FakeConsole = field(default_factory=FakeConsole)
    book: OrphanList = field(default_factory=lambda: OrphanList("", ()))

    def run(self) -> Ended | None:
        """Fence the predecessor and walk; None where the process was killed or its record did not answer."""
        try:
            self._fence()
            for transition in self._runner().walk():
                self._keep(transition)
        except (ProcessDied, RecordSilentError):
            return None
        return self.memory.end

    def _ask(self) -> None:
        self.asks += 1
        if self.asks == self.silent_at:
            raise RecordSilentError

    def _asked(self, answer: Callable[..., Any]) -> Callable[..., Any]:
        return Asked(answer, self._ask)

    def _fence(self) -> None:
        for statement in self.memory.open_statements():
            self.gateway.writer(statement.node_id).kill_session(statement.connection_id)

    def _runner(self) -> Runner:
        memory = self.memory
        ctx = StepContext(
            plan=memory.plan,
            gateway=self.gateway,
            clock=self.world.clock,
            locate=locate_with(self.world, self.gateway),
            results=dict(memory.done),
            console=Asked(self.console, self._ask),
            journal=Asked(self.world.journal, self._ask),
            probe_token=TOKEN,
            orphans=self._asked(lambda _: self.book),
            rows=FakeSideRows(self.world),
            contents=FakeContents(self.world),
        )
        return Runner(
            ctx,
            memory.progress(),
            secrets=self._asked(secrets_of),
            is_abort_requested=self._asked(lambda: memory.is_abort_requested),
            pass_return=self._asked(memory.pass_return),
            is_no_verdict=lambda error: isinstance(error, RecordSilentError),
        )

    def _keep(self, transition: Transition) -> None:
        self.seen.append(transition)
        is_killed = len(self.seen) == self.dies_at
        if is_killed and not self.dies_after_storing:
            raise ProcessDied
        self.memory.keep(transition)
        if is_killed:
            raise ProcessDied
        if self.on_transition is not None:
            self.on_transition(transition)


def secrets_of(step: Step) -> Mapping[str, str]:
    """Passwords the step needs."""
    return {"replication": PASSWORD} if "secret_cluster_id" in step.params else {}


def at_start_of(
    code: str, act: Callable[[], object], direction: Direction | None = None
) -> Callable[[Transition], None]:
    """Act once, when the first step of that code (and direction, where one is named) is entered."""
    acted: list[bool] = []

    def on_transition(transition: Transition) -> None:
        if acted or not isinstance(transition, StepStarted) or transition.step.code != code:
            return
        if direction is None or transition.step.params.get("direction") == direction.value:
            acted.append(True)
            act()

    return on_transition


def run_to_end(world: FakeWorld, plan: Plan, gateway: FakeGateway | None = None, **how: Any) -> Memory:
    """One unbroken walk."""
    memory = Memory(plan)
    Walker(world, gateway or FakeGateway(world), memory, **how).run()
    return memory


def assert_whole(world: FakeWorld, memory: Memory) -> None:
    """The run succeeded; in the end both sides hold everything once."""
    assert memory.ended.state == "succeeded", memory.failures
    world.converge()
    assert world.faults() == []


def end_of(memory: Memory) -> tuple[str, str]:
    """State and words."""
    return memory.ended.state, memory.ended.sentence
