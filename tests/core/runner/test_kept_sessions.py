"""Changing sessions that a walk keeps: one a node, none that may be dead, and none of another server."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from backend.core.runner import Outcome, Transition
from tests.core.builders.situations import situation
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway, FakeWriter, Fault


@dataclass(slots=True)
class Counting(FakeGateway):
    """Keeps the node of every session that was opened."""

    opened: list[str] = field(default_factory=list)

    def writer(self, node_id: str) -> FakeWriter:
        """Counted."""
        self.opened.append(node_id)
        return FakeGateway.writer(self, node_id)


def test_walk__move_of_both__one_session_a_node_and_none_left_open() -> None:
    world, plan = situation("move_both").build()
    gateway, memory = Counting(world), Memory(plan)
    Walker(world, gateway, memory).run()
    assert memory.ended.state == "succeeded"
    assert sorted(gateway.opened) == sorted({step.node_id for step in plan.steps if step.sql and step.node_id})
    assert len(gateway.sent) > len(gateway.opened)
    assert gateway.sessions == {}


def test_walk__kept_session_was_ended_by_the_server__a_new_one_and_the_same_end() -> None:
    world, plan = situation("move_both").build()
    gateway, memory = Counting(world, cut={4}), Memory(plan)
    Walker(world, gateway, memory).run()
    assert memory.ended.state == "succeeded"
    assert len(gateway.opened) == len(set(gateway.opened)) + 1


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LATE])
def test_walk__unknown_outcome__its_session_is_ended_and_never_used_again(fault: Fault) -> None:
    world, plan = situation("move_both").build()
    gateway, memory = Counting(world, faults={2: fault}), Memory(plan)
    Walker(world, gateway, memory).run()
    lost = memory.statements[1]
    assert lost.connection_id in gateway.killed
    following = [one.connection_id for one in memory.statements[2:] if one.node_id == lost.node_id]
    assert following
    assert lost.connection_id not in following


def test_walk__another_server_behind_a_kept_session__nothing_more_is_sent_to_it() -> None:
    world, plan = situation("move_both").build()
    gateway, memory = Counting(world), Memory(plan)

    def replace_server(transition: Transition) -> None:
        if isinstance(transition, Outcome):
            for node in world.nodes:
                node.who["datadir"] = "/another/"

    Walker(world, gateway, memory, on_transition=replace_server).run()
    first = next(step for step in plan.steps if step.sql)
    assert [node for node, _ in gateway.sent] == [first.node]
    assert memory.ended.state == "needs_operator"
