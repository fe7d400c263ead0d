"""Events of the event scheduler at a change of the active side: by name, in the right order, on one node at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.checks.run import run_checks
from backend.core.dialects import dialect_for
from backend.core.dialects.base import DialectError
from backend.core.dialects.event_statements import DISABLE_ON_SLAVE, ENABLE, alter_event
from backend.core.facts.side_events import event_moves, run_nowhere
from backend.core.findings import Finding, Severity
from backend.core.link_state.findings import _events
from backend.core.plan import Plan
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.switchover import SWITCHOVER_CHECKS
from backend.core.runner.transitions import StepStarted
from backend.core.topology import NodeEvent
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.sites import context_of_switch, passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

EVENT = NodeEvent("shop", "purge", "app@%", "ENABLED", 11)
ALTER = "ALTER DEFINER='app'@'%' EVENT `shop`.`purge` "


def scheduled(world: FakeWorld, *, runs_on: str = "a1", scheduler: str = "ON") -> FakeWorld:
    """An event that one node runs and every other one has."""
    for node in world.nodes:
        node.variables["event_scheduler"] = scheduler
        status = "ENABLED" if node.name == runs_on else "SLAVESIDE_DISABLED"
        node.events = [replace(EVENT, status=status, originator=world.node(runs_on).server_id)]
    return passive(world)


def found_in(plan: Plan) -> dict[str, Finding]:
    """Findings of events by code."""
    return {finding.code: finding for finding in plan.findings if finding.code.startswith("event")}


def altering(plan: Plan) -> list[tuple[str, str | None, str]]:
    """The steps that alter events."""
    return [(step.code, step.node, step.sql[0]) for step in plan.steps if step.code.endswith("_event")]


def codes(plan: Plan) -> list[str]:
    """What is done, in order."""
    return [step.code for step in plan.steps]


def test_switchover__event_runs__disabled_before_the_fence_and_enabled_once_the_side_is_open() -> None:
    plan = plan_switchover(scheduled(FakeWorld.classic()))
    assert altering(plan) == [
        ("disable_event", "a1", f"{ALTER}DISABLE ON SLAVE"),
        ("enable_event", "b1", f"{ALTER}ENABLE"),
    ]
    order = codes(plan)
    assert order.index("disable_event") < order.index("fence")
    assert order.index("enable_event") > max(i for i, code in enumerate(order) if code == "unfence")
    finding = found_in(plan)["events_switched"]
    assert finding.severity is Severity.INFO
    assert finding.facts["now"] == {"a1": "ENABLED"} | dict.fromkeys(
        ("a2", "a3", "b1", "b2", "b3"), "SLAVESIDE_DISABLED"
    )
    assert finding.facts["after"] == {"b1": "ENABLED"} | dict.fromkeys(
        ("a1", "a2", "a3", "b2", "b3"), "SLAVESIDE_DISABLED"
    )


def test_switchover__walked__the_event_runs_on_one_node_of_the_new_side() -> None:
    world = scheduled(FakeWorld.classic())
    memory = Memory(plan_switchover(world))
    Walker(world, FakeGateway(world), memory).run()
    assert memory.end is not None
    assert memory.end.state == "succeeded", memory.end
    assert [node.name for node in world.nodes if node.events[0].status == "ENABLED"] == ["b1"]


def test_switchover__no_scheduler_runs__events_are_not_asked_for() -> None:
    world = scheduled(FakeWorld.classic(), scheduler="OFF")
    plan = plan_switchover(world, events={})
    assert found_in(plan) == {}
    assert altering(plan) == []


@pytest.mark.parametrize("scheduler", ["ON", None])
def test_switchover__events_of_a_node_unknown__refused_and_the_grant_is_named(scheduler: str | None) -> None:
    world = scheduled(FakeWorld.classic())
    for node in world.nodes:
        if scheduler is None:
            del node.variables["event_scheduler"]
    ctx = context_of_switch(world)
    unread = {node_id: events for node_id, events in ctx.events.items() if node_id != world.node("b2").ref.id}
    plan = plan_switchover(world, events=unread)
    finding = found_in(plan)["events_unknown"]
    assert finding.severity is Severity.UNKNOWN
    assert "b2" in finding.message
    assert "GRANT SELECT ON `mysql`.`event`" in finding.remedy.upper().replace("`MYSQL`.`EVENT`", "`mysql`.`event`")
    assert plan.is_refused


def test_switchover__events_left__none_altered_and_said_with_the_statement() -> None:
    world = scheduled(FakeWorld.classic())
    plan = plan_switchover(world, events={}, events_choice="leave")
    assert found_in(plan)["events_unknown"].severity is Severity.WARNING
    plan = plan_switchover(world, events_choice="leave")
    assert altering(plan) == []
    left = found_in(plan)["events_left"]
    assert left.severity is Severity.WARNING
    assert f"{ALTER}ENABLE" in left.remedy
    assert not plan.is_refused


@pytest.mark.parametrize(("choice", "severity"), [("", Severity.WARNING), ("switch", Severity.BLOCKER)])
@pytest.mark.parametrize("lacking", [("EVENT ON `shop`.*", "SET USER ON *.*"), None])
def test_switchover__account_may_not_alter_it_or_it_is_unknown__left_and_named(
    choice: str, severity: Severity, lacking: tuple[str, ...] | None
) -> None:
    world = scheduled(FakeWorld.classic())
    b1 = world.node("b1").ref.id
    lacks = {**context_of_switch(world).event_lacks, b1: {} if lacking is None else {EVENT.key: lacking}}
    plan = plan_switchover(world, event_lacks=lacks, events_choice=choice)
    left = found_in(plan)["events_left"]
    assert left.severity is severity
    assert ("SET USER" in left.message) is (lacking is not None)
    assert altering(plan) == []


def test_switchover__target_runs_no_scheduler__one_that_does_is_taken_else_said() -> None:
    world = scheduled(FakeWorld.classic())
    world.node("b1").variables["event_scheduler"] = "OFF"
    assert altering(plan_switchover(world))[1][1] == "b2"
    for name in ("b2", "b3"):
        world.node(name).variables["event_scheduler"] = "OFF"
    finding = found_in(plan_switchover(world))["events_switched"]
    assert finding.severity is Severity.WARNING
    assert "SET GLOBAL event_scheduler=ON on b1" in finding.remedy


def test_switchover__target_refuses_statements_on_events__one_that_takes_them_else_left() -> None:
    """A server that was started with event_scheduler=DISABLED takes no ALTER EVENT, and no SET GLOBAL that mends it."""
    world = scheduled(FakeWorld.classic())
    world.node("b1").variables["event_scheduler"] = "OFF"
    world.node("b2").variables["event_scheduler"] = "DISABLED"
    world.node("b3").variables["event_scheduler"] = "OFF"
    assert altering(plan_switchover(world))[1][1] == "b1"
    for name in ("b1", "b3"):
        world.node(name).variables["event_scheduler"] = "DISABLED"
    plan = plan_switchover(world)
    assert altering(plan) == []
    assert "takes statements on events" in found_in(plan)["events_left"].message


@pytest.mark.parametrize(("choice", "severity"), [("", Severity.WARNING), ("switch", Severity.BLOCKER)])
@pytest.mark.parametrize("holder", ["a1", "b1"])
@pytest.mark.parametrize("scheduler", ["DISABLED", None])
def test_switchover__holder_of_a_channel_refuses_statements_on_events__left_before_the_channel_stops_on_one(
    holder: str, scheduler: str | None, choice: str, severity: Severity
) -> None:
    world = scheduled(FakeWorld.classic(), runs_on="a2")
    world.node(holder).variables |= {"event_scheduler": scheduler or ""}
    plan = plan_switchover(world, events_choice=choice)
    left = found_in(plan)["events_left"]
    assert left.severity is severity
    assert f"DISABLED, or unknown, on {holder} " in left.message
    assert altering(plan) == []


@pytest.mark.parametrize(
    ("at", "name", "state"), [("disable_event", "a1", "failed"), ("enable_event", "b1", "succeeded")]
)
@pytest.mark.parametrize("change", ["dropped", "disabled", "made anew"])
def test_event__changed_since_the_plan__stops_a_run_before_the_fence_and_none_behind_it(
    at: str, name: str, state: str, change: str
) -> None:
    """Dropped, disabled or over, or made anew by another definer: whoever did it decides."""
    world = scheduled(FakeWorld.classic())
    node, memory = world.node(name), Memory(plan_switchover(world))
    now = {
        "dropped": [],
        "disabled": [replace(node.events[0], status="DISABLED")],
        "made anew": [replace(node.events[0], definer="new@%")],
    }[change]

    def on_transition(transition: object) -> None:
        if isinstance(transition, StepStarted) and transition.step.code == at:
            node.events = list(now)

    Walker(world, FakeGateway(world), memory, on_transition=on_transition).run()
    assert memory.ended.state == state, memory.ended
    assert node.events == now


def test_statement__definer_that_does_not_exist__its_note_is_no_fault() -> None:
    """Measured: each ALTER EVENT that names it brings the note, and changes the event."""
    note = "Note 1449: The user specified as a definer ('ghost'@'%') does not exist"
    assert dialect_for("mariadb", "10.11.19-MariaDB").is_expected_note(note)


def test_switchover__event_is_not_on_the_other_side__left_and_said() -> None:
    world = scheduled(FakeWorld.classic())
    for name in ("b1", "b2", "b3"):
        world.node(name).events = []
    plan = plan_switchover(world)
    assert "no node of" in found_in(plan)["events_left"].message
    assert altering(plan) == []


def test_switchover__disabled_event__stays_as_it_is() -> None:
    world = scheduled(FakeWorld.classic())
    world.node("a1").events = [replace(EVENT, status="DISABLED")]
    plan = plan_switchover(world)
    assert altering(plan) == []
    assert found_in(plan) == {}


def test_failover__event_ran_on_the_lost_side__enabled_on_the_survivor_and_named() -> None:
    world = scheduled(FakeWorld.classic())
    world.kill_side(world.a)
    plan = plan_failover(world)
    assert altering(plan) == [("enable_event", "b1", f"{ALTER}ENABLE")]
    assert codes(plan).index("enable_event") > codes(plan).index("unfence")


def test_failover__lost_side_was_never_read__named_and_not_refused() -> None:
    world = scheduled(FakeWorld.classic())
    world.kill_side(world.a)
    known = {node.ref.id: tuple(node.events) for node in world.b.nodes}
    plan = plan_failover(world, events=known)
    assert not plan.is_refused
    assert altering(plan) == []
    assert f"{ALTER}ENABLE" in found_in(plan)["events_not_enabled"].remedy


def link_findings_of(world: FakeWorld, active: str) -> dict[str, Finding]:
    """What the link's page says of events, read on every node."""
    link = replace(world.facts(active), events={node.ref.id: tuple(node.events) for node in world.nodes})
    return {finding.code: finding for finding in _events(link)}


def test_link__event_left_on_the_old_side__shown_until_it_is_enabled() -> None:
    world = scheduled(FakeWorld.classic())
    after = link_findings_of(world, world.b.id)
    assert f"{ALTER}ENABLE" in after["events_not_enabled"].remedy
    assert "a1" in after["event_scheduler_on"].message
    world.execute(world.node("b1"), f"{ALTER}ENABLE")
    assert link_findings_of(world, world.b.id) == {}


def test_link__before_any_switch__nothing_is_said() -> None:
    world = scheduled(FakeWorld.classic())
    assert link_findings_of(world, world.a.id) == {}


def test_link__a_node_of_the_active_side_was_not_read__nothing_is_concluded() -> None:
    world = scheduled(FakeWorld.classic())
    link = world.facts(world.b.id)
    read = {node.ref.id: tuple(node.events) for node in world.b.nodes if node.name != "b3"}
    assert run_nowhere(link.active, link.standby, read) == ()


def test_link__disabled_on_the_node_that_has_it__is_no_event_that_is_missed() -> None:
    world = scheduled(FakeWorld.classic())
    world.node("a1").events = [replace(EVENT, status="DISABLED")]
    assert link_findings_of(world, world.b.id) == {}


@pytest.mark.parametrize(
    ("schema", "name", "definer", "change"),
    [
        ("mysql", "e", "a@%", ENABLE),
        ("shop", "e", "a", ENABLE),
        ("shop", "e", "a'b@%", ENABLE),
        ("shop", "e\n", "a@%", ENABLE),
        ("shop", "e", "a@%", "DISABLE"),
        ("shop", "{{secret:replication}}", "a@%", ENABLE),
    ],
)
def test_statement__unsafe_part_or_other_change__refused(schema: str, name: str, definer: str, change: str) -> None:
    with pytest.raises(DialectError):
        alter_event(schema, name, definer, change)


def test_statement__names_with_backticks__quoted() -> None:
    wanted = "ALTER DEFINER='a'@'%' EVENT `s``x`.`e` DISABLE ON SLAVE"
    assert alter_event("s`x", "e", "a@%", DISABLE_ON_SLAVE) == wanted


def test_moves__event_runs_on_two_nodes__both_are_disabled() -> None:
    world = scheduled(FakeWorld.classic())
    world.node("a2").events = [EVENT]
    ctx: Any = context_of_switch(world)
    (move,) = event_moves(ctx.link.active, ctx.link.standby, ctx.events, ctx.pair[1])
    assert [node.node.name for node in move.runs_on] == ["a1", "a2"]


def test_registry__each_change_of_the_active_side_asks_for_events() -> None:
    world = scheduled(FakeWorld.classic())
    ctx = replace(context_of_switch(world), events={})
    for checks in (SWITCHOVER_CHECKS, FAILOVER_CHECKS):
        assert "events_unknown" in {finding.code for finding in run_checks(ctx, checks)}
