"""Rehearsals change nothing, by construction: whatever a step tries, no statement leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import pytest

from backend.core.hooks import HookPhase, PlannedHook
from backend.core.link_facts import Divergence
from backend.core.plan import Step
from backend.core.plans.builders.hook_steps import with_hooks
from backend.core.ports import Gateway, NodeError, NodeWriter
from backend.core.rehearsal import RehearsedCheck, SimulatedLossGateway, dry_run, estimate_s, with_cluster_lost
from backend.core.rehearsal.read_only import FirstWriteError, ReadOnlyConsole, ReadOnlyGateway
from backend.core.steps.base import Effect, Observation, Proof, StepContext
from backend.core.steps.registry import STEP_KINDS
from backend.core.topology import Direction, Reach
from tests.core.builders.situations import SITUATIONS, Situation, situation
from tests.fakes.console import FakeConsole
from tests.fakes.gateway import FakeGateway, FakeWriter
from tests.fakes.plans import locate_with
from tests.fakes.world import FakeWorld

HOOK = PlannedHook("h_1", "proxies", HookPhase.BEFORE, blocking=True, timeout_s=10)


class SendError(AssertionError):
    """A changing call reached the servers' side."""


class WriterThatTells:
    """A session whose every changing call is a test failure; it counts that it was closed."""

    def __init__(self, inner: FakeWriter, closed: list[str]) -> None:
        self._inner, self._closed = inner, closed
        self.node = inner.node

    def identity(self) -> Mapping[str, str]:
        """As the server says."""
        return self._inner.identity()

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Any]:
        """Read."""
        return self._inner.query(sql, timeout_s=timeout_s)

    def close(self) -> None:
        """Counted."""
        self._closed.append(self.node.name)
        self._inner.close()

    def __getattr__(self, name: str) -> NoReturn:
        raise SendError(name)


@dataclass
class GatewayThatTells:
    """Everything but reading and opening sessions is a test failure."""

    inner: FakeGateway
    closed: list[str]

    def writer(self, node_id: str) -> WriterThatTells:
        """A telling one."""
        return WriterThatTells(self.inner.writer(node_id), self.closed)

    def __getattr__(self, name: str) -> Any:
        if name not in ("reader", "observe_node", "observe_link"):
            raise SendError(name)
        return getattr(self.inner, name)


def rehearse(world: FakeWorld, plan: Any, gateway: Any = None) -> tuple[list[RehearsedCheck], list[str], FakeConsole]:
    """Walk it on a gateway that tells; parts, closed sessions and what the console was told."""
    closed: list[str] = []
    used = gateway or GatewayThatTells(FakeGateway(world), closed)
    console = FakeConsole()
    ctx = StepContext(
        plan=plan,
        gateway=used,
        clock=world.clock,
        locate=locate_with(world, used),
        results={},
        console=console,
        journal=world.journal,
    )
    return list(dry_run(ctx)), closed, console


@pytest.mark.parametrize("one", SITUATIONS, ids=lambda s: s.name)
def test_walk__every_situation__nothing_sent_and_every_node_to_be_sent_a_statement_was_asked(one: Situation) -> None:
    world, plan = one.build()
    before = [dict(node.channels) for node in world.nodes]
    parts, closed, console = rehearse(world, with_hooks(plan, [HOOK]))
    assert all(part.is_ok for part in parts), parts
    assert world.executed == []
    assert [dict(node.channels) for node in world.nodes] == before
    assert (console.acts, console.called) == ([], [])
    assert sorted(closed) == sorted({step.node for step in plan.steps if step.sql and step.node})
    assert any("not called in a rehearsal" in part.sentence for part in parts)
    assert any("a run would send its first statement here" in part.sentence for part in parts)


def test_walk__source_lost__positions_are_proven_again_as_the_run_would() -> None:
    world, plan = situation("source_lost").build()
    parts, _, _ = rehearse(world, plan)
    codes = [part.code for part in parts]
    first_write = next(step for step in plan.steps if step.sql)
    assert codes[: first_write.index + 1] == [step.code for step in plan.steps[: first_write.index + 1]]
    assert codes[first_write.index + 1 :] == ["session"] * (len(codes) - first_write.index - 1)


def test_walk__facts_changed_since_planned__fails_and_names_them() -> None:
    world, plan = situation("source_lost").build()
    world.kill("a3")
    parts, _, _ = rehearse(world, plan)
    failed = [part for part in parts if not part.is_ok]
    assert failed[0].code == "recheck"
    assert "a3.reach" in failed[0].sentence


def test_walk__node_behind_the_address_is_another__fails() -> None:
    world, plan = situation("source_lost").build()
    altered = replace(plan, fingerprint={**plan.fingerprint, "b1.server_id": 999})
    closed: list[str] = []
    parts, _, _ = rehearse(world, altered, GatewayThatTells(FakeGateway(world), closed))
    failed = [part for part in parts if part.code == "session" and not part.is_ok]
    assert "the plan needs b1 with 999" in failed[0].sentence


def test_walk__account_cannot_open_a_session__fails_with_the_servers_words() -> None:
    world, plan = situation("source_lost").build()

    class Refusing(GatewayThatTells):
        def writer(self, node_id: str) -> WriterThatTells:
            raise NodeError(node_id, "Access denied", code=1045)

    parts, _, _ = rehearse(world, plan, Refusing(FakeGateway(world), []))
    sessions = [part for part in parts if part.code == "session"]
    assert sessions
    assert all("Access denied" in part.sentence and not part.is_ok for part in sessions)


def test_walk__step_that_changes_the_record__ends_the_walk_unwritten() -> None:
    world, plan = situation("source_lost").build()
    ids = (world.b.id, world.a.id)
    swap = Step(1, "swap_roles", "Swap the roles", None, None, params={"active": ids[0], "standby": ids[1]})
    steps = tuple(replace(s, index=i) for i, s in enumerate((plan.steps[0], swap, *plan.steps[1:])))
    parts, _, console = rehearse(world, replace(plan, steps=steps))
    assert console.acts == []
    assert [part.code for part in parts[:2]] == ["recheck", "swap_roles"]
    assert parts[2].code == "session"


class Rogue:
    """A step kind that writes although its plan shows no statement."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Nothing to see."""
        return Observation(Effect.TO_DO, "write unseen")

    def statement(self, ctx: StepContext, step: Step) -> None:
        """Not shown."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Writes all the same."""
        assert step.node_id is not None
        ctx.gateway.writer(step.node_id).execute("STOP SLAVE", secrets={}, timeout_s=1)
        return Proof(True, "written")


def test_walk__step_that_writes_unannounced__ends_the_walk_unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STEP_KINDS, "rogue", Rogue())
    world, plan = situation("source_lost").build()
    holder = next(step for step in plan.steps if step.sql)
    rogue = Step(1, "rogue", "Write unseen", holder.node_id, holder.node)
    steps = tuple(replace(s, index=i) for i, s in enumerate((plan.steps[0], rogue, *plan.steps[1:])))
    parts, _, _ = rehearse(world, replace(plan, steps=steps))
    assert "a run would send a statement here" in parts[1].sentence
    assert parts[2].code == "session"
    assert world.executed == []


def test_read_only_ports__every_changing_call__raises() -> None:
    world, _ = situation("source_lost").build()
    gateway = ReadOnlyGateway(FakeGateway(world))
    writer = gateway.writer(world.node("b1").ref.id)
    console = ReadOnlyConsole()
    for call in (
        lambda: writer.execute("STOP SLAVE", secrets={}, timeout_s=1),
        lambda: writer.apply_transaction([], marker="m", timeout_s=1),
        lambda: writer.kill_session(7),
        lambda: gateway.try_writes([world.node("b1").ref.id]),
        lambda: console.set_roles("c_b", "c_a"),
        lambda: console.record_divergence(Divergence("c_a", "c_b", None, 0.0)),
        lambda: console.reconcile("c_a", None),
    ):
        with pytest.raises(FirstWriteError):
            call()
    assert world.executed == []


def test_read_only_ports__protocols__are_whole() -> None:
    """A call added to a port later must be thought of here too."""
    known = {name for name in vars(NodeWriter) if not name.startswith("_")} | {"node"}
    world, _ = situation("source_lost").build()
    writer = ReadOnlyGateway(FakeGateway(world)).writer(world.node("b1").ref.id)
    assert {name for name in known if not hasattr(writer, name)} == set()
    ports = {name for name in vars(Gateway) if not name.startswith("_")}
    assert {name for name in ports if not hasattr(ReadOnlyGateway, name)} == set()
    assert {name for name in ports if not hasattr(SimulatedLossGateway, name)} == set()


def test_walk__waiting_step__is_looked_at_and_not_waited_for() -> None:
    world, plan = situation("replica_lost").build()
    holder = next(step for step in plan.steps if step.code == "stop_channel")
    drain = Step(1, "drain", "Drain", holder.node_id, holder.node, params={**holder.params, "limit_s": 3600})
    steps = tuple(replace(s, index=i) for i, s in enumerate((plan.steps[0], drain, *plan.steps[1:])))
    began = world.clock.monotonic_s()
    parts, _, _ = rehearse(world, replace(plan, steps=steps))
    assert "a rehearsal does not wait" in parts[1].sentence
    assert world.clock.monotonic_s() - began < 60


def test_as_if_lost__active_side__every_node_down_and_channels_from_it_unfed() -> None:
    world = FakeWorld.classic()
    link = with_cluster_lost(world.facts(), world.a.id)
    assert {node.reach for node in link.active.nodes} == {Reach.DOWN}
    assert {node.reach for node in link.standby.nodes} == {Reach.UP}
    assert [h.channel.io_running for h in link.holders(Direction.FORWARD)] == ["Connecting"]
    gateway = SimulatedLossGateway(FakeGateway(world), tuple(node.ref for node in world.a.nodes))
    assert not gateway.observe_node(world.node("a1").ref.id).is_up
    assert gateway.observe_node(world.node("b1").ref.id).is_up
    with pytest.raises(NodeError):
        gateway.reader(world.node("a2").ref.id)
    with pytest.raises(NodeError):
        gateway.writer(world.node("a2").ref.id)


def test_estimate__earlier_runs__count_before_what_was_rehearsed() -> None:
    world, plan = situation("source_lost").build()
    parts, _, _ = rehearse(world, plan)
    alone = estimate_s(plan.steps, {}, parts)
    assert alone is not None
    past = {step.code: [1.0, 9.0, 1.0] for step in plan.steps}
    assert estimate_s(plan.steps, past, parts) == float(len(plan.steps))
    assert estimate_s((), {}, []) is None


def test_estimate__statement_nobody_timed__counts_as_three_sessions() -> None:
    _, plan = situation("source_lost").build()
    statement = next(step for step in plan.steps if step.sql)
    parts = [RehearsedCheck("s", is_ok=True, sentence="", ms=100.0, code="session")]
    looked_at = RehearsedCheck("l", is_ok=True, sentence="", ms=1.0, code=statement.code, is_first_write=True)
    assert estimate_s([statement], {}, [*parts, looked_at]) == pytest.approx(0.3)
