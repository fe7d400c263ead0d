"""Rules of known defects of servers, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule


def _refuses_gtid(core: Copy) -> bool:
    links = core["tests.core.builders.link_facts"]
    facts = links.with_node(links.with_channel(links.link(), "b1", using_gtid="Slave_Pos"), "b3", version="10.6.14")
    return "gtid_release_unfit" in links.refusing(links.context(facts))


def _waits_for_polls(core: Copy) -> bool:
    """Whether a run on an affected release lets polls end before it changes a channel."""
    world = core["tests.fakes.world"].FakeWorld.classic()
    for node in world.nodes:
        node.version = "10.11.18-MariaDB"
    slept: list[Any] = []
    sleep = world.clock.sleep
    world.clock.sleep = lambda seconds: (slept.append(seconds), sleep(seconds))
    core["tests.fakes.driver"].run_to_end(world, core["tests.fakes.plans"].plan_relocate(world, "a2", "b2"))
    return core["backend.core.runner.sender"].POLL_ENDS_S in slept


RULES = (
    Rule(
        "a_release_without_a_gtid_position_on_the_neighbours_is_refused",
        (("checks.gtid", "    found = [*_release(ctx), ", "    found = ["),),
        _refuses_gtid,
    ),
    Rule(
        "polls_end_before_a_channel_is_changed_that_may_not_be_read",
        (("runner.sender", "            self._ctx.clock.sleep(POLL_ENDS_S)", "            pass"),),
        _waits_for_polls,
    ),
)
PREVENTS = {
    "a_release_without_a_gtid_position_on_the_neighbours_is_refused": "a channel on a neighbour applies transactions twice",
    "polls_end_before_a_channel_is_changed_that_may_not_be_read": "the server that is moved may end",
}
