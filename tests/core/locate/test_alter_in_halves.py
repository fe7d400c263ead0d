"""An ALTER that the receiving side logs in halves, and its source's neighbours whole, or not at all where it failed."""

from __future__ import annotations

import pytest

from tests.core.builders.worlds import ask, forward
from tests.fakes.log import FakeLog
from tests.fakes.world import FakeWorld

ALTER = "ALTER TABLE orders ADD c INT"
B_NODES = ("b1", "b2", "b3")


def half(log: FakeLog, text: str) -> None:
    """Log one half, as a replica and its neighbours do."""
    log.retained[-1].put("Gtid", 11, 42, f"GTID 0-11-900 {text}")
    log.retained[-1].put("Query", 11, 119, ALTER)


def received(world: FakeWorld, *halves: str) -> None:
    """The standby logs these halves."""
    for name in B_NODES:
        for text in halves:
            half(world.node(name).log, text)


@pytest.mark.parametrize("lost", ["a1", "a1 b1"])
def test_locate__first_half_is_all_that_arrived__resumes_before_the_whole_alter(lost: str) -> None:
    """The replica has executed nothing of it: behind it the column would be missing for ever."""
    world = FakeWorld().connect_both_ways()
    world.write_times(12, "a3", remembers=True)
    world.write("a1", ALTER, kind="ddl")
    received(world, "START ALTER")
    for name in lost.split():
        world.kill(name)
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven, located.reasons
    assert located.next_groups[0].statement == ALTER


def test_locate__both_halves_arrived__resumes_behind_the_whole_alter() -> None:
    world = FakeWorld().connect_both_ways()
    world.write_times(12, "a3", remembers=True)
    alter = world.write("a1", ALTER, kind="ddl")
    received(world, "START ALTER")
    for name in B_NODES:
        log = world.node(name).log
        log.retained[-1].put("Gtid", alter.server_id, 45, "GTID 0-11-901 COMMIT ALTER id=900")
        log.retained[-1].put("Query", alter.server_id, 136, ALTER)
    world.kill("a1")
    world.kill("b1")  # its relay log, which the halves did not come by, would name the place before them
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven, located.reasons
    assert located.source_groups[-1].statement == ALTER
    assert located.next_groups == ()


def test_locate__alter_failed__two_halves_here_and_nothing_there__proven_behind_what_followed() -> None:
    world = FakeWorld().connect_both_ways()
    world.write_times(6, "a3", remembers=True)
    received(world, "START ALTER", "ROLLBACK ALTER id=900")
    world.write_times(3, "a3", ticks=True)
    world.kill("a1")
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven, located.reasons
    assert located.next_groups == ()


def test_locate__another_alter_there__not_the_one_that_arrived__refused() -> None:
    world = FakeWorld().connect_both_ways()
    world.write_times(12, "a3", remembers=True)
    world.write("a1", "ALTER TABLE orders ADD other INT", kind="ddl")
    for name in B_NODES:
        half(world.node(name).log, "COMMIT ALTER id=900")
    world.kill("a1")
    assert not forward(ask(world, "a2", "b2")).is_proven
