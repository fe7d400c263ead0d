"""Semi-synchronous replication in plans: no commit waits for a step, and the mode afterwards is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.facts.semi_sync import ENABLED, semi_sync_of, why_commits_wait
from backend.core.findings import Finding
from backend.core.link_state import History, LinkState, derive
from backend.core.plan import Plan
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.plans.target import choose_pair
from backend.core.topology import Reach
from tests.fakes.driver import Memory, Walker, run_to_end
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.plans import context_of, plan_relocate, plan_remove, plan_start, sound
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

ACKNOWLEDGES = "rpl_semi_sync_slave_enabled"
HOUR_MS = "3600000"
LOOKS_BEFORE = 2
"""Before the first statement: that of the recheck and that of its own step."""


def waiting(*sources: str, by: tuple[str, ...] = ("b1",), without_replica: str = "ON") -> FakeWorld:
    """A classic link under writes whose sources wait an hour for the replicas of `by`."""
    world = FakeWorld.classic()
    for node in world.nodes:
        node.variables |= {"rpl_semi_sync_master_timeout": HOUR_MS, "rpl_semi_sync_slave_status": "OFF"}
        node.variables["rpl_semi_sync_master_wait_no_slave"] = without_replica
    for name in sources or ("a1",):
        world.node(name).variables[ENABLED] = "ON"
    for name in by:
        world.node(name).variables |= {ACKNOWLEDGES: "ON", "rpl_semi_sync_slave_status": "ON"}
    world.tick()
    world.held.clear()
    return world


def may_set(world: FakeWorld) -> dict[str, bool]:
    return {node.ref.id: True for node in world.nodes}


def relocated(world: FakeWorld, source: str, replica: str) -> Plan:
    return sound(plan_relocate(world, source, replica, may_set_semi_sync=may_set(world)))


def of(plan: Plan, code: str) -> list[Finding]:
    return [finding for finding in plan.findings if finding.code == code]


def codes(plan: Plan) -> list[str]:
    return [step.code for step in plan.steps]


def test_relocate__last_replica_that_acknowledges_moves__no_commit_is_held_and_nothing_is_lost() -> None:
    world = waiting("a1")
    plan = relocated(world, "a2", "b2")

    memory = run_to_end(world, plan)
    world.converge()

    assert memory.ended.state == "succeeded", memory.failures
    assert world.held == []
    assert world.faults() == []
    assert codes(plan)[:2] == ["recheck", "semi_sync_off"]
    assert codes(plan).index("verify_commits") == next(s.index for s in plan.steps if s.point_of_no_return) - 1
    (off,) = of(plan, "semi_sync_turned_off")
    assert "up to 3600 s" in off.message
    assert "stays off" in off.message
    (forward,) = [f for f in of(plan, "semi_sync_after") if f.facts["source"] == "a2"]
    assert (forward.severity.value, forward.facts["semi_synchronous"]) == ("warning", False)
    assert world.node("a1").variables[ENABLED] == "OFF"


def test_relocate__new_replica_acknowledges__given_back_to_the_source() -> None:
    world = waiting("a1", by=("b1", "b2"))
    plan = relocated(world, "a1", "b2")

    memory = run_to_end(world, plan)

    assert memory.ended.state == "succeeded", memory.failures
    assert world.held == []
    assert world.node("a1").variables[ENABLED] == "ON"
    assert [f.facts["semi_synchronous"] for f in of(plan, "semi_sync_after")] == [True]


def test_relocate__new_source__turned_on_only_as_it_was_on_the_old_one() -> None:
    world = waiting("a1", by=("b1", "b2"))
    plan = relocated(world, "a2", "b2")

    memory = run_to_end(world, plan)

    assert memory.ended.state == "succeeded", memory.failures
    assert world.held == []
    assert (world.node("a1").variables[ENABLED], world.node("a2").variables[ENABLED]) == ("OFF", "ON")
    assert [step.node for step in plan.steps if step.code == "semi_sync_on"] == ["a2"]


def test_relocate__nothing_waits__the_plan_has_no_step_and_no_word_of_it() -> None:
    plan = relocated(waiting(by=("b1", "b2")), "a2", "b2")
    world = FakeWorld.classic()
    plain = sound(plan_relocate(world, "a2", "b2"))
    assert "semi_sync_off" in codes(plan)
    assert not [f for f in plain.findings if f.code.startswith("semi_sync")]
    assert not {"semi_sync_off", "semi_sync_on", "verify_commits"} & set(codes(plain))


def test_relocate__both_directions_wait__both_kept_going() -> None:
    world = waiting("a1", "b1", by=("a1", "b1"))
    plan = relocated(world, "a2", "b2")
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded", memory.failures
    assert world.held == []
    assert [step.node for step in plan.steps if step.code == "semi_sync_off"] == ["a1", "b1"]


def test_relocate__another_replica_acknowledges__left_on_and_said() -> None:
    world = waiting("a1")
    ctx = context_of(world, "a1", "b2")
    clients = {**ctx.link.node("n_a1").variables, "rpl_semi_sync_master_clients": "2"}
    nodes = tuple(replace(n, variables=clients) if n.node.id == "n_a1" else n for n in ctx.link.active.nodes)
    plain = sound(plan_relocate(FakeWorld.classic(), "a1", "b2"))
    link = replace(ctx.link, active=replace(ctx.link.active, nodes=nodes))
    plan = with_semi_sync(plain, link, {})
    assert "semi_sync_off" not in codes(plan)
    assert "verify_commits" in codes(plan)
    assert "another replica acknowledges" in of(plan, "semi_sync_kept")[0].message


def test_relocate__commits_wait_for_no_absent_replica__left_on_and_said() -> None:
    plan = relocated(waiting("a1", without_replica="OFF"), "a2", "b2")
    assert "semi_sync_off" not in codes(plan)
    assert "wait_no_slave=OFF" in of(plan, "semi_sync_kept")[0].message


@pytest.mark.parametrize(("may", "code"), [({}, "semi_sync_privilege_unknown"), (False, "semi_sync_privilege_missing")])
def test_relocate__run_could_not_turn_it_off__refused(may: object, code: str) -> None:
    world = waiting("a1")
    given = {"n_a1": False} if may is False else {}
    plan = plan_relocate(world, "a2", "b2", may_set_semi_sync=given)
    assert (plan.is_refused, plan.steps) == (True, ())
    assert of(plan, code)


@pytest.mark.parametrize("name", ["a1", "b3"])
def test_relocate__wait_of_a_node_unknown__refused(name: str) -> None:
    world = FakeWorld.classic()
    del world.node(name).variables[ENABLED]
    plan = plan_relocate(world, "a2", "b2")
    assert plan.is_refused
    assert of(plan, "semi_sync_unknown")


def test_relocate__replica_dead_and_commits_wait_already__they_go_on_first() -> None:
    world = waiting("a1")
    world.kill("b1")
    world.tick()
    world.held.clear()
    plan = sound(plan_relocate(world, may_set_semi_sync=may_set(world)))
    assert codes(plan)[1] == "semi_sync_off"
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded", memory.failures
    assert len(world.held) <= LOOKS_BEFORE


def test_relocate__commits_of_the_source_wait__the_default_is_another_one() -> None:
    """Its appliers stand, so no causal read ends there; a source that is named is kept."""
    world = waiting("a1")
    world.kill("b1")
    facts = context_of(world).link
    assert choose_pair(facts, None, None).active_node_id == world.node("a1").ref.id
    world.node("a1").variables |= {"rpl_semi_sync_master_clients": "0", "rpl_semi_sync_master_wait_sessions": "3"}
    facts = context_of(world).link
    assert choose_pair(facts, None, None).active_node_id == world.node("a2").ref.id
    assert choose_pair(facts, world.node("a1").ref.id, None).active_node_id == world.node("a1").ref.id


def test_relocate__aborted_before_the_return__wait_given_back_after_the_channel() -> None:
    world = waiting("a1")
    memory = Memory(relocated(world, "a2", "b2"))
    gateway = FakeGateway(world, faults={4: Fault.REFUSED})
    Walker(world, gateway, memory).run()
    assert memory.ended.state == "failed", memory.ended
    assert world.node("a1").variables[ENABLED] == "ON"
    assert world.node("b1").channels["link1"].io == "Yes"
    assert world.held == []


def test_switchover__sources_wait_and_are_answered__left_on_and_mode_said() -> None:
    world = passive(waiting("a1"))
    plan = sound(plan_switchover(world))
    assert "semi_sync_off" not in codes(plan)
    modes = {f.facts["source"]: (f.severity.value, f.facts["semi_synchronous"]) for f in of(plan, "semi_sync_after")}
    assert modes == {"a1": ("info", True), "b1": ("warning", False)}
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded", memory.failures
    assert world.held == []


def test_switchover__new_replica_acknowledges__new_source_waits_as_the_old_one_did() -> None:
    world = passive(waiting("a1", by=("a1", "b1")))
    plan = sound(plan_switchover(world, may_set_semi_sync=may_set(world)))
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded", memory.failures
    assert world.held == []
    assert world.node("b1").variables[ENABLED] == "ON"


def test_failover__survivor_waits_for_the_lost_side__kept_going() -> None:
    world = passive(waiting("b1", by=("a1",)))
    for name in ("a1", "a2", "a3"):
        world.kill(name)
    plan = sound(plan_failover(world, may_set_semi_sync=may_set(world)))
    assert codes(plan)[1] == "semi_sync_off"
    assert "stays off" in of(plan, "semi_sync_turned_off")[0].message


def test_remove__last_replica_ends__wait_ends_with_it() -> None:
    world = waiting("a1")
    plan = sound(plan_remove(world, may_set_semi_sync=may_set(world)))
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded", memory.failures
    assert world.held == []


def test_start__source_waits_for_the_stopped_channel__commits_go_on_and_the_wait_comes_back() -> None:
    world = waiting("a1")
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "No"
    world.tick()
    plan = sound(plan_start(world, may_set_semi_sync=may_set(world)))
    world.held.clear()
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded", memory.failures
    assert len(world.held) <= LOOKS_BEFORE
    assert world.node("a1").variables[ENABLED] == "ON"


@pytest.mark.parametrize("name", ["a1", "a3"])
def test_page__commits_of_a_node_wait_for_a_replica_that_is_not_there__not_protected(name: str) -> None:
    world = waiting(name, by=())
    view = derive(world.facts(), History(), 0.0)
    assert view.state is LinkState.DEGRADED
    assert view.sentence.startswith(f"Commits of {name} wait for a semi-synchronous acknowledgement, up to 3600 s")
    world.node(name).variables[ENABLED] = "OFF"
    world.tick()
    assert derive(world.facts(), History(), 0.0).state is LinkState.PROTECTED


def test_why_commits_wait__only_where_a_replica_is_missing_and_the_wait_is_on() -> None:
    world = waiting("a1")
    node = world.node_facts(world.node("a1"))
    assert why_commits_wait(node) is None
    short = {**node.variables, "rpl_semi_sync_master_clients": "0", "rpl_semi_sync_master_wait_sessions": "3"}
    sentence = why_commits_wait(replace(node, variables=short))
    assert sentence is not None
    assert sentence.startswith("Commits of a1 wait for a semi-synchronous acknowledgement: 3 commits wait now")
    assert why_commits_wait(replace(node, variables=short | {"rpl_semi_sync_master_status": "OFF"})) is None
    assert why_commits_wait(replace(node, variables=short, reach=Reach.DOWN)) is None
    unknown = {name: value for name, value in short.items() if name != "rpl_semi_sync_master_clients"}
    assert semi_sync_of(replace(node, variables=unknown)).is_short
