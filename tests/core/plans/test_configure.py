"""A change of settings on running nodes: what is refused, the order, and the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.adviser.advice.configuration.ranges import OPTIONS, VARIABLES, range_of
from backend.core.adviser.advice.options.known import KNOWN
from backend.core.adviser.advice.options.variables import EQUAL_VARIABLES
from backend.core.plan import Plan
from backend.core.topology import Reach
from tests.fakes.driver import Memory, Walker, at_start_of, run_to_end
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.plans import SEND_WINDOWS, configuration_of, plan_configure, sound
from tests.fakes.world import FakeWorld

WINDOWS = ("evs.send_window", "evs.user_send_window")


def _world() -> FakeWorld:
    return FakeWorld.classic()


def _refused_by(plan: Plan) -> set[str]:
    return {finding.code for finding in plan.findings if finding.refuses}


def _windows(world: FakeWorld) -> list[tuple[str, str]]:
    return [(node.options[WINDOWS[0]], node.options[WINDOWS[1]]) for node in world.active.nodes]


def test_plan__send_windows__a_node_without_a_channel_first_and_watched_before_the_next() -> None:
    plan = sound(plan_configure(_world()))
    one_node = ["set_setting", "set_setting", "verify_node_health"]
    assert [step.code for step in plan.steps] == ["recheck", "recheck_settings", *one_node * 3, "verify_settings"]
    assert list(dict.fromkeys(step.node for step in plan.steps if step.node)) == ["a2", "a3", "a1"]
    assert not any(step.point_of_no_return for step in plan.steps)


@pytest.mark.parametrize(
    ("values", "first"),
    [
        ({"evs.user_send_window": "512", "evs.send_window": "512"}, "evs.send_window"),
        ({"evs.send_window": "2", "evs.user_send_window": "1"}, "evs.user_send_window"),
        ({"evs.suspect_timeout": "PT30S", "evs.inactive_timeout": "PT1M"}, "evs.inactive_timeout"),
        ({"evs.inactive_timeout": "PT6S", "evs.suspect_timeout": "PT3S"}, "evs.suspect_timeout"),
    ],
)
def test_plan__option_and_its_bound__never_above_it(values: dict[str, str], first: str) -> None:
    plan = sound(plan_configure(_world(), values))
    assert plan.steps[2].params["setting"] == first


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"gcache.size": "1G"}, "setting_needs_restart"),
        ({"log_slave_updates": "ON"}, "setting_needs_restart"),
        ({"evs.no_such": "1"}, "setting_not_changed_by_plans"),
        ({"pc.ignore_sb": "true"}, "setting_not_changed_by_plans"),
        ({"binlog_format": "ROW"}, "setting_not_changed_by_plans"),
        ({"evs.send_window": "0"}, "setting_out_of_range"),
        ({"evs.send_window": "512; pc.ignore_sb=true"}, "setting_out_of_range"),
        ({"evs.inactive_timeout": "soon"}, "setting_out_of_range"),
        ({"evs.user_send_window": "512"}, "settings_out_of_order"),
        ({"evs.send_window": "1"}, "settings_out_of_order"),
        ({"gcs.fc_limit": "16"}, "nothing_to_configure"),
        ({"repl.max_ws_size": "1M"}, "settings_unread"),
    ],
)
def test_plan__setting_that_cannot_be_changed__refused(values: dict[str, str], code: str) -> None:
    assert code in _refused_by(plan_configure(_world(), values))


def test_plan__node_down__refused_by_reachability() -> None:
    world = _world()
    world.kill("a3")
    assert "node_unreachable" in _refused_by(plan_configure(world))


def test_plan__node_not_synced__refused() -> None:
    world = _world()
    world.node("a3").local_state = 2
    assert "node_not_synced" in _refused_by(plan_configure(world))


def test_plan__settings_of_a_node_unread__refused() -> None:
    world = _world()
    known = configuration_of(world)
    unread = replace(known.nodes[1], read_at_s=None, options={}, error="no response within 4 s")
    cluster = replace(known, nodes=(known.nodes[0], unread, known.nodes[2]))
    assert _refused_by(plan_configure(world, cluster=cluster)) == {"settings_unread"}


def test_plan__provider_plugin__refused_for_options_only() -> None:
    world = _world()
    for node in world.active.nodes:
        node.variables["sync_binlog"] = "1"
    known = configuration_of(world)
    cluster = replace(known, nodes=tuple(replace(node, has_plugin=True) for node in known.nodes))
    assert _refused_by(plan_configure(world, cluster=cluster)) == {"setting_by_provider_plugin"}
    sound(plan_configure(world, {"sync_binlog": "0"}, cluster=cluster))


def test_plan__privilege_missing_or_unknown__refused() -> None:
    world = _world()
    lacking = {node.ref.id: {"SUPER": False, "BINLOG ADMIN": True} for node in world.active.nodes}
    assert _refused_by(plan_configure(world, may_set=lacking)) == {"setting_privilege_missing"}
    assert _refused_by(plan_configure(world, may_set={})) == {"setting_privilege_unknown"}


def test_run__undisturbed__every_node_has_the_values() -> None:
    world = _world()
    memory = run_to_end(world, sound(plan_configure(world)))
    assert memory.ended.state == "succeeded", memory.failures
    assert _windows(world) == [("512", "512")] * 3


@pytest.mark.parametrize("ordinal", range(1, 7))
def test_run__statement_refused__all_undone_in_reverse_order(ordinal: int) -> None:
    world = _world()
    gateway = FakeGateway(world, {ordinal: Fault.REFUSED})
    memory = run_to_end(world, sound(plan_configure(world)), gateway)
    assert memory.ended.state == "failed"
    assert _windows(world) == [("4", "2")] * 3
    sent = [(node, sql.partition("'")[2].partition("=")[0]) for node, sql in gateway.sent]
    assert sent[ordinal:] == sent[: ordinal - 1][::-1]


def test_run__cluster_formed_again_after_the_first_node__undone_and_the_second_untouched() -> None:
    world = _world()
    gateway = FakeGateway(world)

    def form_again() -> None:
        world.active.conf_id += 1

    memory = run_to_end(
        world, sound(plan_configure(world)), gateway, on_transition=at_start_of("verify_node_health", form_again)
    )
    assert memory.ended.state == "failed"
    assert "formed again" in memory.failures[0]
    assert {node for node, _ in gateway.sent} == {"a2"}
    assert _windows(world) == [("4", "2")] * 3


def test_run__node_desynced_for_good__undone() -> None:
    world = _world()

    def desync() -> None:
        world.node("a2").local_state = 2

    memory = run_to_end(world, sound(plan_configure(world)), on_transition=at_start_of("verify_node_health", desync))
    assert memory.ended.state == "failed"
    assert _windows(world) == [("4", "2")] * 3


def test_run__value_changed_since_the_plan__nothing_sent() -> None:
    world = _world()
    plan = sound(plan_configure(world))
    world.node("a1").options["evs.send_window"] = "8"
    gateway = FakeGateway(world)
    memory = run_to_end(world, plan, gateway)
    assert memory.ended.state == "failed"
    assert gateway.sent == []


def test_run__other_run_on_the_cluster__nothing_sent() -> None:
    world = _world()
    memory, gateway = Memory(sound(plan_configure(world))), FakeGateway(world)
    walker = Walker(world, gateway, memory)
    walker.console.other_run = "Run r_1 (switchover) of payments is unfinished"
    walker.run()
    assert memory.ended.state == "failed"
    assert gateway.sent == []


def test_undo__value_set_outside_the_run__kept_and_an_operator_decides() -> None:
    world = _world()
    memory = Memory(sound(plan_configure(world)))

    def interfere() -> None:
        world.node("a2").options["evs.send_window"] = "1024"
        memory.request_abort()

    Walker(world, FakeGateway(world), memory, on_transition=at_start_of("verify_node_health", interfere)).run()
    # The abort is granted before the next node; the foreign value stays, the other one goes back.
    assert memory.ended.state == "needs_operator"
    assert _windows(world)[1] == ("1024", "2")


def test_undo__node_unreachable__others_undone_and_an_operator_told() -> None:
    world = _world()
    plan = sound(plan_configure(world))

    def hang() -> None:
        world.kill("a3", reach=Reach.HUNG, is_expelled=False)

    def act(transition: object) -> None:
        step = getattr(transition, "step", None)
        if step is not None and step.code == "verify_node_health" and step.node == "a3":
            hang()

    memory = run_to_end(world, plan, on_transition=act)
    assert memory.ended.state == "needs_operator"
    assert _windows(world)[1] == ("4", "2")
    assert "evs.send_window=4" in memory.ended.next_action


def test_ranges__every_setting__is_dynamic_and_its_recommended_values_are_accepted() -> None:
    assert all(KNOWN[name].is_dynamic for name in OPTIONS)
    assert all(EQUAL_VARIABLES[name].is_dynamic for name in VARIABLES if name in EQUAL_VARIABLES)
    accepted = [range_of(name) for name in SEND_WINDOWS]
    assert all(found and found.accepts("512") and "65,536" in found.sentence for found in accepted)
