"""A channel that was not started, behind a standby that had written nothing of its own (`skip_slave_start`)."""

from __future__ import annotations

import pytest

from backend.core.locate.evidence import Family
from backend.core.locate.model import Located
from backend.core.topology import Direction
from tests.core.builders.worlds import ask, wrong
from tests.fakes.monitor import sample
from tests.fakes.world import FakeWorld


def passive_standby(*, has_gtid_mode: bool = False) -> FakeWorld:
    """b only receives; its old logs, and what they held of its own, were purged on both sides. Watched for a while."""
    world = FakeWorld(has_gtid_mode=has_gtid_mode).connect_both_ways()
    world.write("b1")
    world.tick()
    for node in world.nodes:
        node.log.rotate()
    world.write("a1")
    world.tick()
    for node in world.nodes:
        node.log.purge(1)
    world.write_times(12, "a1", remembers=True)
    return world


def crash_active_side(world: FakeWorld) -> None:
    """All of a is killed and back; its channel from b1 does not start."""
    world.crash("a1", 0, starts=False)


def reverse(world: FakeWorld, source: str = "b1", replica: str = "a1") -> Located:
    """The position at which a goes on to receive from b."""
    found = next(located for asked, located in ask(world, replica, source) if asked.direction is Direction.REVERSE)
    assert not found.is_proven or wrong(world, found) is None
    return found


@pytest.mark.parametrize("has_gtid_mode", [False, True])
@pytest.mark.parametrize("replica", ["a1", "a2"])
def test_locate__channel_not_started_and_the_other_side_wrote_since__proven_where_it_stands(
    has_gtid_mode: bool, replica: str
) -> None:
    world = passive_standby(has_gtid_mode=has_gtid_mode)
    crash_active_side(world)
    for node in ("b1", "b2", "b3"):
        world.write(node)
    located = reverse(world, replica=replica)
    assert located.is_proven, located.reasons
    assert {e.family for e in located.evidence if e.agrees} == {Family.JOURNAL, Family.CHANNEL, Family.CONTENT}
    assert located.applied == ()
    assert len(located.next_groups) == 3


def test_locate__channel_not_started_and_nothing_written_since__proven() -> None:
    world = passive_standby()
    crash_active_side(world)
    assert reverse(world).is_proven


def test_locate__channel_says_applied_what_the_log_does_not_hold__refused() -> None:
    """Its record ran ahead of the data, as where commits are not flushed and the machine fails."""
    world = passive_standby()
    world.write("b1")
    crash_active_side(world)
    channel = next(iter(world.node("a1").channels.values()))
    channel.position = world.node("b1").log.end
    located = reverse(world)
    assert not located.is_proven
    assert "different positions" in located.reasons[0]


def test_locate__channel_still_runs_or_is_gone__refused() -> None:
    world = passive_standby()
    world.node("b1").channels.clear()
    world.write("b1")
    channel = next(iter(world.node("a1").channels.values()))
    channel.io, channel.sql = "Connecting", "Yes"
    assert not reverse(world).is_proven
    world.node("a1").channels.clear()
    assert not reverse(world).is_proven


def forget_old_logs(world: FakeWorld) -> None:
    """The logs of a begin behind all that it has applied so far."""
    for node in world.a.nodes:
        node.log.rotate()
    world.write("a1")
    for node in world.a.nodes:
        node.log.purge(1)


def clock_set_back() -> FakeWorld:
    """a has applied a transaction of b; its logs begin behind that, but their samples carry an earlier time."""
    world = passive_standby()
    world.write("b1")
    world.tick()
    forget_old_logs(world)
    world.clock.time_s -= 60.0
    for node in world.a.nodes:
        world.journal.add(sample(world, node))
    crash_active_side(world)
    world.write("b1")
    return world


def behind_its_data() -> FakeWorld:
    """a has applied a transaction of b that its channel, killed, did not record; its logs no longer hold it."""
    world = passive_standby()
    world.write("b1")
    world.tick()
    forget_old_logs(world)
    world.crash("a1", 1, starts=False)
    world.write("b1")
    return world


def test_locate__clock_set_back_since_the_transaction_was_applied__refused_by_the_channel() -> None:
    located = reverse(clock_set_back())
    assert not located.is_proven
    assert "different positions" in located.reasons[0]


def test_locate__channel_behind_data_that_the_log_no_longer_holds__refused() -> None:
    assert not reverse(behind_its_data()).is_proven


def test_locate__receiving_log_begins_behind_what_the_source_wrote__refused() -> None:
    """What was applied before the log's first group cannot be distinguished from what was not."""
    world = passive_standby()
    crash_active_side(world)
    world.write("b1")
    for key in ("a1", "a2", "a3"):
        world.node(key).log.rotate()
        world.node(key).log.purge(1)
    assert not reverse(world).is_proven


def test_locate__receiving_log_sampled_only_since__refused() -> None:
    world = passive_standby()
    crash_active_side(world)
    world.write("b1")
    ids = {world.node(key).ref.id for key in ("a1", "a2", "a3")}
    world.journal.samples = [s for s in world.journal.samples if s.node_id not in ids]
    world.write("a1")
    for _ in range(3):
        world.remember()
    assert not reverse(world).is_proven


def test_locate__another_node_of_the_source_side__refused() -> None:
    """A channel's coordinates name a position in the log of the node that it follows, and in no other."""
    world = passive_standby()
    crash_active_side(world)
    world.write("b1")
    assert not reverse(world, source="b2").is_proven
