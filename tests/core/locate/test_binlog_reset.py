"""Logs that are reset, and logs written without checksums: what they may and may not prove."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.locate.evidence import SeqnoClue
from backend.core.positions import FilePosition
from backend.core.topology import Direction
from tests.core.builders.worlds import ask, forward, forward_search, still, wrong
from tests.fakes.world import FakeWorld


def _world(*, samples: bool) -> FakeWorld:
    world = FakeWorld().connect_both_ways()
    world.write_times(4, "a1", ticks=True)
    if samples:
        world.remember()
    return world


def test_locate__receiving_log_was_reset_and_the_source_wrote__refused_not_begun_again() -> None:
    world = _world(samples=False)
    world.node("b2").log.reset()
    world.kill("b1")
    located = forward(ask(world, "a1", "b2"))
    assert not located.is_proven
    assert any("reset" in reason for reason in located.reasons), located.reasons


def test_locate__both_logs_were_reset_since_they_were_sampled__refused() -> None:
    world = _world(samples=True)
    world.backlog = 1
    world.write("a1")
    world.tick()
    for name in ("a2", "b2"):
        world.node(name).log.reset()
    world.kill("b1")
    world.recorded.clear()
    assert not forward(ask(world, "a2", "b2")).is_proven


def test_locate__log_reset_and_state_uuid_new__refused_though_nothing_was_sampled_since() -> None:
    """What the journal knows of the node before counts, though it was of another incarnation."""
    world = FakeWorld()
    world.connect("a1", "b1")
    world.connect("b1", "a1", is_running=False)
    world.write("b1")
    world.remember()
    world.node("b1").log.reset()
    world.b.uuid = world.b.recorded_uuid = "99999999-0000-0000-0000-000000000001"
    reverse = next(located for q, located in ask(world, "a1", "b1") if q.direction is Direction.REVERSE)
    assert not reverse.is_proven


def test_locate__one_side_writes_no_checksums__the_same_place_is_proven() -> None:
    world = FakeWorld()
    for node in world.b.nodes:
        node.log.dress = node.log.dress.__class__(table_id=node.log.dress.table_id, has_checksums=False)
    world.with_history()
    world.kill("b1")
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven, located.reasons
    assert isinstance(located.position, FilePosition)
    assert wrong(world, located) is None


@pytest.mark.parametrize("waits", [False, True], ids=["in the log it knows", "in the log before"])
def test_search__position_of_a_log_that_was_reset__the_journal_knows_neither_bound_nor_seqno(
    waits: bool,
) -> None:
    """In the new log another group may end at that very place, and what stands behind it was never applied."""
    world = FakeWorld.classic()
    world.write("a1")
    world.tick()
    world.remember()
    still(world)
    for channel in world.node("b1").channels.values():
        channel.relay.events.clear()
    world.recorded = [replace(one, waits_for_position=waits) for one in world.recorded]
    search = forward_search(world)
    assert (search.lower_bound is None) == waits
    assert isinstance(search.seqno_clue, SeqnoClue) != waits
