"""The rules by which events of the event scheduler follow the active side."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

PREVENTS = {
    "events_that_were_not_read_refuse": "a switchover stops the application's events, and no plan says so",
    "an_event_is_disabled_before_the_fence": "an event of the old side writes on through the fence",
    "an_event_is_enabled_on_the_new_side": "after a switchover an event runs on no node of the active side",
    "an_events_definer_is_named": "the operator account becomes the definer of the application's events",
    "what_runs_on_no_node_is_shown": "an event that was left does nothing, and no page shows it",
    "an_event_stays_where_its_statement_would_stop_a_channel": "replication stops with error 1577 in a switchover",
    "an_event_is_enabled_where_statements_on_events_are_taken": "a run fails at an event behind the point of no return",
    "an_event_that_is_gone_stops_a_run_before_the_fence": "an event that a person disabled runs on the other side",
    "an_event_that_is_gone_stops_no_run_behind_the_fence": "a switchover stops half done for an event that is over",
    "a_privilege_that_is_missing_leaves_the_event": "a run fails at an event behind the point of no return",
}


def _world(core: Copy) -> Any:
    test = core["tests.core.plans.test_events"]
    return test.scheduled(core["tests.fakes.world"].FakeWorld.classic())


def _statements(core: Copy, **more: Any) -> list[tuple[str, str]]:
    plan = core["tests.fakes.sites"].plan_switchover(_world(core), **more)
    return [(step.code, step.sql[0]) for step in plan.steps if step.code.endswith("_event")]


def _refuses_unread(core: Copy) -> bool:
    return bool(core["tests.fakes.sites"].plan_switchover(_world(core), events={}).is_refused)


def _leaves_what_it_may_not(core: Copy) -> bool:
    world = _world(core)
    key = world.node("a1").events[0].key
    lacks = {node.ref.id: {key: ("EVENT ON `shop`.*",)} for node in world.nodes}
    return not _statements(core, event_lacks=lacks)


def _shows(core: Copy) -> bool:
    world = _world(core)
    return "events_not_enabled" in core["tests.core.plans.test_events"].link_findings_of(world, world.b.id)


def _stays_where_a_channel_would_stop(core: Copy) -> bool:
    world = _world(core)
    world.node("b1").variables["event_scheduler"] = "DISABLED"
    return not _plan_of(core, world)


def _plan_of(core: Copy, world: Any) -> list[str]:
    plan = core["tests.fakes.sites"].plan_switchover(world)
    return [step.code for step in plan.steps if step.code.endswith("_event")]


def _is_enabled_where_taken(core: Copy) -> bool:
    world = _world(core)
    for node in world.b.nodes:
        node.variables["event_scheduler"] = "DISABLED"
    moves = core["backend.core.facts.side_events"].event_moves
    ctx = core["tests.fakes.sites"].context_of_switch(world)
    return all(move.target is None for move in moves(ctx.link.active, ctx.link.standby, ctx.events, ctx.pair[1]))


def _stops_at_one_that_was_dropped(core: Copy) -> bool:
    return _ends_with_events_gone(core, "disable_event", "a1") == "failed"


def _goes_on_without_one_that_is_gone(core: Copy) -> bool:
    return _ends_with_events_gone(core, "enable_event", "b1") == "succeeded"


def _ends_with_events_gone(core: Copy, at: str, name: str) -> str:
    world, driver = _world(core), core["tests.fakes.driver"]
    memory = driver.Memory(core["tests.fakes.sites"].plan_switchover(world))

    def on_transition(transition: Any) -> None:
        if type(transition).__name__ == "StepStarted" and transition.step.code == at:
            world.node(name).events = []

    gateway = core["tests.fakes.gateway"].FakeGateway(world)
    driver.Walker(world, gateway, memory, on_transition=on_transition).run()
    return str(memory.ended.state)


RULES = (
    Rule(
        "events_that_were_not_read_refuse",
        (("checks.events", "Severity.UNKNOWN if refuses else Severity.WARNING", "Severity.WARNING"),),
        _refuses_unread,
    ),
    Rule(
        "an_event_is_disabled_before_the_fence",
        (("plans.switchover", "    disable_event_steps(steps, moved_events(ctx))\n", ""),),
        lambda core: "disable_event" in dict(_statements(core)),
    ),
    Rule(
        "an_event_is_enabled_on_the_new_side",
        (("plans.switchover", "    enable_event_steps(steps, moved_events(ctx))\n", ""),),
        lambda core: "enable_event" in dict(_statements(core)),
    ),
    Rule(
        "an_events_definer_is_named",
        (("dialects.event_statements", 'f"ALTER DEFINER={account} EVENT', 'f"ALTER EVENT'),),
        lambda core: all("DEFINER='app'@'%'" in sql for _, sql in _statements(core)),
    ),
    Rule(
        "what_runs_on_no_node_is_shown",
        (("link_state.findings", "    if left:\n        up", "    if False:\n        up"),),
        _shows,
    ),
    Rule(
        "a_privilege_that_is_missing_leaves_the_event",
        (("checks.events", "        if lacks:\n", "        if False:\n"),),
        _leaves_what_it_may_not,
    ),
    Rule(
        "an_event_stays_where_its_statement_would_stop_a_channel",
        (
            (
                "checks.events",
                "            if holder.replica.is_up and not takes_events(holder.replica):",
                "            if False:",
            ),
        ),
        _stays_where_a_channel_would_stop,
    ),
    Rule(
        "an_event_is_enabled_where_statements_on_events_are_taken",
        (("facts.side_events", " and takes_events(node)]", "]"),),
        _is_enabled_where_taken,
    ),
    Rule(
        "an_event_that_is_gone_stops_a_run_before_the_fence",
        (("steps.sides.events", "== ENABLED else Effect.FOREIGN", "== ENABLED else Effect.DONE"),),
        _stops_at_one_that_was_dropped,
    ),
    Rule(
        "an_event_that_is_gone_stops_no_run_behind_the_fence",
        (("steps.sides.events", "effect = Effect.DONE if", "effect = Effect.FOREIGN if"),),
        _goes_on_without_one_that_is_gone,
    ),
)
