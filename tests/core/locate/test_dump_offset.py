"""Positions beyond 4 GiB: told as the beginning of the next file, or refused; a replica asks modulo 2^32."""

from __future__ import annotations

import pytest

from backend.core.locate.model import Located
from backend.core.positions import FilePosition
from tests.core.builders.worlds import ask, forward, huge_last
from tests.fakes.world import FakeWorld


def moved_off(world: FakeWorld) -> Located:
    """The forward answer once the source is lost."""
    world.tick()
    world.kill("a1")
    return forward(ask(world, "a2", "b1"))


def test_located__end_of_a_file_past_4_gib__beginning_of_the_next() -> None:
    world = huge_last()
    log = world.node("a2").log
    assert log.end.offset > 2**32
    log.rotate()
    located = moved_off(world)
    assert located.is_proven, located.reasons
    assert located.position == FilePosition(log.end.file, 4)
    assert located.seam_groups[-1].end_position.offset > 2**32


def test_located__more_follows_past_4_gib__refused_by_name() -> None:
    """A group commit may put a small transaction behind it before the file is closed."""
    world = huge_last()
    world.tick()
    world.write("a3")
    world.node("a2").log.rotate()
    world.kill("a1")
    located = forward(ask(world, "a2", "b1"))
    assert not located.is_proven
    assert located.facts["code"] == "position_beyond_4_gib"
    assert "another transaction follows" in located.reasons[0]


def test_located__file_past_4_gib_still_written__refused_with_the_statement_that_closes_it() -> None:
    located = moved_off(huge_last())
    assert not located.is_proven
    assert located.facts["code"] == "position_beyond_4_gib"
    assert "FLUSH BINARY LOGS on a2" in located.facts["remedy"]


@pytest.mark.parametrize("following", [1, 9])
def test_located__behind_the_huge_one_in_the_next_file__proven_across_it(following: int) -> None:
    world = huge_last()
    for node in world.nodes:
        node.log.rotate()
    world.write_times(following, "a3")
    located = moved_off(world)
    assert located.is_proven, located.reasons
    assert located.position == world.node("a2").log.end
