"""Rules of taking a node away for maintenance, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green

FINDINGS, STEPS = "plans.maintenance_findings", "steps.sides.node_maintenance"
TESTS = "tests.core.plans.test_node_maintenance"


def _is_refused(core: Copy, node: str = "a3", *, heavy: bool = False, **given: Any) -> bool:
    """Whether the plan for that node is refused; `heavy`: it has half of the votes."""
    tests = core[TESTS]
    world = tests.world()
    if heavy:
        world.node("a3").variables["pc.weight"] = "2"
    return bool(tests.refusing(tests.plan_for(world, node, **given)))


def _unknown_time(core: Copy) -> bool:
    return _is_refused(core, time=core["backend.core.estimates"].Unknown("not counted"))


def _unfrozen(core: Copy) -> bool:
    """Whether a donor is unfrozen where the maintenance was ended before the stop was allowed."""
    return is_green(core, "plans.test_node_maintenance", "test_run__ended_before_the_stop__undone_and_unfrozen")


RULES = (
    Rule(
        "an_end_of_a_channel_is_not_taken_away",
        ((FINDINGS, "    if node.id in ends:", "    if False:"),),
        lambda c: _is_refused(c, "b1"),
    ),
    Rule(
        "the_others_keep_more_than_half_of_the_votes",
        ((FINDINGS, "    if left * 2 <= left + own:", "    if False:"),),
        lambda c: _is_refused(c, heavy=True),
    ),
    Rule(
        "an_unknown_time_until_an_sst_is_no_time",
        (
            (
                FINDINGS,
                '"maintenance_time_unknown",\n            Severity.UNKNOWN',
                '"maintenance_time_unknown",\n            Severity.WARNING',
            ),
        ),
        _unknown_time,
    ),
    Rule(
        "no_second_node_of_a_cluster_is_taken_away",
        ((FINDINGS, "    if absence.open_id is not None:", "    if False:"),),
        lambda c: _is_refused(c, open_id="b_1"),
    ),
    Rule(
        "a_maintenance_that_was_ended_lets_no_node_be_stopped",
        (
            (
                STEPS,
                "if not ctx.console.allow_stop(",
                "if ctx.console.allow_stop(9, ()) and not ctx.console.allow_stop(",
            ),
        ),
        _unfrozen,
    ),
)
PREVENTS = {
    "an_end_of_a_channel_is_not_taken_away": "replication of the link stops with the node",
    "the_others_keep_more_than_half_of_the_votes": "a cluster stops to serve when the node does not leave cleanly",
    "an_unknown_time_until_an_sst_is_no_time": "a node returns by SST, and no operator was told that it may",
    "no_second_node_of_a_cluster_is_taken_away": "two nodes of three are stopped, and the cluster loses its quorum",
    "a_maintenance_that_was_ended_lets_no_node_be_stopped": "a donor stays frozen, and its disk fills",
}
