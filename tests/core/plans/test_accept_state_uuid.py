"""A side that was bootstrapped again: its history is accepted where its stream is proven to go on, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from backend.core.checks.run import run_checks
from backend.core.findings import Severity
from backend.core.link_facts import LogBreak, LogRecord
from backend.core.link_state import History, LinkState, derive
from backend.core.plan import Plan
from backend.core.plans.accept_state_uuid import ACCEPT_CHECKS
from backend.core.topology import Direction, Reach
from tests.core.builders.link_facts import context, with_wsrep
from tests.fakes.driver import Memory, Walker, at_start_of
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import context_of, plan_accept, plan_create, plan_relocate, plan_remove, sound
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld


def bootstrapped_anew(*, without: int = 0, writes: int = 3) -> FakeWorld:
    """The active side began a new history after all that was written had arrived, and is written on since."""
    world = FakeWorld.classic()
    world.write_times(4, "a1", ticks=True)
    world.a.bootstrap_anew(without=without)
    world.write_times(writes, "a1", ticks=True)
    world.remember()
    return world


def refusing(plan: Plan) -> set[str]:
    return {finding.code for finding in plan.findings if finding.refuses}


def walk(world: FakeWorld, plan: Plan, act: Callable[[], object] = lambda: None) -> tuple[str, Walker]:
    """State of the run in which this happens as the new history is about to be recorded, and who walked it."""
    memory = Memory(plan)
    walker = Walker(world, FakeGateway(world), memory, on_transition=at_start_of("record_state_uuid", act))
    walker.run()
    return memory.ended.state, walker


def test_link__side_bootstrapped_anew__never_protected_and_the_action_is_offered() -> None:
    view = derive(bootstrapped_anew().facts(), History(gaps={Direction.FORWARD: 0}), 0.0)
    assert view.state is LinkState.DEGRADED
    assert "was bootstrapped again" in view.sentence
    assert "in sync" not in view.sentence  # a side that came back empty has nothing that is not applied, too
    assert view.primary_action is not None
    assert view.primary_action.kind == "accept_state_uuid"
    states = {kind: view.readiness[kind].state for kind in ("accept_state_uuid", "relocate", "switchover")}
    assert states == {"accept_state_uuid": "ready", "relocate": "blocked", "switchover": "blocked"}


def emptied() -> FakeWorld:
    """The active side began a new history in a log that does not hold what its standby has read."""
    world = bootstrapped_anew()
    cause = LogBreak("source_log_replaced", "mariadb-bin.000001 of a1 is another file of the same name", 0.0)
    world.recorded = [replace(r, log_break=cause) if r.direction is Direction.FORWARD else r for r in world.recorded]
    return world


def test_link__side_emptied__the_first_advice_is_to_stop_the_channel_and_nothing_is_offered() -> None:
    view = derive(emptied().facts(), History(), 0.0)
    assert view.state is LinkState.BROKEN
    assert view.primary_action is None
    assert view.readiness["accept_state_uuid"].state == "blocked"
    (finding,) = [one for one in view.findings if one.code == "state_uuid_changed"]
    assert "may have been emptied" in finding.message
    assert finding.remedy.startswith("Stop the channel first")


def read_before() -> FakeWorld:
    """The log of the forward channel's source was read under the state UUID of before, and not since."""
    world = bootstrapped_anew()
    before = LogRecord("uuid-before", 4, "mariadb-bin.000001", 100, None, 4, None, None, 0.0, 0.0)
    world.recorded = [replace(r, log=before) if r.direction is Direction.FORWARD else r for r in world.recorded]
    return world


def test_link__bootstrapped_on_another_node_than_the_source__not_offered_and_no_folder_is_overwritten() -> None:
    world = read_before()
    world.kill("a1")
    view = derive(world.facts(), History(), 0.0)
    assert view.primary_action is None
    assert view.readiness["accept_state_uuid"].state == "blocked"
    (finding,) = [one for one in view.findings if one.code == "state_uuid_changed"]
    assert "the log of a1, which is down, was not compared" in finding.message
    assert finding.remedy.startswith("Stop the channel first")
    (down,) = [one for one in view.findings if one.code == "node_down"]
    assert down.remedy.startswith("Do not start a1 before it is clear which data counts")


def test_link__log_of_the_source_not_compared_yet__not_offered_before_it_is() -> None:
    assert derive(read_before().facts(), History(), 0.0).primary_action is None


def test_plan__side_emptied__refused_though_a_place_is_found() -> None:
    assert "source_log_replaced" in refusing(plan_accept(emptied()))


@pytest.mark.parametrize("plan", [plan_accept, plan_relocate, plan_switchover])
def test_plan__side_emptied__no_plan_sends_to_another_that_refuses_it(plan: Callable[[FakeWorld], Plan]) -> None:
    """accept_state_uuid said to relocate, and relocate said to accept the state UUID first."""
    refused = [finding for finding in plan(emptied()).findings if finding.refuses]
    assert refused
    for finding in refused:
        assert "plan a relocate" not in finding.remedy
        assert "accept_state_uuid" not in finding.remedy
        assert "fail over to cluster-b" in finding.remedy
        assert "remove the channels" in finding.remedy
    states = derive(emptied().facts(), History(), 0.0).readiness
    assert "Accept" not in states["relocate"].sentence


def test_plan__log_not_compared_yet_of_a_side_bootstrapped_anew__no_relocate_is_advised() -> None:
    world = bootstrapped_anew()
    plan_accept(world)  # the logs are compared
    world.recorded = [replace(r, log=r.log and replace(r.log, unread_since_s=0.0)) for r in world.recorded]
    ctx = context_of(world)
    (forward, *_) = [one for one in run_checks(ctx, ACCEPT_CHECKS) if one.code == "source_log_unread"]
    assert "relocate" not in forward.remedy


def test_side_emptied__failed_over_as_advised__ready_once_the_loss_is_accepted() -> None:
    world = passive(emptied())
    for channel in world.node("b1").channels.values():
        channel.io = channel.sql = "No"
    world.kill_side(world.a)
    assert "standby_not_proven_whole" in refusing(plan_failover(world, accepts_loss=False))
    assert not plan_failover(world).is_refused


def test_side_emptied__channels_removed_and_created_as_advised__compared_and_its_state_uuid_recorded() -> None:
    world = emptied()
    assert not plan_remove(world).is_refused
    for node in world.nodes:
        node.channels.clear()
    world.recorded = []
    codes = [step.code for step in sound(plan_create(world)).steps]
    assert codes.index("verify_equal_data") < codes.index("record_state_uuid")


def test_plan__standby_emptied__no_relocate_is_advised() -> None:
    world = FakeWorld.classic()
    world.b.bootstrap_anew()
    world.remember()
    cause = LogBreak("source_log_replaced", "mariadb-bin.000001 of b1 is another file of the same name", 0.0)
    world.recorded = [replace(r, log_break=cause) if r.direction is Direction.REVERSE else r for r in world.recorded]
    refused = [finding for finding in plan_accept(world).findings if finding.refuses]
    assert refused
    assert all("remove the channels" in one.remedy and "relocate" not in one.remedy for one in refused)


def test_plan__log_never_compared__unknown_refuses() -> None:
    world = bootstrapped_anew()
    ctx = context_of(world)
    found = {finding.code: finding for finding in run_checks(ctx, ACCEPT_CHECKS)}
    assert found["history_seam_unknown"].severity is Severity.UNKNOWN


def test_plan__another_node_than_the_channel_reads_from__its_seam_is_unknown() -> None:
    world = bootstrapped_anew()
    assert "history_seam_unknown" in refusing(plan_accept(world, source="a2"))


def test_plan__channel_stopped_reading__its_source_is_chosen_and_not_another_node() -> None:
    """Its log alone was compared; the channel gets a new position, so its error would not come again."""
    world = bootstrapped_anew()
    channel = world.node("b1").channels["link1"]
    channel.io = "No"
    channel.io_error = "1236: 'Client requested master to start replication from impossible position'"
    assert context_of(world).pair[0].node.name == "a2"
    plan = plan_accept(world)
    assert "history_seam_unknown" not in refusing(plan)
    assert plan.target["source_node"] == "n_a1"


def test_plan__source_of_the_channel_is_down__another_node_is_no_way_and_it_is_named() -> None:
    world = bootstrapped_anew()
    plan_accept(world)  # the logs are compared
    world.kill("a1")
    (finding,) = [one for one in plan_accept(world).findings if one.code == "history_seam_unknown"]
    assert "The channel reads from a1. Wait until it is Synced" in finding.remedy


def test_plan__stream_goes_on__proven_walked_and_recorded() -> None:
    world = bootstrapped_anew()
    assert refusing(plan_relocate(world, "a2", "b2")) == {"state_uuid_changed"}
    plan = sound(plan_accept(world))
    assert all(position["proven"] for position in plan.positions)
    assert [step.index for step in plan.steps] == list(range(len(plan.steps)))
    state, walker = walk(world, plan)
    assert state == "succeeded"
    assert walker.console.acts == [f"state_uuid {world.a.id} {world.a.uuid}"]
    world.a.recorded_uuid = world.a.uuid
    for _ in range(9):
        world.tick()
    assert world.faults() == []
    assert not plan_relocate(world, "a2", "b2").is_refused


@pytest.mark.parametrize("writes", [0, 3])
def test_plan__side_lacks_what_the_other_one_holds__not_proven_and_not_recorded(writes: int) -> None:
    """The node that began the new history had not got the last transaction; the standby had."""
    plan = plan_accept(bootstrapped_anew(without=1, writes=writes))
    assert refusing(plan) & {"position_not_proven", "history_seam_unknown"}
    assert plan.steps == ()


def test_plan__both_sides_as_recorded__nothing_to_accept() -> None:
    assert refusing(plan_accept(FakeWorld.classic())) == {"state_uuid_same"}


def test_check__nodes_of_one_side_in_two_histories__refused_and_no_action_offered() -> None:
    facts = bootstrapped_anew().facts()
    facts = with_wsrep(facts, "a3", state_uuid=str(facts.active.recorded_state_uuid))
    ctx = context(facts)
    found = {finding.code for finding in run_checks(ctx, ACCEPT_CHECKS) if finding.refuses}
    assert "state_uuids_differ" in found
    view = derive(facts, History(), 0.0)
    assert view.state is LinkState.BROKEN
    assert view.primary_action is None
    assert view.readiness["accept_state_uuid"].state == "blocked"


@pytest.mark.parametrize("reach", [Reach.DOWN, Reach.HUNG])
def test_plan__node_of_that_side_not_seen__attested_by_name_or_refused(reach: Reach) -> None:
    """It may still accept writes in the old history, which the new component never counted."""
    world = bootstrapped_anew()
    world.kill("a3", reach=reach)
    assert "node_not_attested" in refusing(plan_accept(world))
    attested = plan_accept(world, attested_fenced=("n_a3",))
    assert not attested.is_refused, refusing(attested)


def test_run__another_history_by_the_time_of_the_record__nothing_is_recorded() -> None:
    world = bootstrapped_anew()
    state, walker = walk(world, plan_accept(world), world.a.bootstrap_anew)
    assert state == "needs_operator"
    assert walker.console.acts == []


@pytest.mark.parametrize("sampled_at", range(1, 12))
def test_plan__new_history_reaches_a_seqno_of_the_old_one__found_in_the_new_one(sampled_at: int) -> None:
    """The sample was nearer than the groups to compare, so the old history's Xid was taken (a CI run, by chance)."""
    world = FakeWorld.classic()
    world.a.bootstrap_anew()
    world.a.recorded_uuid = world.a.uuid
    world.write_times(40, "a1", ticks=True)
    world.a.bootstrap_anew()
    for written in range(12):
        world.write("a1")
        world.tick()
        if written == sampled_at:
            world.remember()
    plan = sound(plan_accept(world))
    assert all(position["proven"] for position in plan.positions), plan.findings
    state, _ = walk(world, plan)
    assert state == "succeeded"
