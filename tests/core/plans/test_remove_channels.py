"""Replication of a link ends in both directions: what refuses it, what is recorded, and how it is reverted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.findings import Finding, Severity
from backend.core.link_facts import Divergence
from backend.core.plan import Plan
from backend.core.positions import FilePosition
from backend.core.topology import Direction, Reach
from tests.core.builders.situations import situation
from tests.fakes.driver import Memory, Walker, at_start_of, run_to_end
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import plan_remove, sound
from tests.fakes.world import FakeWorld

FORWARD, REVERSE = Direction.FORWARD, Direction.REVERSE


def classic(*, by_gtid: bool = False) -> FakeWorld:
    """A link whose channels run between a1 and b1."""
    return FakeWorld.classic(has_gtid_channels=by_gtid)


def refusing(plan: Plan) -> dict[str, Finding]:
    """Findings that refuse, by code."""
    return {f.code: f for f in plan.findings if f.refuses}


def found_of(plan: Plan, code: str) -> list[Finding]:
    """The findings of one code."""
    return [f for f in plan.findings if f.code == code]


def divergence(*, is_reconciled: bool = False) -> Divergence:
    """The failover away from cluster b."""
    return Divergence("c_b", "c_a", "uuid", 1.0, run_id="r_1", is_reconciled=is_reconciled)


def test_plan__steps__every_channel_is_stopped_before_the_first_is_removed() -> None:
    world = classic()
    world.connect("a2", "b3")
    plan = sound(plan_remove(world))
    assert [(step.code, step.node) for step in plan.steps] == [
        ("recheck", None),
        ("stop_channel", "b3"),
        ("stop_channel", "b1"),
        ("stop_channel", "a1"),
        ("reset_channel", "b1"),
        ("reset_channel", "a1"),
        ("reset_channel", "b3"),
        ("verify_channels_removed", None),
    ]
    assert [step.index for step in plan.steps if step.point_of_no_return] == [4]
    assert [step.undo for step in plan.steps[1:4]] == [(), ("START SLAVE 'link1'",), ("START SLAVE 'link1'",)]


def test_plan__warns__what_ends_and_how_much_is_not_applied() -> None:
    plan = sound(plan_remove(classic(), unapplied={FORWARD: 7, REVERSE: 0}))
    (ends,) = found_of(plan, "replication_ends")
    assert ends.severity is Severity.WARNING
    assert "cluster-b receives no write of cluster-a" in ends.message
    forward, reverse = found_of(plan, "unapplied_transactions")
    assert (forward.severity, forward.facts["transactions"]) == (Severity.WARNING, 7)
    assert "7 transactions of cluster-a were not applied on cluster-b" in forward.message
    assert (reverse.severity, reverse.facts["transactions"]) == (Severity.OK, 0)
    assert plan.loss["transactions"] == 7


@pytest.mark.parametrize("unapplied", [{}, {FORWARD: None, REVERSE: 0}, {FORWARD: 3}])
def test_plan__count_unknown__refused_unless_the_loss_is_accepted(unapplied: dict[Direction, int | None]) -> None:
    refused = plan_remove(classic(), unapplied=unapplied)
    assert set(refusing(refused)) == {"unapplied_unknown"}
    assert refused.loss["transactions"] is None
    accepted = sound(plan_remove(classic(), unapplied=unapplied, accepts_loss=True))
    assert {f.severity for f in found_of(accepted, "unapplied_unknown")} == {Severity.WARNING}


def test_plan__one_direction_alone_has_a_channel__the_other_need_not_be_counted() -> None:
    world = classic()
    del world.node("a1").channels["link1"]
    plan = sound(plan_remove(world, unapplied={FORWARD: 0}))
    assert {step.node for step in plan.steps if step.sql} == {"b1"}
    assert plan.loss["transactions"] == 0


@pytest.mark.parametrize("is_reconciled", [False, True])
def test_plan__failover_not_reprotected__refused_with_what_would_be_lost(is_reconciled: bool) -> None:
    world = classic()
    world.divergence = divergence(is_reconciled=is_reconciled)
    found = refusing(plan_remove(world))
    assert set(found) == {"reprotect_first"}
    assert "cluster-b was lost in a failover" in found["reprotect_first"].message
    assert "could not be listed" in found["reprotect_first"].message
    assert found["reprotect_first"].remedy == "Reprotect cluster-b first."


@pytest.mark.parametrize("is_expelled", [False, True])
@pytest.mark.parametrize(
    ("node", "says"), [("b1", "held the forward channel"), ("a1", "held the reverse channel"), ("b3", "may hold a")]
)
def test_plan__node_down__refused_whether_it_was_expelled_or_not(node: str, says: str, is_expelled: bool) -> None:
    world = classic()
    world.kill(node, reach=Reach.HUNG, is_expelled=is_expelled)
    found = refusing(plan_remove(world))
    assert set(found) == {"node_may_hold_channel"}
    assert says in found["node_may_hold_channel"].message
    assert "retire the link and leave its channels" in found["node_may_hold_channel"].remedy


@pytest.mark.parametrize("node", ["b1", "a1", "b3"])
def test_plan__channels_of_a_node_unread__refused(node: str) -> None:
    world = classic()
    world.node(node).are_channels_readable = False
    assert "channels_unknown" in refusing(plan_remove(world))


def _unsynced(world: FakeWorld) -> None:
    world.node("b1").local_state = 2


def _no_channels(world: FakeWorld) -> None:
    for node in world.nodes:
        node.channels.clear()


def _nameless_server(world: FakeWorld) -> None:
    world.node("b1").unsaid = "datadir"


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (_unsynced, "node_not_ready"),
        (_no_channels, "no_channel_to_remove"),
        (_nameless_server, "identity_unknown"),
    ],
)
def test_plan__cannot_be_carried_out__refused_by_name(spoil: Callable[[FakeWorld], None], code: str) -> None:
    world = classic()
    spoil(world)
    plan = plan_remove(world)
    assert set(refusing(plan)) == {code}
    assert plan.steps == ()


def test_plan__another_run_unfinished__refused() -> None:
    assert "run_unfinished" in refusing(plan_remove(classic(), unfinished_run_id="r_other"))


def test_plan__channel_of_another_source__named_and_not_touched() -> None:
    world = classic()
    world.feed("b2", name="reports")
    (told,) = found_of(plan_remove(world), "other_channel_stays")
    assert told.severity is Severity.INFO
    assert "10.9.9.9:3306" in told.message
    assert "server_id 900 answers there" in told.message
    assert told.facts["choice"] == "b2/reports"
    memory = run_to_end(world, sound(plan_remove(world)))
    assert memory.ended.state == "succeeded"
    assert [(node.name, list(node.channels)) for node in world.nodes if node.channels] == [("b2", ["reports"])]


@pytest.mark.parametrize(
    ("server_id", "severity"), [(11, Severity.BLOCKER), (22, Severity.BLOCKER), (None, Severity.UNKNOWN)]
)
def test_plan__channel_by_a_virtual_address__refused_until_it_is_named_and_then_removed(
    server_id: int | None, severity: Severity
) -> None:
    """It would replicate on when the plan says that replication ends."""
    world = classic()
    world.feed("b2", server_id, name="vip", host="vip.example")
    (told,) = refusing(plan_remove(world)).values()
    assert (told.code, told.severity, told.facts["option"]) == ("other_channel_stays", severity, "remove_also")
    plan = sound(plan_remove(world, options={"remove_also": ["b2/vip"]}))
    assert [(step.code, step.node) for step in plan.steps if step.sql] == [
        ("stop_channel", "b2"),
        ("stop_channel", "b1"),
        ("stop_channel", "a1"),
        ("reset_channel", "b1"),
        ("reset_channel", "a1"),
        ("reset_channel", "b2"),
    ]
    assert next(step.undo for step in plan.steps if step.code == "stop_channel") == ("START SLAVE 'vip'",)
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded"
    assert not any(node.channels for node in world.nodes)


def test_plan__third_server_named__removed_alone_where_the_link_has_no_channel() -> None:
    world = classic()
    _no_channels(world)
    world.feed("b2", name="")
    assert set(refusing(plan_remove(world))) == {"no_channel_to_remove"}
    plan = sound(plan_remove(world, options={"remove_also": ["b2/"]}))
    assert [step.point_of_no_return for step in plan.steps if step.sql] == [False, True]
    assert run_to_end(world, plan).ended.state == "succeeded"


def test_plan__name_that_no_channel_has__refused() -> None:
    found = refusing(plan_remove(classic(), options={"remove_also": ["b1/link1"]}))
    assert set(found) == {"other_channel_not_found"}


def test_run__channel_by_a_virtual_address_is_made_meanwhile__not_taken_for_removed() -> None:
    world = classic()
    plan = sound(plan_remove(world))
    made = at_start_of("verify_channels_removed", lambda: world.feed("b3", 11, name="vip"))
    assert run_to_end(world, plan, on_transition=made).ended.state != "succeeded"


def removed_under_writes(*, by_gtid: bool = False) -> tuple[FakeWorld, Memory]:
    """A whole run under writes; what is written last has not arrived."""
    world = classic(by_gtid=by_gtid)
    world.has_workload, world.backlog = True, 2
    return world, run_to_end(world, sound(plan_remove(world)))


@pytest.mark.parametrize("by_gtid", [False, True])
def test_run__under_writes__positions_recorded_with_which_everything_arrives_once(by_gtid: bool) -> None:
    """The channels are set up again by hand, where the run says that they stopped."""
    world, memory = removed_under_writes(by_gtid=by_gtid)
    assert memory.ended.state == "succeeded"
    assert not any(node.channels for node in world.nodes)
    for _ in range(9):
        world.tick()
    assert world.faults(is_ended=True) == []
    assert world.faults() != [], "nothing was written that did not arrive"
    for step in memory.plan.steps:
        if step.code != "stop_channel":
            continue
        facts, node = memory.done[step.index], world.node(str(step.node))
        assert facts["gtid"] == str(node.slave_pos)
        channel = world.connect(str(step.params["source_name"]), node.name, is_running=False)
        channel.position = channel.read = FilePosition.parse(facts["position"])
        world.execute(node, "START SLAVE 'link1'")
    world.converge()
    assert world.faults() == []


def test_run__fails_before_the_first_removal__the_channels_run_again() -> None:
    world, plan = situation("remove_channels_and_a_stray").build()

    def start_again() -> None:
        channel = world.node("b1").channels["link1"]
        channel.io = channel.sql = "Yes"

    memory = run_to_end(world, plan, on_transition=at_start_of("reset_channel", start_again))
    assert memory.ended.state == "failed"
    assert {e.verb for e in world.executed} == {"STOP", "START"}
    assert world.node("a1").channels["link1"].is_running


def test_run__node_joins_with_a_channel_before_the_end__not_called_done() -> None:
    world, plan = situation("remove_channels").build()
    act = at_start_of("verify_channels_removed", lambda: world.connect("a2", "b2"))
    memory = run_to_end(world, plan, on_transition=act)
    assert memory.ended.state == "needs_operator"
    assert "b2 has a channel from a2" in memory.ended.sentence
    run_to_end(world, sound(plan_remove(world)))
    memory.end = None
    Walker(world, FakeGateway(world), memory).run()
    assert memory.ended.state == "succeeded"


def test_run__node_stops_answering_before_the_end__not_called_done() -> None:
    world, plan = situation("remove_channels").build()
    hang = at_start_of("verify_channels_removed", lambda: world.kill("b2", reach=Reach.HUNG, is_expelled=False))
    memory = run_to_end(world, plan, on_transition=hang)
    assert memory.ended.state == "needs_operator"
    assert "b2 is not responding" in memory.ended.sentence
