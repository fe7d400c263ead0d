"""When a channel is pointed although it stands at the proven position already."""

from __future__ import annotations

import pytest

from backend.core.topology import Direction
from tests.core.builders.situations import situation
from tests.fakes.driver import Memory, Walker, at_start_of, end_of
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import plan_relocate, sound
from tests.fakes.world import FakeWorld


def pointed(sql_errno: int) -> list[str]:
    """What was sent to point a channel that stood in place with that error as its step began; the run succeeded."""
    world, plan = situation("all_stopped").build()
    memory, gateway = Memory(plan), FakeGateway(world)
    channel = world.node("b1").channels["link1"]

    def show_error() -> None:
        channel.sql_errno, channel.sql_error = sql_errno, "Relay log read failure" if sql_errno else ""

    act = at_start_of("change_source", show_error, Direction.FORWARD)
    Walker(world, gateway, memory, on_transition=act).run()
    assert end_of(memory)[0] == "succeeded"
    assert world.node("b1").channels["link1"].sql_errno == 0
    return [sql for node, sql in gateway.sent if node == "b1" and sql.startswith("CHANGE MASTER")]


@pytest.mark.parametrize("sql_errno", [1594, 1062])
def test_change_source__stands_there_on_an_error__pointed_anew_with_an_empty_relay_log(sql_errno: int) -> None:
    assert len(pointed(sql_errno)) == 1


def test_change_source__stands_there_in_order__nothing_is_sent() -> None:
    assert pointed(0) == []


def test_change_source__filter_of_the_name_alone_shows_once_the_channel_stands__not_started_with_it() -> None:
    """It survives RESET SLAVE ALL, and no variable tells it while the node has no such channel."""
    world = FakeWorld.classic()
    world.node("b2").unseen_filters["Replicate_Ignore_DB"] = "app2"
    plan = sound(plan_relocate(world, "a1", "b2"))
    memory = Memory(plan)
    Walker(world, FakeGateway(world), memory).run()
    state, outcome = end_of(memory)
    assert state == "needs_operator"
    assert "'Replicate_Ignore_DB': {'planned': '', 'seen': 'app2'}" in outcome
    assert not world.node("b2").channels["link1"].is_running
