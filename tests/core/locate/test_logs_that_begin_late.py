"""Nodes that joined by a full state transfer: their logs begin with an empty Gtid_list, and after what others logged.

The console first sees the channel when it is behind already, so that no sample is at or before its place.
"""

from __future__ import annotations

import pytest

from backend.core.facts.origins import BINLOG_STATE
from tests.core.builders.worlds import ask, forward
from tests.fakes.plans import plan_relocate
from tests.fakes.world import FakeWorld

LOST = [(), ("b1",), ("a1", "b1")]


def joined_late(*lost: str, applied: int = 3) -> FakeWorld:
    """Five transactions are pending on b1; a2 has them in its data and not in its log."""
    world = FakeWorld().connect_both_ways()
    world.write_times(applied, "a1", ticks=True)
    world.node("b1").channels["link1"].sql = "No"
    world.write_times(5, "a1", ticks=True)
    for name in ("a2", "b2"):
        world.reset_log(name)
    world.write_times(12, "b2", ticks=True, remembers=True)
    for name in lost:
        world.kill(name)
    return world


@pytest.mark.parametrize("applied", [0, 3])
@pytest.mark.parametrize("lost", LOST)
def test_locate__both_logs_begin_after_what_is_pending__refused(lost: tuple[str, ...], applied: int) -> None:
    located = forward(ask(joined_late(*lost, applied=applied), "a2", "b2"))
    assert not located.is_proven
    assert any("Their logs began later" in reason for reason in located.reasons)


@pytest.mark.parametrize("lost", LOST)
def test_plan__both_logs_begin_after_what_is_pending__refused(lost: tuple[str, ...]) -> None:
    assert plan_relocate(joined_late(*lost), "a2", "b2").is_refused


def test_plan__nobody_chose_the_nodes__moves_to_one_whose_log_has_what_is_pending() -> None:
    plan = plan_relocate(joined_late("b1"))
    assert not plan.is_refused
    assert "a1 ⇄ b3" in plan.summary


@pytest.mark.parametrize("told", [True, False])
def test_locate__nothing_ever_written__proven_only_where_every_node_tells_what_stands_in_its_log(told: bool) -> None:
    world = FakeWorld().connect_both_ways()
    world.write_times(3, "b2", ticks=True)
    if not told:
        world.node("a3").variables[BINLOG_STATE] = None
    assert forward(ask(world, "a2", "b2")).is_proven is told
