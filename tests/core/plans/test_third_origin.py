"""Links with a third server, with ids that no node has, and with channels from addresses that no node has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.findings import Severity
from backend.core.link_state import ChannelState, History, LinkState, derive
from backend.core.plan import Plan
from tests.core.builders.unlinked_worlds import not_linked
from tests.fakes.driver import Memory, Walker, at_start_of, run_to_end
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import plan_create, plan_relocate, plan_start, sound
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld


def refusing(plan: Plan) -> set[str]:
    return {finding.code for finding in plan.findings if finding.refuses}


def fed() -> FakeWorld:
    """Server 900 feeds a1; the reverse channel ignores its transactions on purpose."""
    world = FakeWorld.classic()
    world.feed("a1")
    reverse = world.node("a1").channels["link1"]
    reverse.ignore = (*reverse.ignore, 900)
    world.remember()
    return world


def feeds_on(world: FakeWorld) -> None:
    """It writes at every moment."""

    def write() -> None:
        if world.ticks % 2:
            world.write_as(900, "a1")

    world.on_tick = write


def assert_third_whole(world: FakeWorld) -> None:
    """What the third server wrote stands once on both sides."""
    world.on_tick = None
    world.converge()
    written = [entry.txn.uid for entry in world.a.history if entry.txn.server_id == 900]
    received = [entry.txn.uid for entry in world.b.history if entry.txn.server_id == 900]
    assert written
    assert received == written
    assert world.faults() == []


@pytest.mark.parametrize("lost", [None, "a1", "b1"])
def test_relocate__third_server_writes_meanwhile__its_id_is_kept_and_everything_arrives_once(lost: str | None) -> None:
    world = fed()
    for _ in range(4):
        world.write_as(900, "a1")
        world.tick()
    world.remember()
    if lost:
        world.kill(lost)
    else:
        feeds_on(world)
    plan = sound(plan_relocate(world, None if lost else "a2", None if lost else "b2"))
    (reverse,) = [step for step in plan.steps if step.code == "change_source" and step.params["direction"] == "reverse"]
    assert reverse.params["ignore_server_ids"] == [11, 12, 13, 900]
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded", memory.end
    assert_third_whole(world)


def test_relocate__ignored_id_is_dropped_while_it_feeds__the_fact_adds_it() -> None:
    """Without a list the channel from that server itself tells that its transactions come home by the reverse one."""
    world = FakeWorld.classic()
    world.node("a1").channels["link1"].io = "No"
    world.feed("a1")
    world.write_as(900, "a1")
    plan = plan_relocate(world, "a2", "b2")
    (named, *_) = [f for f in plan.findings if f.code == "foreign_origin" and f.facts["direction"] == "reverse"]
    assert named.facts["way"] == "fed"


def test_relocate__guard_lacks_an_id_while_both_run__may_be_planned_onto_the_same_nodes() -> None:
    world = FakeWorld.classic()
    assert "already_there" in refusing(plan_relocate(world, "a1", "b1"))
    world.node("b1").channels["link1"].ignore = (21, 22)
    assert "already_there" not in refusing(plan_relocate(world, "a1", "b1"))


def test_start__guard_lacks_an_id_that_stands_only_in_the_logs__refused() -> None:
    world = FakeWorld.classic()
    world.node("b3").log.state[0, 900] = 5
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "No"
    plan = plan_start(world)
    (found,) = [finding for finding in plan.findings if finding.code == "loop_guard_incomplete"]
    assert found.facts["missing"] == [900]


@pytest.mark.parametrize(
    ("host", "name", "server_id"),
    [
        ("10.9.9.9", "", 11),
        ("localhost", "LINK1", 12),
        ("vip.example", "other", None),
        ("10.9.9.9", "third", 900),
        ("10.9.9.9", "own", 22),
    ],
)
def test_create__channel_from_an_unregistered_address__refused_whatever_its_name(
    host: str, name: str, server_id: int | None
) -> None:
    world = not_linked()
    sound(plan_create(world))
    world.feed("b2", server_id, name=name, host=host)
    plan = plan_create(world)
    assert "channel_source_unregistered" in refusing(plan)
    assert not plan.steps


@pytest.mark.parametrize("server_id", [12, None])
def test_run__such_a_channel_is_made_during_the_run__nothing_is_started_beside_it(server_id: int | None) -> None:
    world = FakeWorld.classic()
    plan = sound(plan_relocate(world, "a2", "b2"))
    memory = Memory(plan)
    gateway = FakeGateway(world)
    made = at_start_of("start_channel", lambda: world.feed("b3", server_id, name=""))
    Walker(world, gateway, memory, on_transition=made).run()
    assert memory.ended.state != "succeeded"
    assert not [one for one in world.executed if one.sql.startswith("START") and one.node == "b2"]


def test_switchover__such_a_channel__refused() -> None:
    world = passive(FakeWorld.classic())
    world.feed("b3", 12, name="")
    assert "channel_source_unregistered" in refusing(plan_switchover(world))


def test_failover__such_a_channel_on_the_survivor__told_to_be_removed_before_the_lost_side_returns() -> None:
    world = passive(FakeWorld.classic())
    world.feed("b3", 12, name="")
    world.kill_side(world.a)
    plan = plan_failover(world)
    (told,) = [finding for finding in plan.findings if finding.code == "channel_source_unregistered"]
    assert told.severity is Severity.WARNING
    assert "before cluster-a returns" in told.remedy


def test_page__both_channels_by_a_virtual_address__shown_and_nothing_offered() -> None:
    world = not_linked()
    for node, server_id in (("b1", 11), ("a1", 21)):
        world.feed(node, server_id, name="", host="vip.example")
    view = derive(world.facts(), History(), world.clock.now_s())
    assert view.state is LinkState.UNKNOWN
    assert "vip.example:3306" in view.sentence
    assert "receives no data" not in view.sentence
    assert view.primary_action is None
    found = [finding for finding in view.findings if finding.code == "channel_source_unregistered"]
    assert [(f.severity, f.facts["node"], f.facts["source_server_id"]) for f in found] == [
        (Severity.BLOCKER, "a1", 21),
        (Severity.BLOCKER, "b1", 11),
    ]
    assert "channel_missing" not in {finding.code for finding in view.findings}
    for kind in ("create_channels", "relocate", "switchover"):
        assert view.readiness[kind].state == "blocked", kind


def test_page__third_server_is_known_and_ignored__named_and_still_protected() -> None:
    world = fed()
    world.write_as(900, "a1")
    world.tick()
    view = derive(world.facts(), History(), world.clock.now_s())
    assert view.state is LinkState.PROTECTED
    codes = {finding.code: finding.severity for finding in view.findings}
    assert codes == {
        "channel_source_unregistered": Severity.WARNING,
        "foreign_origin": Severity.INFO,
        "standby_writable": Severity.INFO,
    }
    assert view.readiness["relocate"].state == "ready"


def test_page__id_of_unknown_way__a_relocate_is_not_called_ready() -> None:
    world = FakeWorld.classic()
    for name in ("a1", "b1"):
        world.node(name).log.state[0, 900] = 5
    relocate = derive(world.facts(), History(), world.clock.now_s()).readiness["relocate"]
    assert (relocate.state, "server_id 900" in relocate.sentence) == ("unknown", True)


def test_page__running_channel_lets_own_transactions_return__said() -> None:
    world = FakeWorld.classic()
    world.node("b1").channels["link1"].ignore = (21, 22)
    view = derive(world.facts(), History(), world.clock.now_s())
    assert {finding.code for finding in view.findings} == {"loop_guard_incomplete", "standby_writable"}
    assert view.directions[0].channel is not None
    assert view.directions[0].channel.state is ChannelState.RUNNING


def test_page__another_server_answers_the_channel__not_protected() -> None:
    world = FakeWorld.classic()
    facts = world.facts()
    b1 = next(node for node in facts.nodes if node.node.name == "b1")
    (channel,) = b1.channels or ()
    other = replace(b1, channels=(replace(channel, source_server_id=13),))
    nodes = tuple(other if node.node.name == "b1" else node for node in facts.standby.nodes)
    view = derive(replace(facts, standby=replace(facts.standby, nodes=nodes)), History(), world.clock.now_s())
    assert view.state is LinkState.DEGRADED
    assert "channel_reads_another_server" in {finding.code for finding in view.findings}
