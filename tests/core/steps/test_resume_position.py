"""An old holder that was dead when the place was proven returns before the statements that rest on it."""

from __future__ import annotations

import pytest

from backend.core.plan import Plan
from backend.core.topology import Direction, Reach
from tests.core.builders.situations import situation
from tests.fakes.driver import Memory, Walker, at_start_of, end_of, run_to_end
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.plans import plan_relocate, sound
from tests.fakes.world import FakeWorld


def apply_and_die(world: FakeWorld, node: str) -> None:
    """It returns, its channel starts automatically and applies what waited, and it is down again."""
    world.restart(node)
    for _ in range(8):
        world.tick()
    world.kill(node)


def first_of(plan: Plan, code: str, direction: Direction) -> int:
    """Number of the statement that step sends, from 1."""
    sending = [s for s in plan.steps if s.sql]
    return 1 + next(i for i, s in enumerate(sending) if s.code == code and s.params["direction"] == direction.value)


@pytest.mark.parametrize("name", ["replica_lost", "gtid_replica_lost"])
@pytest.mark.parametrize("code", ["change_source", "start_channel"])
def test_resume__the_old_holder_applied_more_meanwhile__nothing_is_pointed_or_started(name: str, code: str) -> None:
    world, plan = situation(name).build()
    gateway = FakeGateway(world, {first_of(plan, code, Direction.FORWARD): Fault.REFUSED})
    memory = run_to_end(world, plan, gateway)
    assert end_of(memory)[0] == "needs_operator"
    apply_and_die(world, "b1")
    memory.end = None
    Walker(world, gateway, memory).run()
    world.converge()
    state, sentence = end_of(memory)
    assert state == "needs_operator"
    assert any(
        phrase in sentence for phrase in ("since the position was proven", "when the position was", "is no longer")
    ), sentence
    assert world.b.doubled == []


@pytest.mark.parametrize("code", ["change_source", "start_channel"])
def test_run__the_old_holder_is_back_and_runs__no_second_channel_beside_it(code: str) -> None:
    world, plan = situation("replica_lost").build()
    memory = run_to_end(world, plan, on_transition=at_start_of(code, lambda: world.restart("b1"), Direction.FORWARD))
    world.converge()
    state, sentence = end_of(memory)
    assert state in ("failed", "needs_operator")
    assert "b1 runs the forward channel again" in sentence or "since the position was proven" in sentence, sentence
    assert world.b.doubled == []
    assert world.second_seen == []


@pytest.mark.parametrize("code", ["change_source", "start_channel"])
def test_run__the_old_holder_is_back_and_its_channels_are_not_read__not_taken_for_none(code: str) -> None:
    """The longer questions of a poll may run out of time on a node that answers the first."""
    world, plan = situation("replica_lost").build()

    def back() -> None:
        world.restart("b1")
        world.node("b1").are_channels_readable = False

    memory = run_to_end(world, plan, on_transition=at_start_of(code, back, Direction.FORWARD))
    state, sentence = end_of(memory)
    assert state in ("failed", "needs_operator")
    assert "b1 responds, but its channels cannot be read" in sentence
    world.converge()
    assert world.b.doubled == []


def test_verify__a_nodes_channels_are_not_read__no_second_channel_is_not_claimed() -> None:
    world, plan = situation("move_both").build()

    def hide() -> None:
        world.node("b1").are_channels_readable = False

    memory = run_to_end(world, plan, on_transition=at_start_of("verify", hide))
    state, sentence = end_of(memory)
    assert state == "needs_operator"
    assert "b1 responds, but its channels cannot be read" in sentence


def test_resume__the_old_holder_is_back_and_hangs__nothing_is_started_while_it_counts() -> None:
    world, plan = situation("replica_lost").build()
    gateway = FakeGateway(world, {first_of(plan, "start_channel", Direction.FORWARD): Fault.REFUSED})
    memory = run_to_end(world, plan, gateway)
    world.restart("b1")
    world.kill("b1", reach=Reach.HUNG, is_expelled=False)
    memory.end = None
    Walker(world, gateway, memory).run()
    state, sentence = end_of(memory)
    assert state == "needs_operator"
    assert "b1 is not responding and is still a member of cluster-b" in sentence
    assert not world.node("b2").channels["link1"].is_running


def test_run__a_bystander_falls_silent_before_the_start__waits_until_it_is_expelled() -> None:
    world, plan = situation("replica_lost").build()

    def silent() -> None:
        world.kill("b3", reach=Reach.HUNG, is_expelled=False)
        world.on_tick = expel

    def expel() -> None:
        if world.node("b3").is_member and world.clock.now_s() > until:
            world.kill("b3", reach=Reach.HUNG)

    until = world.clock.now_s() + 4.0
    memory = run_to_end(world, plan, on_transition=at_start_of("start_channel", silent, Direction.FORWARD))
    state, sentence = end_of(memory)
    assert state == "succeeded", sentence


def test_clean__its_channel_was_pointed_elsewhere__is_not_called_removed() -> None:
    world, plan = situation("move_both").build()

    def repoint() -> None:
        del world.node("b1").channels["link1"]
        world.connect("a3", "b1")

    memory = run_to_end(world, plan, on_transition=at_start_of("reset_channel", repoint, Direction.FORWARD))
    state, sentence = end_of(memory)
    assert state != "succeeded"
    assert "another source" in sentence
    assert "link1" not in world.node("b3").channels


def alike() -> tuple[FakeWorld, Memory]:
    """Identical statements: the old holder returned between plan and run, applied more of them, and failed again."""
    world = FakeWorld.classic()
    world.write_times(12, "a1", "UPDATE counters SET n = n + 1", ticks=True)
    world.kill("b1")
    world.write_times(4, "a1", "UPDATE counters SET n = n + 1")
    plan = sound(plan_relocate(world))
    apply_and_die(world, "b1")
    memory = run_to_end(world, plan)
    world.converge()
    return world, memory


def test_locate__the_last_groups_only_look_alike__is_not_the_planned_place() -> None:
    world, memory = alike()
    state, sentence = end_of(memory)
    assert world.b.doubled == []
    assert state == "failed"
    assert "the plan showed" in sentence, sentence
