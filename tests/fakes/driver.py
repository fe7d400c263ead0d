"""Carries a run over a `FakeGateway` as the console does: fence, walk, store each transition; may die anywhere.

What is stored here is all that a successor knows, exactly as in backend/runs/execution/transition_recorder.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from backend.core.checks.context import CheckContext, Pair
from backend.core.checks.registry import (
    ACCEPT_CHECKS,
    CLEAN_CHECKS,
    CREATE_ON_EQUAL_CHECKS,
    RELOCATE_CHECKS,
    REMOVE_CHECKS,
    START_CHECKS,
    Check,
    run_checks,
)
from backend.core.equal_data.comparison import differences
from backend.core.facts.activity import NodeActivity
from backend.core.findings import Finding, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.locate.locator import locate
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest, refuse_unreadable
from backend.core.locate.search_inputs import build_search
from backend.core.orphans.model import OrphanList
from backend.core.plan import Plan, Step
from backend.core.plans import (
    accept_state_uuid,
    create_channels,
    relocate,
    remove_channels,
    remove_stray_channel,
    start_channel,
)
from backend.core.plans.already_applied import blocks_search
from backend.core.plans.candidates import Attempt, choose_attempt, further_pairs
from backend.core.plans.context import context_for, locate_requests
from backend.core.plans.equal_sides import ComparedSides
from backend.core.plans.target import choose_pair
from backend.core.ports import Gateway, NodeError
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
from tests.fakes.side_rows import FakeSideRows
from tests.fakes.world import PASSWORD, USERS, FakeWorld

TOKEN = "r_0123456789ab"
EVERYTHING_APPLIED: remove_channels.Unapplied = dict.fromkeys(Direction, 0)


def locate_with(world: FakeWorld, gateway: Gateway) -> Callable[[LocateRequest, LinkFacts], Located]:
    """As the console's planning does: a node that fails to answer refuses by name."""

    def ask(question: LocateRequest, link: LinkFacts) -> Located:
        try:
            return locate(build_search(question, link, gateway, world.journal))
        except NodeError as error:
            return refuse_unreadable(question, link, str(error))

    return ask


def context_of(world: FakeWorld, source: str | None = None, replica: str | None = None, **more: Any) -> CheckContext:
    """The context of a relocate onto these nodes (names), the logins having worked."""
    link = world.facts()
    pair = choose_pair(link, source and world.node(source).ref.id, replica and world.node(replica).ref.id)
    logins = {pair.active_node_id: None, pair.standby_node_id: None}
    return context_for(link, pair, now_s=world.clock.now_s(), **({"replication_logins": logins} | more))


def plan_relocate(
    world: FakeWorld,
    source: str | None = None,
    replica: str | None = None,
    *,
    checks: Sequence[Check] = RELOCATE_CHECKS,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Plan:
    """Checks, locates and decides, as the console does."""
    gateway = FakeGateway(world, moves=False)
    ctx = context_of(world, source, replica, **more)
    findings = run_checks(ctx, checks)
    ask = locate_with(world, gateway)

    def attempt(ctx: CheckContext, findings: tuple[Finding, ...]) -> Attempt:
        located = () if blocks_search(findings) else tuple(ask(q, ctx.link) for q in locate_requests(ctx.moves))
        return Attempt(ctx, findings, located)

    def further() -> Iterator[Attempt]:
        named = (key and world.node(key).ref.id for key in (source, replica))
        for pair in further_pairs(ctx.link, Pair(*(node.node.id for node in ctx.pair)), *named):
            other = context_of(world, pair.active_node_id, pair.standby_node_id, **more)
            yield attempt(other, run_checks(other, checks))

    chosen, left_out = choose_attempt(attempt(ctx, findings), further())
    return relocate.decide(
        chosen.ctx,
        chosen.findings,
        chosen.located,
        replication_users=USERS,
        options=options or {},
        left_out=left_out,
    )


def plan_accept(world: FakeWorld, **more: Any) -> Plan:
    """A plan that accepts a new history."""
    gateway = FakeGateway(world, moves=False)
    ctx = context_of(world, **more)
    findings = run_checks(ctx, ACCEPT_CHECKS)
    ask = locate_with(world, gateway)
    located = () if blocks_search(findings) else [ask(q, ctx.link) for q in locate_requests(ctx.moves)]
    return accept_state_uuid.decide(ctx, findings, located, replication_users=USERS, options={})


def plan_clean(world: FakeWorld, **more: Any) -> Plan:
    """A clean plan."""
    ctx = context_of(world, **more)
    return remove_stray_channel.decide(ctx, run_checks(ctx, CLEAN_CHECKS), {})


def plan_remove(
    world: FakeWorld,
    *,
    checks: Iterable[Check] = REMOVE_CHECKS,
    unapplied: remove_channels.Unapplied = EVERYTHING_APPLIED,
    accepts_loss: bool = False,
    **more: Any,
) -> Plan:
    """A plan that ends replication; the monitor has counted what is not applied."""
    ctx = replace(context_of(world, **more), accepts_loss=accepts_loss)
    return remove_channels.decide(ctx, run_checks(ctx, checks), unapplied, options={})


def plan_create(
    world: FakeWorld, *, checks: Iterable[Check] = CREATE_ON_EQUAL_CHECKS, options: Mapping[str, Any] | None = None
) -> Plan:
    """A plan that creates the channels of a link whose sides hold equal data."""
    chosen = {"standby_data": create_channels.EQUAL, "channel_tls": "on"} | dict(options or {})
    idle = NodeActivity(long_transactions=(), ddl=(), enabled_events=0, write_through=())
    ctx = create_channels.in_setup(context_of(world), chosen)
    ctx = replace(ctx, activity={node.node.id: idle for node in ctx.link.active.nodes})
    one_side, other_side = FakeContents(world)([node.node.id for node in ctx.pair], has_checksums=False, limit_s=1.0)
    lacks_probes = "TABLE" not in world.node(ctx.pair[1].node.id).probe_objects
    compared = ComparedSides(
        len(one_side.tables),
        one_side.size_bytes,
        differences(one_side, other_side, has_checksums=False),
        probe_missing=ctx.pair[1] if lacks_probes else None,
    )
    findings = run_checks(ctx, checks)
    return create_channels.decide(ctx, findings, (), compared, replication_users=USERS, options=chosen)


def plan_start(world: FakeWorld, *, checks: Iterable[Check] = START_CHECKS, attests: bool = False, **more: Any) -> Plan:
    """A plan that starts what stands where it stands; `attests`: a person says that its error is over."""
    ctx = replace(start_channel.in_place(context_of(world, **more)), attested_error_over=attests)
    findings = run_checks(ctx, checks)
    ask = locate_with(world, FakeGateway(world, moves=False))
    located = () if is_refused(findings) else [ask(q, ctx.link) for q in locate_requests(ctx.moves)]
    return start_channel.decide(ctx, findings, located, options={})


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
            case Intent(step, sql, connection_id, before, is_undo):
                new = SentStatement(sql, before)
                self._resolve(step, lambda left: took_effect_by_next(step, left, new, is_undo=is_undo))
                assert step.node_id is not None
                assert step.node is not None
                self.statements.append(StoredStatement(step.index, step.node, step.node_id, sql, connection_id, before))
            case Outcome(_, state):
                self.statements[-1].state = state
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


def sound(plan: Plan) -> Plan:
    """The plan, which must not be refused."""
    assert not plan.is_refused, [f.message for f in plan.findings if f.refuses]
    return plan


def assert_whole(world: FakeWorld, memory: Memory) -> None:
    """The run succeeded; in the end both sides hold everything once."""
    assert memory.ended.state == "succeeded", memory.failures
    world.converge()
    assert world.faults() == []
