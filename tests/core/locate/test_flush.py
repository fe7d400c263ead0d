"""A FLUSH that one node logs alone changes nothing: no position depends on it (docs/evidence/measured-facts.md)."""

from __future__ import annotations

import pytest

from tests.core.builders.worlds import ask, forward
from tests.fakes.world import FakeWorld

FLUSH = "FLUSH SSL"


@pytest.mark.parametrize("written_since", [0, 3])
def test_locate__source_logged_a_flush_alone_and_is_lost__proven(written_since: int) -> None:
    world = FakeWorld().connect_both_ways()
    world.write_times(12, "a3", remembers=True)
    world.write_local("a1", FLUSH, kind="ddl")
    world.write_times(written_since, "a3", ticks=True)
    world.tick()
    world.kill("a1")
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven, located.reasons
    assert located.next_groups == ()


def test_locate__flush_of_the_source_and_a_statement_of_all__the_statement_is_not_taken_for_it() -> None:
    world = FakeWorld().connect_both_ways()
    world.write_times(12, "a3", remembers=True)
    world.write_local("a1", FLUSH, kind="ddl")
    world.tick()
    world.kill("a1")
    world.write("a2", "TRUNCATE shop.orders", kind="ddl")
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven, located.reasons
    assert [group.statement for group in located.next_groups] == ["TRUNCATE shop.orders"]
