"""What goes wrong on the servers: refusals, warnings, foreign hands, changed facts, time run out."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest

from backend.core.link_facts import LinkFacts
from backend.core.plan import PLAN_LIFETIME_S
from backend.core.runner import Intent, StepDone, Transition
from backend.core.topology import Reach
from tests.core.builders.situations import SITUATIONS, Situation, situation
from tests.core.runner.walks import (
    assert_restored,
    assert_verified,
    channel_shapes,
    point_of_no_return,
    unbroken,
    walked_with_some,
)
from tests.fakes.driver import Memory, Walker, assert_whole, at_start_of, run_to_end
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.plans import plan_relocate
from tests.fakes.world import FakeWorld


@pytest.mark.parametrize("fault", [Fault.REFUSED, Fault.WARNED], ids=str)
@pytest.mark.parametrize("one", SITUATIONS, ids=lambda s: s.name)
def test_statement__refused_or_warned__restored_before_the_point_of_no_return_and_stopped_after(
    one: Situation, fault: Fault
) -> None:
    before = channel_shapes(one.build()[0])
    for world, memory, _ in walked_with_some(one, fault):
        if memory.is_past_return or (
            one.name == "remove_stray_channel" and memory.statements[-1].step >= point_of_no_return(memory.plan)
        ):
            assert memory.ended.state == "needs_operator"
        else:
            assert memory.ended.state == "failed"
            assert_restored(world, before)
        assert world.second_seen == []


@pytest.mark.parametrize("one", SITUATIONS, ids=lambda s: s.name)
def test_statement__refused_behind_the_point_of_no_return__resume_finishes(one: Situation) -> None:
    for world, memory, gateway in walked_with_some(one, Fault.REFUSED):
        if memory.ended.state == "needs_operator":
            memory.end = None
            Walker(world, gateway, memory).run()
            assert_verified(world, memory, unbroken(one)[0])


def _changes() -> list[tuple[str, Callable[[FakeWorld], None]]]:
    def synced(world: FakeWorld) -> None:
        world.node("a2").local_state = 2

    def uuid(world: FakeWorld) -> None:
        world.a.uuid = "99999999-0000-0000-0000-000000000001"

    def updates(world: FakeWorld) -> None:
        world.node("a2").variables["log_slave_updates"] = "OFF"

    def lost(world: FakeWorld) -> None:
        world.kill("a3", reach=Reach.HUNG, is_expelled=False)

    def second(world: FakeWorld) -> None:
        world.connect("a1", "b3", is_running=False)

    def option(world: FakeWorld) -> None:
        world.node("b1").channels["link1"].options["SQL_Delay"] = "60"

    def gone(world: FakeWorld) -> None:
        del world.node("a1").channels["link1"]

    def ids(world: FakeWorld) -> None:
        world.node("b2").server_id = 29

    def ignore(world: FakeWorld) -> None:
        world.node("b1").channels["link1"].ignore = (21,)

    return [(f.__name__, f) for f in (synced, uuid, updates, lost, second, option, gone, ids, ignore)]


@pytest.mark.parametrize(("name", "change"), _changes(), ids=lambda v: v if isinstance(v, str) else "")
def test_recheck__any_fact_changed__nothing_is_sent(name: str, change: Callable[[FakeWorld], object]) -> None:
    world, plan = situation("move_both").build()
    change(world)
    before = channel_shapes(world)
    gateway = FakeGateway(world)
    memory = run_to_end(world, plan, gateway)
    assert memory.ended.state == "failed", name
    assert gateway.sent == []
    assert channel_shapes(world) == before


class Pausing(FakeGateway):
    """The first look at both sides meets a server that pauses; the next one does not."""

    looked = 0

    def observe_link(self, *, is_patient: bool = False, of: Collection[str] = ()) -> LinkFacts:
        """All nodes, a bystander hung at the first look, and not waited for afterwards by who has no patience."""
        self.looked += 1
        self.world.node("a3").reach = Reach.UP if self.looked > 2 or is_patient else Reach.HUNG
        return super().observe_link(of=of)


def test_recheck__a_server_paused_for_one_look__is_asked_again_and_the_run_goes_on() -> None:
    world, plan = situation("move_both").build()
    gateway = Pausing(world)
    memory = run_to_end(world, plan, gateway)
    assert gateway.looked > 1
    assert memory.ended.state == "succeeded", memory.ended.sentence


def test_recheck__plan_older_than_its_limit__nothing_is_sent() -> None:
    world, plan = situation("source_lost").build()
    world.clock.time_s += PLAN_LIFETIME_S + 1
    gateway = FakeGateway(world)
    memory = run_to_end(world, plan, gateway)
    assert memory.ended.state == "failed"
    assert gateway.sent == []


def walk_with(one: str, code: str, act: Callable[[FakeWorld], object]) -> tuple[FakeWorld, Memory]:
    """An operator acts on the servers just as a step begins."""
    world, plan = situation(one).build()
    return world, run_to_end(world, plan, on_transition=at_start_of(code, lambda: act(world)))


def _run_dry(world: FakeWorld) -> None:
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "Yes"
    world.write("a1")
    world.tick()
    channel.io = channel.sql = "No"


@pytest.mark.parametrize(
    ("one", "code"),
    [("move_both", "reset_channel"), ("move_source", "change_source"), ("move_replica", "reset_channel")],
)
def test_old_channel__let_go_on_and_stopped_again_by_a_person__not_pointed_at_the_stale_place(
    one: str, code: str
) -> None:
    world, memory = walk_with(one, code, _run_dry)
    assert memory.ended.state in ("failed", "needs_operator")
    world.converge()
    assert world.a.doubled == []
    assert world.b.doubled == []


def test_old_channel__started_by_a_person_before_it_is_forgotten__stops() -> None:
    def act(world: FakeWorld) -> None:
        world.node("b1").channels["link1"].io = world.node("b1").channels["link1"].sql = "Yes"

    world, memory = walk_with("move_both", "reset_channel", act)
    assert memory.ended.state == "failed"
    assert "link1" in world.node("b1").channels
    assert world.second_seen == []


def test_new_channel__moved_by_a_person_before_its_start__not_started() -> None:
    def act(world: FakeWorld) -> None:
        channel = world.node("b3").channels["link1"]
        channel.position = channel.read = world.node("a2").log.placed[2].end

    world, memory = walk_with("move_both", "start_channel", act)
    assert memory.ended.state == "needs_operator"
    assert not world.node("b3").channels["link1"].is_running


def test_new_replica__runs_a_channel_of_that_name_meanwhile__not_overwritten() -> None:
    def act(world: FakeWorld) -> None:
        world.connect("a3", "b3")

    world, memory = walk_with("move_both", "change_source", act)
    assert memory.ended.state == "needs_operator"
    assert world.node("b3").channels["link1"].source == world.node("a3").ref.address


def assert_not_verified(one: str, act: Callable[[FakeWorld], object], says: str) -> None:
    """An operator acts on the servers just before the end, and the run says what is wrong."""
    _, memory = walk_with(one, "probe", act)
    assert memory.ended.state == "needs_operator"
    assert any(says in f for f in memory.failures)


def test_second_channel__appears_before_the_end__not_called_verified() -> None:
    assert_not_verified("move_source", lambda w: w.connect("a1", "b2", is_running=False), "stray channel")


@pytest.mark.parametrize("option", ["SQL_Delay", "Master_SSL_Verify_Server_Cert", "Master_SSL_CA_File"])
def test_options__changed_by_a_person_before_the_end__not_called_verified(option: str) -> None:
    changed = {option: "77"}
    assert_not_verified("move_both", lambda w: w.node("b3").channels["link1"].options.update(changed), "options differ")


def test_probe__does_not_arrive__not_called_verified() -> None:
    def act(world: FakeWorld) -> None:
        world.node("b3").channels["link1"].sql = "No"

    assert_not_verified("move_both", act, "did not arrive")


def _write_others(world: FakeWorld) -> None:
    for file in world.node("a2").log.retained:
        file.events = [
            e._replace(info="INSERT INTO elsewhere") if e.type == "Annotate_rows" else e for e in file.events
        ]


def _purge(world: FakeWorld) -> None:
    world.node("a2").log.rotate()
    world.node("a2").log.purge(5)


@pytest.mark.parametrize("act", [_write_others, _purge], ids=["other_groups_at_the_place", "purged"])
def test_source_log__not_the_proven_one_before_the_statement__not_sent(act: Callable[[FakeWorld], object]) -> None:
    world, memory = walk_with("both_lost", "change_source", act)
    assert memory.ended.state == "failed"
    assert world.executed == []


def test_session__reaches_another_server_behind_the_same_address__nothing_is_sent() -> None:
    world, plan = situation("move_both").build()
    gateway = FakeGateway(world)
    memory = Memory(plan)

    def act() -> None:
        world.node("b1").server_id = 77

    Walker(world, gateway, memory, on_transition=at_start_of("stop_channel", act)).run()
    assert memory.ended.state == "failed"
    assert gateway.sent == []


def test_node__lost_before_the_point_of_no_return__restored_where_it_can_be() -> None:
    world, memory = walk_with("move_both", "locate", lambda w: w.kill("a2"))
    assert memory.ended.state == "failed"
    assert world.node("b1").channels["link1"].is_running
    assert world.node("a1").channels["link1"].is_running


def test_node__lost_behind_the_point_of_no_return__handed_to_a_person_with_the_way_on() -> None:
    world, memory = walk_with("move_both", "start_channel", lambda w: w.kill("b3"))
    assert memory.ended.state == "needs_operator"
    assert "resume the run" in memory.ended.next_action
    assert world.second_seen == []


def test_intent__every_changing_statement__stored_before_it_takes_effect() -> None:
    world, plan = situation("move_both").build()
    memory = Memory(plan)
    known: list[int] = []

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, Intent):
            known.append(len(world.executed))
            assert memory.statements[-1].sql == transition.sql
            assert "{{secret:" in transition.sql or "PASSWORD" not in transition.sql

    Walker(world, FakeGateway(world), memory, on_transition=on_transition).run()
    assert known == list(range(len(world.executed)))


def test_drain__source_down_and_relay_log_full__applied_to_its_end_before_the_stop() -> None:
    world = FakeWorld.classic()
    channel = world.node("b1").channels["link1"]
    channel.sql = "No"
    world.write_times(5, "a1", ticks=True)
    world.kill("a1")
    channel.sql, world.backlog = "Yes", 99
    world.tick()
    plan = plan_relocate(world)
    assert "drain" in [step.code for step in plan.steps]

    def ease() -> None:
        world.backlog = max(0, world.backlog - 20)

    world.on_tick = ease
    memory = run_to_end(world, plan)
    assert_whole(world, memory)


def test_verify__repeated_statements_around_the_seam__still_verified() -> None:
    world = FakeWorld.classic()
    for _ in range(3):
        world.write("a1", "UPDATE counters SET n=n+1 WHERE id=1")
        world.write("a1")
    world.tick()
    world.remember()
    world.kill("b1")
    for _ in range(3):
        world.write("a1", "UPDATE counters SET n=n+1 WHERE id=1")
        world.write("a1")
    plan = plan_relocate(world)
    memory = run_to_end(world, plan)
    assert_whole(world, memory)


def test_done__facts_of_each_proof__kept_for_the_record() -> None:
    world, plan = situation("move_both").build()
    walker = Walker(world, FakeGateway(world), Memory(plan))
    walker.run()
    done = [t for t in walker.seen if isinstance(t, StepDone)]
    assert [t.step.index for t in done] == [s.index for s in plan.steps]
    verified = done[-1].facts
    assert verified["stray_channels"] == []
    assert verified["options_equal"] is True
    assert all(seam["equal"] for seam in verified["continuity"])
