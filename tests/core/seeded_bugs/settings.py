"""Rules of changing settings on running nodes, each taken out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

DECIDE, WHY, STEPS = "plans.configure", "plans.setting_findings", "steps.sides.settings"
BEFORE = [("4", "2")] * 3


def _refused_by(core: Copy, values: dict[str, str] | None = None, **more: Any) -> set[str]:
    world = core["tests.fakes.world"].FakeWorld.classic()
    plan = core["tests.fakes.plans"].plan_configure(world, values, **more)
    return {finding.code for finding in plan.findings if finding.refuses}


def _run(core: Copy, act: Callable[[Any, Any], None], at: str, **faults: str) -> tuple[Any, Any, Any]:
    """A run during which a person acts as the first step of that code begins."""
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world = core["tests.fakes.world"].FakeWorld.classic()
    memory = driver.Memory(core["tests.fakes.plans"].plan_configure(world))
    gateway = gateways.FakeGateway(world, {int(k[1:]): gateways.Fault(v) for k, v in faults.items()})
    walker = driver.Walker(world, gateway, memory)
    walker.on_transition = driver.at_start_of(at, lambda: act(world, walker))
    walker.run()
    return world, memory, gateway


def _windows(world: Any) -> list[tuple[str, str]]:
    return [(one.options["evs.send_window"], one.options["evs.user_send_window"]) for one in world.active.nodes]


def _nothing(world: Any, walker: Any) -> None:
    del world, walker


def _form_again(world: Any, walker: Any) -> None:
    del walker
    world.active.conf_id += 1


def _desync(world: Any, walker: Any) -> None:
    del walker
    world.node("a2").local_state = 2


def _change(world: Any, walker: Any) -> None:
    del walker
    world.node("a1").options["evs.send_window"] = "8"


def _other_run(world: Any, walker: Any) -> None:
    del world
    walker.console.other_run = "Run r_1 (switchover) of payments is unfinished"


def _meddle(world: Any, walker: Any) -> None:
    world.node("a2").options["evs.send_window"] = "1024"
    walker.memory.request_abort()


def _second_untouched(core: Copy, act: Callable[[Any, Any], None]) -> bool:
    world, memory, gateway = _run(core, act, "verify_node_health")
    return memory.end.state == "failed" and {n for n, _ in gateway.sent} == {"a2"} and _windows(world) == BEFORE


def _all_undone(core: Copy) -> bool:
    world, memory, _ = _run(core, _nothing, "recheck", f4="refused")
    return memory.end.state == "failed" and _windows(world) == BEFORE


def _nothing_sent(core: Copy, act: Callable[[Any, Any], None]) -> bool:
    return not _run(core, act, "recheck_settings")[2].sent


def _foreign_kept(core: Copy) -> bool:
    world, memory, _ = _run(core, _meddle, "verify_node_health")
    return memory.end.state == "needs_operator" and _windows(world)[1][0] == "1024"


def _first_is_free(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld.classic()
    plan = core["tests.fakes.plans"].plan_configure(world)
    return next(step.node for step in plan.steps if step.node) != "a1"


def _bound_first(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld.classic()
    plan = core["tests.fakes.plans"].plan_configure(world)
    return next(step for step in plan.steps if step.sql).params["setting"] == "evs.send_window"


RULES = (
    Rule(
        "one_node_is_watched_before_the_second_is_changed",
        (
            (
                DECIDE,
                "        _watch_step(steps, facts[node.node_id], FIRST_NODE_S if index == 0 else OTHER_NODE_S)\n",
                "",
            ),
        ),
        lambda c: _second_untouched(c, _form_again),
    ),
    Rule(
        "a_cluster_that_was_formed_again_stops_the_change",
        ((STEPS, "    return known is not None and facts.wsrep.conf_id != known", "    return False"),),
        lambda c: _second_untouched(c, _form_again),
    ),
    Rule(
        "a_node_that_is_not_synced_stops_the_change",
        ((STEPS, "    if wsrep.local_state != SYNCED or not", "    if False and not"),),
        lambda c: _second_untouched(c, _desync),
    ),
    Rule(
        "a_failed_step_sets_every_value_back",
        ((STEPS, "        return step.undo[0]", "        return None"),),
        _all_undone,
    ),
    Rule(
        "a_value_that_was_set_outside_the_run_is_not_overwritten",
        ((STEPS, 'if value is None or not same(value, step.params["wanted"]):', "if value is None:"),),
        _foreign_kept,
    ),
    Rule(
        "a_value_that_changed_since_the_plan_sends_nothing",
        ((STEPS, "            if value is None or not same(value, expected):", "            if False:"),),
        lambda c: _nothing_sent(c, _change),
    ),
    Rule(
        "settings_do_not_change_under_another_run_of_the_cluster",
        ((STEPS, "        if other is not None:", "        if False:"),),
        lambda c: _nothing_sent(c, _other_run),
    ),
    Rule(
        "a_node_with_a_channel_is_never_the_first",
        ((DECIDE, "key=lambda node: node.node_id in cluster.channel_nodes", "key=lambda node: node.name"),),
        _first_is_free,
    ),
    Rule(
        "an_option_is_never_above_its_bound",
        ((DECIDE, "        if len(pair) == 2:", "        if False:"),),
        _bound_first,
    ),
    Rule(
        "only_settings_with_a_known_range_are_changed",
        (
            (WHY, "    if allowed is None:", "    if False:"),
            (WHY, "    elif not allowed.accepts(value):", "    elif allowed and not allowed.accepts(value):"),
        ),
        lambda c: bool(_refused_by(c, {"gcache.size": "1G"}) & {"setting_needs_restart"}),
    ),
    Rule(
        "a_value_out_of_its_range_is_refused",
        ((WHY, "    elif not allowed.accepts(value):", "    elif False:"),),
        lambda c: "setting_out_of_range" in _refused_by(c, {"evs.send_window": "0", "evs.user_send_window": "0"}),
    ),
    Rule(
        "an_unknown_privilege_refuses_the_change",
        (
            (WHY, "        if may is None or privilege not in may:", "        if False:"),
            (WHY, "        elif not may[privilege]:", "        elif may and not may[privilege]:"),
        ),
        lambda c: bool(_refused_by(c, may_set={})),
    ),
)


PREVENTS = {
    "one_node_is_watched_before_the_second_is_changed": "a harmful value is on every node before the first one shows it",
    "a_cluster_that_was_formed_again_stops_the_change": "a value that expels nodes is set on the next one",
    "a_node_that_is_not_synced_stops_the_change": "the next node is changed while the first no longer takes part",
    "a_failed_step_sets_every_value_back": "the nodes of a cluster stay with different values",
    "a_value_that_was_set_outside_the_run_is_not_overwritten": "the undo removes a value that an administrator set meanwhile",
    "a_value_that_changed_since_the_plan_sends_nothing": "the undo would restore a value that is not wanted any more",
    "settings_do_not_change_under_another_run_of_the_cluster": "timeouts change in the middle of a switchover",
    "a_node_with_a_channel_is_never_the_first": "a harmful value stops replication of the link",
    "an_option_is_never_above_its_bound": "the server refuses the statement in the middle of the run",
    "only_settings_with_a_known_range_are_changed": "a restart-only option fails on the first node of a run",
    "a_value_out_of_its_range_is_refused": "a value that stops the group communication is sent",
    "an_unknown_privilege_refuses_the_change": "the run stops between two nodes",
}
