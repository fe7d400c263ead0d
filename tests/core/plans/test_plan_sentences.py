"""Sentences of plans that say what is so: of one and of many, of nodes that are down, of each side once."""

from __future__ import annotations

from dataclasses import replace

from backend.core.checks.run import run_checks
from backend.core.plans.configure import CONFIGURE_CHECKS
from backend.core.plans.equal_sides import ComparedSides, equal_findings
from tests.fakes.plans import context_of, plan_relocate
from tests.fakes.sites import passive, plan_failback, plan_switchover
from tests.fakes.world import FakeWorld


def test_state_uuid__several_nodes_of_one_side__said_once() -> None:
    ctx = context_of(FakeWorld.classic())
    ctx = replace(ctx, focus=ctx.link.active.nodes)
    assert [one.code for one in run_checks(ctx, CONFIGURE_CHECKS)].count("state_uuid_same") == 1


def test_fence__a_node_is_down__only_those_that_respond_are_tried() -> None:
    world = passive(FakeWorld.classic())
    (all_up,) = [step.title for step in plan_switchover(world).steps if step.code == "verify_fence"]
    assert "every node of cluster-a:" in all_up
    world.kill("a3")
    (title,) = [step.title for step in plan_switchover(world).steps if step.code == "verify_fence"]
    assert "every node of cluster-a that responds:" in title


def test_failback__home_side_is_active__names_it_as_the_goal() -> None:
    plan = plan_failback(passive(FakeWorld.classic()))
    assert plan.is_refused
    assert plan.summary == "Fail back to cluster-a, which is active already"


def test_equal_sides__one_table__is() -> None:
    said = [one.message for one in equal_findings(context_of(FakeWorld.classic()), ComparedSides(1, 10, ()))]
    assert any(message.startswith("1 table is defined equally") for message in said), said


def test_journal__bound_beyond_the_position__said_to_have_nothing_of_the_stream_between() -> None:
    plan = plan_relocate(FakeWorld.classic(), "a2", "b2")
    said = [e["detail"] for p in plan.positions for e in p["evidence"] if e["family"] == "journal"]
    assert said
    assert all("lower bound" not in detail for detail in said)
    assert any("lies between the position found and it" in detail or "stream later" in detail for detail in said)
