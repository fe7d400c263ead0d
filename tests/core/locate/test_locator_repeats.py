"""The locator where statements repeat: what looks alike names no place, unless something else does."""

from __future__ import annotations

import pytest

from tests.core.builders.worlds import REPEATED, both, still
from tests.fakes.world import FakeWorld


def test_locate__identical_statements_sampled_to_the_last__only_the_place_not_before_the_sample_counts() -> None:
    """Earlier copies lie behind what is known to be applied: they make nothing ambiguous."""
    world = FakeWorld()
    world.node("a1").gtid_seq = 3
    world.connect_both_ways()
    world.write_times(560, "a1", REPEATED[0], ticks=True)
    world.remember()
    receiving = world.node("b2").ref.id
    world.journal.samples = [s for s in world.journal.samples if s.node_id != receiving]
    world.kill("b1")
    located, _ = both(world, "a2", "b2")
    assert located.is_proven, located.reasons


@pytest.mark.parametrize("shift", [0, 1, 3, 5])
def test_locate__only_identical_statements_and_nodes_numbering_apart__refused(shift: int) -> None:
    world = FakeWorld()
    world.node("a1").gtid_seq = shift
    world.connect_both_ways()
    world.write_times(30, "a1", REPEATED[0])
    world.tick()
    world.kill("b1")
    world.write_times(20, "a1", REPEATED[0])
    located, _ = both(world, "a2", "b2")
    assert not located.is_proven
    assert located.reasons


@pytest.mark.parametrize("is_behind", [False, True])
def test_locate__identical_statements_but_the_relay_log_at_hand__proven_unless_it_may_lie_behind(
    is_behind: bool,
) -> None:
    """The last eight groups look alike wherever one stands: a record from before a crash would be believed."""
    world = FakeWorld().connect_both_ways()
    world.write_times(20, "a1", REPEATED[0])
    world.tick()
    world.remember()
    world.write("a1", REPEATED[0])
    world.tick()
    if is_behind:
        world.crash("b1", 1, starts=False)
    still(world)
    world.write_times(5, "a1", REPEATED[0])
    located, _ = both(world, "a2", "b2")
    assert located.is_proven is not is_behind


def test_locate__same_statement_again_behind_the_sample__not_taken_for_the_applied_one() -> None:
    world = FakeWorld().connect_both_ways()
    world.write("a1", REPEATED[0])
    world.tick()
    world.remember()
    world.write("a1", REPEATED[0])
    both(world, "a1", "b1")
    both(world, "a2", "b2")


def test_locate__repeats_since_the_sample__more_groups_read_on_both_sides_until_they_differ() -> None:
    """A heartbeat alone since the sample: the last eight groups look alike, the 32 before hold what does not."""
    world = FakeWorld()
    world.node("a1").gtid_seq = 3
    world.connect_both_ways()
    for number in range(40):
        world.write("a1", f"INSERT INTO bank.t{number} VALUES ({number})")
        world.tick()
        world.remember()
    world.write_times(14, "a1", REPEATED[0], ticks=True)
    world.kill("b1")
    located, _ = both(world, "a2", "b2")
    assert located.is_proven, located.reasons
