"""Switchover and failover walked unbroken, broken at every point, and aborted: one side accepts writes, never two."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.plan import Plan
from tests.core.builders.examples import moments
from tests.core.builders.situations import situation
from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory, Walker, at_start_of
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.plans import sound
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

MAX_RESUMES = 12
Built = tuple[FakeWorld, Plan, list[str]]


def _watched(world: FakeWorld, plan: Plan) -> Built:
    """A sound plan; from now on every moment at which both sides would take a write is noted."""
    assert not plan.is_refused, [f.message for f in plan.findings if f.refuses]
    both: list[str] = []

    def note_both_open() -> None:
        sides = [any(n.is_up and n.is_member and n.takes_writes for n in c.nodes) for c in (world.a, world.b)]
        if all(sides):
            both.append(f"tick {world.ticks}")

    world.on_tick = note_both_open
    return world, plan, both


def _working() -> FakeWorld:
    world = passive(FakeWorld.classic())
    world.has_workload = True
    for _ in range(3):
        world.tick()
    return world


def _switchover() -> Built:
    world = _working()
    return _watched(world, plan_switchover(world))


def _failover() -> Built:
    world = _working()
    world.kill_side(world.a)
    return _watched(world, plan_failover(world))


def _failover_partly_reachable() -> Built:
    """Two nodes failed at once: the third answers, cannot commit any more, and is fenced."""
    world = passive(FakeWorld.classic())
    for name in ("a1", "a2"):
        world.kill(name)
    world.node("a3").cluster_status, world.node("a3").is_member = "non-Primary", False
    return _watched(world, plan_failover(world))


BUILDS = (_switchover, _failover, _failover_partly_reachable)


def walk(world: FakeWorld, memory: Memory, console: FakeConsole, gateway: FakeGateway, **how: object) -> Walker:
    walker = Walker(world, gateway, memory, console=console, **how)  # type: ignore[arg-type]
    walker.run()
    return walker


def drive(world: FakeWorld, memory: Memory, console: FakeConsole, gateway: FakeGateway) -> None:
    for _ in range(MAX_RESUMES):
        if memory.end is not None:
            return
        walk(world, memory, console, gateway)
    raise AssertionError("the run does not end")


def assert_switched(built: Built, memory: Memory, console: FakeConsole) -> None:
    """b accepts writes alone; the roles turned once; nothing that got across was lost or doubled."""
    world, _, both = built
    assert memory.ended.state == "succeeded", memory.end
    assert console.acts.count(f"active {world.b.id}") == 1
    assert console.active == world.b.id
    assert all(n.takes_writes for n in world.b.nodes if n.is_up)
    assert not any(n.takes_writes for n in world.a.nodes if n.is_up)
    assert both == []
    assert world.second_seen == []
    assert world.b.doubled == []
    if console.divergence is not None:
        assert console.divergence.lost_cluster_id == world.a.id
        assert not any(node.channels for node in world.b.nodes)
    else:
        world.converge()
        assert world.faults() == []


@pytest.mark.parametrize("build", BUILDS)
def test_site_walk__undisturbed__one_side_takes_writes(build: Callable[[], Built]) -> None:
    built = build()
    memory, console = Memory(built[1]), FakeConsole()
    walk(built[0], memory, console, FakeGateway(built[0]))
    assert_switched(built, memory, console)
    assert (console.divergence is None) == (build is _switchover)


@pytest.mark.parametrize("stores", [False, True], ids=["before_storing", "after_storing"])
@pytest.mark.parametrize("build", BUILDS)
def test_site_walk__dies_at_any_transition__successor_reaches_the_same_end(
    build: Callable[[], Built], stores: bool
) -> None:
    world, plan, _ = build()
    transitions = len(walk(world, Memory(plan), FakeConsole(), FakeGateway(world)).seen)
    for at in moments(transitions, BUILDS.index(build) + stores, one_in=3):
        built = build()
        world, plan, _ = built
        memory, console, gateway = Memory(plan), FakeConsole(), FakeGateway(world)
        walk(world, memory, console, gateway, dies_at=at + 1, dies_after_storing=stores)
        drive(world, memory, console, gateway)
        assert_switched(built, memory, console)


@pytest.mark.parametrize("fault", [Fault.DIES_BEFORE, Fault.DIES_AFTER, Fault.LOST_BEFORE, Fault.LOST_AFTER])
@pytest.mark.parametrize("build", BUILDS)
def test_site_walk__a_statement_breaks_off__looked_at_before_it_is_sent_again(
    build: Callable[[], Built], fault: Fault
) -> None:
    world, plan, _ = build()
    whole = FakeGateway(world)
    walk(world, Memory(plan), FakeConsole(), whole)
    for sent in moments(len(whole.sent), BUILDS.index(build) + list(Fault).index(fault), one_in=3):
        built = build()
        world, plan, _ = built
        memory, console, gateway = Memory(plan), FakeConsole(), FakeGateway(world, {sent + 1: fault})
        walk(world, memory, console, gateway)
        drive(world, memory, console, gateway)
        assert_switched(built, memory, console)


@pytest.mark.parametrize("build", BUILDS)
def test_site_walk__abort_at_any_transition__everything_restored_or_carried_to_the_end(
    build: Callable[[], Built],
) -> None:
    world, plan, _ = build()
    transitions = len(walk(world, Memory(plan), FakeConsole(), FakeGateway(world)).seen)
    for at in moments(transitions - 1, BUILDS.index(build), one_in=3):
        built = build()
        world, plan, both = built
        memory, console = Memory(plan), FakeConsole()
        before = {n.name: n.variables["read_only"] for n in world.nodes}
        granted: list[bool] = []

        def ask(_: object, at: int = at, memory: Memory = memory, granted: list[bool] = granted) -> None:
            ask.count += 1  # type: ignore[attr-defined]
            if ask.count == at + 1:  # type: ignore[attr-defined]
                granted.append(memory.request_abort())

        ask.count = 0  # type: ignore[attr-defined]
        walk(world, memory, console, FakeGateway(world), on_transition=ask)
        if granted != [True]:
            assert_switched(built, memory, console)
            continue
        assert memory.ended.state == "aborted"
        assert {n.name: n.variables["read_only"] for n in world.nodes} == before
        assert console.acts == []
        assert both == []


def test_switchover__a_write_gets_through_the_fence__undone_and_the_old_side_takes_writes_again() -> None:
    world, plan, both = _switchover()
    memory, console = Memory(plan), FakeConsole()
    observe = world.on_tick

    def write_through() -> None:
        if all(not n.takes_writes for n in world.a.nodes):
            world.write("a2")  # an account that read_only does not bind
        if observe is not None:
            observe()

    world.on_tick = write_through
    walk(world, memory, console, FakeGateway(world))
    assert memory.ended.state == "failed", memory.end
    assert "of its own despite the fence" in memory.ended.sentence
    assert all(n.takes_writes for n in world.a.nodes)
    assert console.acts == []
    assert both == []


def test_failover__relay_log_not_applied_to_the_end__drained_before_the_other_side_opens() -> None:
    world = passive(FakeWorld.classic())
    world.has_workload, world.backlog = True, 2
    for _ in range(7):
        world.tick()
    world.kill_side(world.a)
    plan = plan_failover(world)
    received = world.node("b1").channels["link1"].pending
    assert received, "nothing is held back: the test would show nothing"
    world.backlog = 0
    memory, console = Memory(plan), FakeConsole()
    walk(world, memory, console, FakeGateway(world))
    assert memory.ended.state == "succeeded", memory.end
    assert {placed.txn.uid for placed in received} <= world.b.uids
    assert console.divergence is not None


def test_switchover__queries_rejected__old_side_answers_again_but_stays_closed() -> None:
    world = passive(FakeWorld.classic())
    plan = sound(plan_switchover(world, rejects_queries=True, may_reject={node.ref.id: True for node in world.a.nodes}))
    codes = [step.code for step in plan.steps]
    assert codes.count("reject_queries") == codes.count("restore_queries") == len(world.a.nodes)
    memory, console = Memory(plan), FakeConsole()
    walk(world, memory, console, FakeGateway(world))
    assert memory.ended.state == "succeeded"
    assert {node.variables["wsrep_reject_queries"] for node in world.a.nodes} == {"NONE"}
    assert not any(node.takes_writes for node in world.a.nodes)


def fenced_node_dies_before_an_abort() -> tuple[FakeWorld, Memory, Walker]:
    """a3, fenced with its neighbours, is down when a person aborts."""
    world, plan, _ = _switchover()
    memory = Memory(plan)

    def kill_and_abort() -> None:
        world.kill("a3")
        assert memory.request_abort()

    watch = at_start_of("verify_caught_up", kill_and_abort)
    return world, memory, walk(world, memory, FakeConsole(), FakeGateway(world), on_transition=watch)


def test_abort__a_fenced_node_is_down__the_others_open_and_only_it_is_left_to_the_operator() -> None:
    world, memory, walker = fenced_node_dies_before_an_abort()
    assert memory.ended.state == "needs_operator"
    assert [n.name for n in world.a.nodes if not n.takes_writes] == ["a3"]
    assert "Restoring a3 failed" in memory.ended.sentence
    assert memory.ended.next_action.startswith("Restore a3 by hand: SET GLOBAL read_only=OFF.")
    assert "a1" not in memory.ended.next_action
    world.restart("a3")
    memory.end = None
    walker.run()
    assert memory.ended.state == "aborted"
    assert all(n.takes_writes for n in world.a.nodes)


def test_abort__the_stopped_channels_node_is_silent__not_called_foreign() -> None:
    """It is not read, which is not the same as that an operator took its channel away."""
    world, plan = situation("move_both").build()
    memory = Memory(plan)

    def kill_and_abort() -> None:
        world.kill("a1")
        assert memory.request_abort()

    Walker(world, FakeGateway(world), memory, on_transition=at_start_of("locate", kill_and_abort)).run()
    assert "Restoring a1 failed: a1 cannot be read now" in memory.ended.sentence
    assert world.node("b1").channels["link1"].is_running
