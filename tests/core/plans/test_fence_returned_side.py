"""A lost side returns writable: its nodes are fenced, once per start, and only by the word of the failover."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from backend.core.plan import Plan
from backend.core.plans import failover
from backend.core.returned_nodes import FenceRecord, nodes_to_fence, returned_nodes
from tests.core.builders.lost_sides import failed_over, run_fence
from tests.fakes.driver import Memory, at_start_of
from tests.fakes.plans import sound
from tests.fakes.sites import passive, plan_failover, plan_fence_returned
from tests.fakes.world import FakeWorld


def returned(*names: str, writes: int = 3) -> FakeWorld:
    """These nodes of the lost side are back, as they start, and clients write there."""
    world = failed_over()
    for name in names or ("a1",):
        world.start_server(name)
    for _ in range(writes):
        world.write((names or ("a1",))[0])
    return world


def fence_plan(world: FakeWorld) -> Plan:
    """The plan for what returned; there is something to fence."""
    plan = plan_fence_returned(world)
    assert plan is not None
    return plan


def test_failover__as_it_is__says_that_the_lost_side_is_fenced_in_digest_and_summary() -> None:
    world = passive(FakeWorld.classic())
    world.kill_side(world.a)
    plan, without = plan_failover(world), plan_failover(world, options={"fence_on_return": False})
    assert "a is invalidated and fenced when it returns" in plan.summary
    assert "lost_side_fenced_on_return" in {f.code for f in plan.findings}
    assert "lost_side_not_fenced_on_return" in {f.code for f in without.findings}
    assert plan.digest != without.digest
    assert [step.to_json() for step in without.steps] != [step.to_json() for step in plan.steps], "a step carries it"
    assert failover.FENCE_ON_RETURN == "fence_on_return"


def test_returned_node__writable__closed_its_channel_stopped_its_writes_counted() -> None:
    world = returned("a1")
    plan = sound(fence_plan(world))
    assert [s.code for s in plan.steps] == [
        "recheck", "fence", "stop_channel", "verify_fence", "count_returned_writes",
    ]  # fmt: skip
    assert not any(step.undo or step.point_of_no_return for step in plan.steps)
    memory = Memory(plan)
    gateway = run_fence(world, memory)
    assert memory.ended.state == "succeeded", memory.ended
    assert [sql for _, sql in gateway.sent] == ["SET GLOBAL read_only=ON", "STOP SLAVE 'link1'"]
    assert not world.node("a1").takes_writes
    assert not world.node("a1").channels["link1"].is_running
    assert memory.done[4]["writes"] == 3


def test_returned_node__a_later_one__fenced_too_and_all_that_the_side_wrote_counted() -> None:
    world = returned("a1")
    memory = Memory(fence_plan(world))

    def another_comes() -> None:
        world.start_server("a2")
        world.write("a2")

    run_fence(world, memory, on_transition=at_start_of("verify_fence", another_comes))
    assert memory.ended.state == "succeeded", memory.ended
    assert memory.done[3]["still_open"] == ["a2"]
    assert memory.done[4] == {"writes": None, "reason": "a2 is not fenced"}, "a2 does not wait until a1's log is read"
    started_s = {one.facts.node.id: one.started_at_s for one in returned_nodes(world.facts())}
    a1 = world.node("a1").ref.id
    second = plan_fence_returned(world, {a1: FenceRecord(started_s[a1], is_closed=True)})
    assert second is not None
    assert {s.node for s in second.steps if s.code == "fence"} == {"a2"}
    second_run = Memory(second)
    run_fence(world, second_run)
    assert second_run.ended.state == "succeeded", second_run.ended
    assert not any(node.takes_writes for node in world.a.nodes if node.is_up)
    assert second_run.done[max(second_run.done)]["writes"] == 4


def test_returned_node__opened_again_after_its_fence__left_alone_until_it_starts_anew() -> None:
    world = returned("a1")
    one = returned_nodes(world.facts())[0]
    known = {one.facts.node.id: FenceRecord(one.started_at_s, is_closed=True)}
    assert plan_fence_returned(world, known) is None
    world.clock.time_s += 30
    assert plan_fence_returned(world, known) is None
    world.kill("a1")
    world.clock.time_s += 30
    world.start_server("a1")
    assert plan_fence_returned(world, known) is not None


def test_returned_node__start_not_told__fenced_once() -> None:
    world = returned("a1")
    link = world.facts()
    (one,) = returned_nodes(link)
    silent = replace(one, started_at_s=None)
    assert nodes_to_fence([silent], {}, 0.0) == [silent]
    known = {one.facts.node.id: FenceRecord(None, is_closed=True)}
    assert nodes_to_fence([silent], known, 0.0) == []


def test_returned_node__a_try_failed__tried_again_later_and_later() -> None:
    world = returned("a1")
    (one,) = returned_nodes(world.facts())
    node_id = one.facts.node.id

    def is_due(attempts: int, after_s: float) -> bool:
        tried = FenceRecord(one.started_at_s, attempts=attempts, tried_at_s=100.0)
        return bool(nodes_to_fence([one], {node_id: tried}, 100.0 + after_s))

    assert not is_due(1, 0.5)
    assert is_due(1, 1.0)
    assert not is_due(4, 7.0)
    assert is_due(4, 8.0)
    assert is_due(30, 60.0)
    assert is_due(4, -5.0), "a clock that was set back holds nothing up"


def test_returned_node__closed_and_applying_nothing__needs_no_run() -> None:
    world = failed_over()
    world.node("a1").read_only_in_file = "ON"
    world.start_server("a1")
    assert plan_fence_returned(world) is not None, "its channel runs"
    for channel in world.node("a1").channels.values():
        channel.io = channel.sql = "No"
    assert plan_fence_returned(world) is None


@pytest.mark.parametrize("why", ["not_said", "reconciled", "never_lost", "roles_changed"])
def test_returned_node__not_of_an_invalidated_side__left_alone(why: str) -> None:
    world = failed_over(fences=why != "not_said")
    world.start_server("a1")
    assert world.divergence is not None
    if why == "reconciled":
        world.divergence = replace(world.divergence, is_reconciled=True)
    if why == "never_lost":
        world.divergence = None
    if why == "roles_changed":
        world.turn(world.a.id)
    assert plan_fence_returned(world) is None


def test_fence_run__the_side_was_reconciled_meanwhile__sends_nothing() -> None:
    world = returned("a1")
    plan = fence_plan(world)
    assert world.divergence is not None
    world.divergence = replace(world.divergence, is_reconciled=True)
    memory = Memory(plan)
    gateway = run_fence(world, memory)
    assert memory.ended.state == "failed"
    assert gateway.sent == []
    assert "is_reconciled" in memory.ended.sentence


def test_fence_run__another_node_comes_back_first__goes_on() -> None:
    world = returned("a1")
    plan = fence_plan(world)
    world.node("a2").read_only_in_file = "ON"
    world.start_server("a2")
    memory = Memory(plan)
    run_fence(world, memory)
    assert memory.ended.state == "succeeded", memory.ended


def failed_fence(world: FakeWorld, act: Callable[[], object]) -> str:
    """What a run says that fails since this happens as the proof of its fence begins."""
    memory = Memory(fence_plan(world))
    run_fence(world, memory, on_transition=at_start_of("verify_fence", act))
    assert memory.ended.state == "failed"
    return memory.ended.sentence


def test_fence_run__somebody_opens_the_node_before_it_is_proven__not_taken_for_fenced() -> None:
    world = returned("a1")
    opened = {"read_only": "OFF"}
    assert "not refused by the fence" in failed_fence(world, lambda: world.node("a1").variables.update(opened))


def test_fence_run__the_node_is_gone_again__not_taken_for_fenced() -> None:
    world = returned("a1")
    assert "is no longer responding" in failed_fence(world, lambda: world.kill("a1"))


def test_fence_run__worker_dies_at_any_transition__the_successor_fences() -> None:
    at = 0
    while True:
        at += 1
        world = returned("a1")
        memory = Memory(fence_plan(world))
        run_fence(world, memory, dies_at=at, dies_after_storing=bool(at % 2))
        if memory.end is not None:
            break
        run_fence(world, memory)
        assert memory.ended.state == "succeeded", (at, memory.ended)
        assert not world.node("a1").takes_writes
    assert at > 10


def test_count__log_cannot_be_read__the_fence_stands_all_the_same() -> None:
    world = returned("a1")
    plan = fence_plan(world)
    count = plan.steps[-1]
    steps = (*plan.steps[:-1], replace(count, params={**count.params, "begins": []}))
    memory = Memory(replace(plan, steps=steps))
    run_fence(world, memory)
    assert memory.ended.state == "succeeded"
    assert memory.done[4]["writes"] is None


def test_node__does_not_say_whether_it_is_read_only__named_and_the_others_fenced() -> None:
    world = returned("a1", "a2")
    del world.node("a2").variables["read_only"]
    plan = fence_plan(world)
    assert {s.node for s in plan.steps if s.code == "fence"} == {"a1"}
