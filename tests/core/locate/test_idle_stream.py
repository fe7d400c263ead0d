"""Where nothing of the stream was written for long, the place is a stretch, not a point."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.plan import Plan
from backend.core.plans import relocate
from backend.core.positions import FilePosition
from backend.core.topology import Direction, NodeFacts
from tests.core.builders.link_facts import relocate_findings
from tests.core.builders.worlds import ask
from tests.fakes.cluster import FakeCluster, FakeNode
from tests.fakes.driver import end_of, run_to_end
from tests.fakes.plans import context_of, plan_relocate, sound
from tests.fakes.world import USERS, FakeWorld


def idle_world() -> FakeWorld:
    """The standby wrote two groups long ago; since then only the other direction did. a1 is down."""
    world = FakeWorld.classic()
    world.write_times(2, "b1", ticks=True)
    world.write_times(6, "a1", ticks=True)
    world.kill("a1")
    return world


def reverse_position(world: FakeWorld) -> FilePosition:
    """The reverse position on b2."""
    found = next(located.position for asked, located in ask(world, "a2", "b2") if asked.direction is Direction.REVERSE)
    assert found is not None
    return found


def planned_at(world: FakeWorld, position: FilePosition) -> Plan:
    """The plan, with the reverse position found there, as by a sample."""
    ctx = context_of(world, "a2", "b2")
    answers = [located for _, located in ask(world, "a2", "b2")]
    moved = [
        replace(one, position=position, applied=(), source_groups=()) if one.direction is Direction.REVERSE else one
        for one in answers
    ]
    plan = sound(relocate.decide(ctx, relocate_findings(ctx), moved, replication_users=USERS, options={}))
    assert any(f"MASTER_LOG_POS={position.offset}" in sql for step in plan.steps for sql in step.sql)
    return plan


@pytest.mark.parametrize("at", range(6))
def test_run__planned_elsewhere_in_a_stretch_without_the_stream__goes_on(at: int) -> None:
    world = idle_world()
    log = [p for p in world.node("b2").log.placed if reverse_position(world) <= p.start]
    state, sentence = end_of(run_to_end(world, planned_at(world, log[at].end)))
    assert state == "succeeded", sentence
    world.converge()
    assert world.faults() == []


def test_run__planned_before_a_group_that_was_applied__stops() -> None:
    world = idle_world()
    last = next(p for p in world.node("b2").log.placed if p.end == reverse_position(world))
    state, sentence = end_of(run_to_end(world, planned_at(world, last.start)))
    assert state == "failed"
    assert "the plan showed" in sentence


def test_run__planned_behind_a_group_that_was_not_applied__stops() -> None:
    world = idle_world()
    world.write("b2")
    state, sentence = end_of(run_to_end(world, planned_at(world, world.node("b2").log.end)))
    assert state == "failed"
    assert "the plan showed" in sentence


def test_run__planned_where_the_log_does_not_reach__stops() -> None:
    world = idle_world()
    end = world.node("b2").log.end
    state, sentence = end_of(run_to_end(world, planned_at(world, replace(end, offset=end.offset + 4_000))))
    assert state == "failed"
    assert "the plan showed" in sentence


def passive_world() -> FakeWorld:
    """The standby wrote nothing for longer than is compared; the samples tell of the quiet. a1 has stopped."""
    world = FakeWorld.classic()
    for number in range(260):
        world.write("a1")
        world.tick()
        if number % 10 == 0:
            world.remember()
    world.remember()
    still = world.node("a1").channels["link1"]
    still.io = still.sql = "No"
    return world


def test_run__a_still_channel_of_a_passive_side_while_writes_go_on__goes_on() -> None:
    """Its place is anywhere behind the sample: the end of a log that goes on is another one in the run."""
    world = passive_world()
    world.write_times(3, "a2", remembers=True)
    plan = sound(plan_relocate(world, "a2", "b2"))
    world.write_times(2, "a2", remembers=True)
    state, sentence = end_of(run_to_end(world, plan))
    assert state == "succeeded", sentence
    world.converge()
    assert world.faults() == []


def test_run__a_still_channel_of_a_passive_side_that_wrote_since__stops() -> None:
    world = passive_world()
    world.remember()
    plan = sound(plan_relocate(world, "a2", "b2"))
    world.write("b2")
    world.write("a2")
    world.tick()
    run_to_end(world, plan)
    world.converge()
    assert world.faults() == []


def test_run__where_the_receiving_log_ends_is_not_read__stops_while_there_is_a_way_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing was received to compare: what comes later is read from there."""
    world = passive_world()
    plan = plan_relocate(world, "a2", "b2")
    poll = FakeCluster.facts_of

    def unread(cluster: FakeCluster, node: FakeNode, now_s: float) -> NodeFacts:
        facts = poll(cluster, node, now_s)
        return replace(facts, binlog=None) if node.name == "a2" else facts

    monkeypatch.setattr(FakeCluster, "facts_of", unread)
    state, sentence = end_of(run_to_end(world, plan))
    assert state == "failed"
    assert "was not read" in sentence
