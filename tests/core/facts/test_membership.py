"""A channel that began under wsrep_on=OFF: its thread keeps to it, whatever the variable says later."""

from __future__ import annotations

from backend.core.facts.membership import bypasses_replication
from tests.fakes.world import FakeWorld


def test_bypassed_replication__the_remedy__puts_the_variable_back_and_restarts_the_channel() -> None:
    world = FakeWorld()
    channel = world.connect("a1", "b1", name="")
    b1, b2 = world.node("b1"), world.node("b2")
    for sql in ("STOP SLAVE", "SET GLOBAL wsrep_on=OFF", "START SLAVE"):
        world.execute(b1, sql)
    finding = bypasses_replication(world.node_facts(b1))
    assert finding is not None
    world.execute(b1, "SET GLOBAL wsrep_on=ON")
    assert bypasses_replication(world.node_facts(b1)) is None
    world.write("a1")
    world.tick()
    assert channel.position == world.node("a1").log.end
    assert (len(b1.log.placed), len(b2.log.placed)) == (1, 0), "with the variable alone it goes on automatically"
    for sql in ("STOP SLAVE", "START SLAVE"):
        assert sql in finding.remedy
        world.execute(b1, sql)
    world.write("a1")
    world.tick()
    assert (len(b1.log.placed), len(b2.log.placed)) == (2, 1)
