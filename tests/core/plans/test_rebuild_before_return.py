"""A rebuild that is planned before the lost side is back: refused by that, and not by what dead nodes do not tell."""

from __future__ import annotations

from backend.core.orphans.report import OrphanReport
from backend.core.plan import Plan
from tests.core.builders.lost_sides import failed_over
from tests.fakes.sites import plan_reprotect
from tests.fakes.world import FakeWorld

REPORT = OrphanReport("unknown", "What only cluster-a has is unknown.")


def refusing(world: FakeWorld) -> list[str]:
    plan: Plan = plan_reprotect(world, "rebuild", REPORT, "b1", "a1", accepts_loss=True)
    assert plan.steps == ()
    return [finding.code for finding in plan.findings if finding.refuses]


def test_rebuild__side_not_back__refused_by_the_copy_to_be_made_alone() -> None:
    assert refusing(failed_over()) == ["rebuild_by_hand"]


def test_rebuild__side_not_back_and_the_survivor_is_not_primary__that_is_still_said() -> None:
    world = failed_over()
    world.node("b1").cluster_status = "non-Primary"
    assert refusing(world) == ["node_not_primary", "rebuild_by_hand"]


def test_rebuild__one_node_is_back__every_check_is_made() -> None:
    world = failed_over()
    world.start_server("a1")
    world.tick()
    assert "rebuild_by_hand" in refusing(world)
    assert len(refusing(world)) > 1
