"""The locator where the receiving side got groups in another order than the new source logged them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.locate.search_inputs import tail_starts
from tests.core.builders.worlds import REPEATED, both, stall, still
from tests.fakes.monitor import sample
from tests.fakes.world import FakeWorld


def watched(world: FakeWorld, seconds: int, *, sees: str) -> None:
    """The monitor looks on; of b's nodes it gets no number that is sure, for their logs move as they are read."""
    for _ in range(seconds):
        count = len(world.journal.samples)
        world.remember()
        new = world.journal.samples[count:]
        world.journal.samples[count:] = [s for s in new if s.node_id in {world.node(n).ref.id for n in sees.split()}]


def out_of_order(quiet_s: int) -> FakeWorld:
    """b2 wrote for itself, then b1 for all; a had the latter before a returned node's channel brought it the former."""
    world = FakeWorld.classic()
    own = world.write_local("b2")
    world.write("b1")
    world.write("a1")
    world.tick()
    watched(world, 5, sees="a1 a2 a3")
    world.a.commit(own, world.node("b2").log.placed[-3].gtid)
    watched(world, quiet_s, sees="a2 a3")
    for name in ("a1", "b1"):
        world.kill(name)
    return still(world)


@pytest.mark.parametrize("quiet_s", [2, 60], ids=["just-now", "a-minute-ago"])
def test_locate__a_nodes_own_write_came_by_its_old_channel_last__refused(quiet_s: int) -> None:
    """All that came since the channel was last seen is b2's own write, which b2 logged first: to resume behind it would
    send the other again. Found by the simulation.
    """
    _, reverse = both(out_of_order(quiet_s), "a2", "b2")
    assert not reverse.is_proven


def replayed_late() -> FakeWorld:
    """A person let b1's channel pass over one of many that are alike, and brought it in later, out of a binlog."""
    world = FakeWorld.classic(has_gtid_mode=True)
    world.write_times(8, "a1", REPEATED[0])
    world.tick()
    passed, gtid = world.write("a1", REPEATED[0]), world.a.history[-1].gtid
    world.node("b1").channels["link1"].skips.add(passed.uid)
    world.write("a1", REPEATED[0])
    world.tick()
    world.b.commit(passed, gtid)
    return world


def test_locate__alike_and_one_brought_in_late__refused() -> None:
    """Its cluster-wide number names a position, and what ends there looks the same: to resume behind it would send the
    one after it again. Found by the oracle of positions.
    """
    first, _ = both(replayed_late(), "a2", "b2")
    assert not first.is_proven
    assert "binlog has another order" in " ".join(first.reasons)


def jumped(*, is_sampled: bool) -> FakeWorld:
    """A person brought in the last of three groups, the first two of which still wait behind a channel that was cut."""
    world = FakeWorld(has_gtid_mode=True).connect_both_ways()
    if is_sampled:
        world.remember()
    world.node("b1").channels["link1"].io = "No"
    for _ in range(3):
        last = world.write("a1")
    world.b.commit(last, world.a.history[-1].gtid)
    return world


@pytest.mark.parametrize("is_sampled", [False, True])
def test_locate__one_brought_in_past_others_that_wait__refused(is_sampled: bool) -> None:
    """Of this stream the receiving side shows nothing else, so content alone does not tell what came before it. Found
    by the oracle of positions.
    """
    first, _ = both(jumped(is_sampled=is_sampled), "a2", "b2")
    assert not first.is_proven
    assert "2 transactions before the last 1 were not seen applied" in " ".join(first.reasons)


def test_locate__few_since_a_sample_that_lagged__reads_back_to_enough() -> None:
    """What the last sample had not yet counted was applied before it: eight groups show it."""
    world = FakeWorld.classic(has_gtid_mode=True)
    world.write_times(4, "a1")
    stall(world, "b1")
    for _ in range(30):
        world.journal.add(sample(world, world.node("b2")))
        world.clock.time_s += 1
    world.write("a1")
    world.tick()
    world.kill("b1")
    first, _ = both(world, "a2", "b2")
    assert first.is_proven, first.reasons


@pytest.mark.parametrize(("since_s", "last_s"), [(None, 3_000), (7_000, 3_000), (2_999, 60), (59, 3_000)])
def test_tail_starts__since_long_ago__the_last_is_from_before_it_where_the_journal_reaches_back(
    since_s: int | None, last_s: int
) -> None:
    world = FakeWorld()
    node, zero_s = world.node("a2"), world.clock.now_s()
    for at_s in (60, 3_000, 7_190, 7_199, 7_200):
        world.journal.add(replace(sample(world, node), observed_at_s=zero_s + at_s))
    starts = [*tail_starts(world.journal, world.node_facts(node), None if since_s is None else zero_s + since_s)]
    assert [start.observed_at_s - zero_s for start in starts][:2] == [7_199, 7_190]
    assert starts[-1].observed_at_s - zero_s == last_s
