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
    "a_privilege_that_is_missing_leaves_the_event": "a run fails at an event behind the point of no return",
}


def _world(core: Copy) -> Any:
    test = core["tests.core.plans.test_events"]
    return test.scheduled(core["tests.fakes.world"].FakeWorld().classic())


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
)
