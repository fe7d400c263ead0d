"""What a start is judged by: what happens after it, never an error that the channel showed before."""

from __future__ import annotations

import pytest

from backend.core.topology import Direction
from tests.core.builders.situations import situation
from tests.fakes.channel import FakeChannel
from tests.fakes.driver import Memory, Walker, at_start_of, end_of
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld

SITUATIONS = ["move_both", "gtid_move_both"]


def _channel(world: FakeWorld, memory: Memory) -> FakeChannel:
    step = next(s for s in memory.plan.steps if s.code == "start_channel" and s.params["direction"] == "forward")
    return next(n for n in world.nodes if n.ref.id == step.node_id).channels["link1"]


def _walk(name: str, *, moves_on: bool) -> tuple[FakeWorld, Memory, FakeGateway]:
    """A run in which the new channel shows an error as its start begins; where it did, it had applied something."""
    world, plan = situation(name).build()
    memory, gateway = Memory(plan), FakeGateway(world)

    def fail() -> None:
        channel = _channel(world, memory)
        if moves_on:
            channel.start_from_gtid()
            channel.io = channel.sql = "Yes"
            world.tick()
        channel.io = channel.sql = "No"
        channel.sql_errno, channel.sql_error = 1062, "Duplicate entry '1' for key 'PRIMARY'"

    act = at_start_of("start_channel", fail, Direction.FORWARD)
    Walker(world, gateway, memory, on_transition=act).run()
    return world, memory, gateway


def ends_started(name: str) -> bool:
    """Whether a channel that shows an error of before is started, and the run succeeds; nothing doubled."""
    world, memory, _ = _walk(name, moves_on=False)
    world.converge()
    return end_of(memory)[0] == "succeeded" and _channel(world, memory).sql_errno == 0 and world.b.doubled == []


@pytest.mark.parametrize("name", SITUATIONS)
def test_start__an_error_of_before_shows_at_the_proven_position__it_is_started(name: str) -> None:
    assert ends_started(name)


@pytest.mark.parametrize("name", SITUATIONS)
def test_start__it_ran_on_into_an_error__is_not_started_again_and_the_error_is_named(name: str) -> None:
    world, memory, gateway = _walk(name, moves_on=True)
    state, sentence = end_of(memory)
    assert state == "needs_operator", sentence
    assert "Duplicate entry" in sentence
    replica = next(n.ref for n in world.nodes if _channel(world, memory) in n.channels.values())
    started = [node for node, sql in gateway.sent if sql.startswith("START SLAVE")]
    assert not {replica.name, replica.id} & set(started)
    assert len(started) == 1
