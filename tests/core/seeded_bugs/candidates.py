"""The rules by which a relocate takes its nodes where none is named."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

PREVENTS = {
    "the_next_node_is_tried": "a link is refused although the third node's log proves the position",
    "a_named_node_is_kept": "channels are moved to a node that the operator did not name",
    "what_refuses_the_link_refuses_every_pair": "a healthy link is moved for nothing",
    "a_later_pair_is_judged_like_the_first": "a pair whose filters differ is proposed, because it came second",
}


def _plan(core: Copy, *spoiled: str, source: str | None = None, is_lost: bool = True) -> Any:
    """A relocate of a link; the `spoiled` nodes filter what they apply."""
    world = core["tests.fakes.world"].FakeWorld.classic()
    if is_lost:
        world.kill("a1")
    for name in spoiled:
        world.node(name).variables["replicate_do_db"] = "shop"
    return core["tests.fakes.plans"].plan_relocate(world, source)


ROOM = "plans.candidates"
RULES = (
    Rule(
        "the_next_node_is_tried",
        ((ROOM, "    if first.is_sound or not first.may_differ_elsewhere:", "    if True:"),),
        lambda c: not _plan(c, "a2").is_refused,
    ),
    Rule(
        "a_named_node_is_kept",
        ((ROOM, "    if wanted is not None:", "    if False:"),),
        lambda c: _plan(c, "a2", source="a2").is_refused,
    ),
    Rule(
        "what_refuses_the_link_refuses_every_pair",
        ((ROOM, "all(finding.code in OF_A_NODE for finding in self.judged if finding.refuses)", "True"),),
        lambda c: _plan(c, is_lost=False).is_refused,
    ),
    Rule(
        "a_later_pair_is_judged_like_the_first",
        ((ROOM, "        if attempt.is_sound:", "        if True:"),),
        lambda c: _plan(c, "a2", "b1").target["replica_name"] == "b2",
    ),
)
