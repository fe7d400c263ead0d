"""Rules of settings with which rows are lost, doubled or skipped, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

PREVENTS = {
    "a_log_that_leaves_schemas_out_is_no_source": "rows of a schema never arrive, and the plan says verified",
    "a_replica_that_skips_errors_is_no_replica": "rows are skipped on the new replica without an error",
    "an_unknown_setting_refuses_a_plan": "a node that hides its settings takes the channel",
    "a_replica_that_cannot_read_what_is_sent_is_none": "the new channel stops at the first large row and never starts again",
    "what_the_present_replica_skipped_is_told": "a channel stops on its new replica, and nobody knows that data differs",
    "a_pair_that_leaves_rows_out_is_not_protected": "a standby that lacks rows is called protected and in sync",
    "writes_that_stay_on_a_node_without_a_channel_count": "clients write into a schema that no other node ever receives",
    "a_setting_is_told_before_the_loss": "a node with a filter is found when it is the last one left",
    "what_a_node_does_not_tell_is_shown": "a node hides its settings, and the page is silent until a plan needs it",
    "a_pair_that_hides_a_setting_is_not_protected": "a standby that may lack rows is called protected and in sync",
    "what_a_channel_filters_is_told": "tables are missing after a switchover, and nothing said that they never arrived",
    "a_filter_that_shows_late_stops_a_move": "a channel of a name with a filter of its own leaves rows out, and is verified",
    "a_node_with_a_wrong_setting_is_left_for_the_next": "a link is refused although another node would do",
}
JUDGING, CHECKS = "facts.judged_settings", "checks.settings"


def _plan(core: Copy, node: str, name: str, value: str | None, *, lost: str = "", **nodes: str) -> Any:
    world = core["tests.fakes.world"].FakeWorld.classic()
    world.node(node).variables[name] = value
    if value is None:
        del world.node(node).variables[name]
    if lost:
        world.kill(lost)
    return core["tests.fakes.plans"].plan_relocate(world, nodes.get("source"), nodes.get("replica"))


def _codes(plan: Any, *, refusing: bool = True) -> set[str]:
    return {finding.code for finding in plan.findings if finding.refuses or not refusing}


def _refused(core: Copy, code: str, name: str, value: str | None) -> bool:
    return code in _codes(_plan(core, "b2", name, value, source="a2", replica="b2"))


def _shown(core: Copy, node: str = "b1", name: str = "slave_exec_mode", value: str | None = "IDEMPOTENT") -> Any:
    world = core["tests.fakes.world"].FakeWorld.classic()
    world.node(node).variables[name] = value
    if value is None:
        del world.node(node).variables[name]
    return _view(core, world)


def _filtered(core: Copy) -> Any:
    world = core["tests.fakes.world"].FakeWorld.classic()
    world.node("b1").channels["link1"].options["Replicate_Do_DB"] = "app1"
    return _view(core, world)


def _filtered_late(core: Copy) -> Any:
    """The new replica after the move, with a filter of the channel's name alone."""
    world = core["tests.fakes.world"].FakeWorld.classic()
    world.node("b2").unseen_filters["Replicate_Ignore_DB"] = "app2"
    plan = core["tests.fakes.plans"].plan_relocate(world, "a1", "b2")
    core["tests.fakes.driver"].run_to_end(world, plan)
    return world.node("b2")


def _view(core: Copy, world: Any) -> Any:
    state = core["backend.core.link_state"]
    return state.derive(world.facts(), state.History(), 0.0)


RULES = (
    Rule(
        "a_log_that_leaves_schemas_out_is_no_source",
        (("server_settings.binary_log", '(_filter("binlog_do_db"), _filter("binlog_ignore_db"))', "()"),),
        lambda c: _refused(c, "log_filter_set", "binlog_ignore_db", "app2"),
    ),
    Rule(
        "a_replica_that_skips_errors_is_no_replica",
        (("server_settings.applying", "    *SKIPPING,\n", ""),),
        lambda c: _refused(c, "errors_skipped", "slave_exec_mode", "IDEMPOTENT"),
    ),
    Rule(
        "an_unknown_setting_refuses_a_plan",
        ((JUDGING, "    return value is not None and (", "    return value is None or ("),),
        lambda c: _refused(c, "setting_unknown", "slave_exec_mode", None),
    ),
    Rule(
        "a_replica_that_cannot_read_what_is_sent_is_none",
        (
            (
                CHECKS,
                "small_packets([move.replica], sources.nodes, sources.name)",
                "small_packets([], (), sources.name)",
            ),
        ),
        lambda c: _refused(c, "replica_packet_smaller", "slave_max_allowed_packet", "65536"),
    ),
    Rule(
        "what_the_present_replica_skipped_is_told",
        (
            (
                CHECKS,
                "            yield from _of_present_replica(move.holder.replica, move.replica)",
                "            pass",
            ),
        ),
        lambda c: (
            "present_replica_setting"
            in _codes(_plan(c, "b1", "slave_skip_errors", "1062", source="a2", replica="b2"), refusing=False)
        ),
    ),
    Rule(
        "a_pair_that_leaves_rows_out_is_not_protected",
        (("link_state.derive", "        and setting_trouble(link, directions) is None\n", ""),),
        lambda c: bool(_shown(c).state == "degraded"),
    ),
    Rule(
        "writes_that_stay_on_a_node_without_a_channel_count",
        (("server_settings.binary_log", "        keeps_writes=True,\n", ""),),
        lambda c: bool(_shown(c, "a3", "binlog_ignore_db", "app2").state == "degraded"),
    ),
    Rule(
        "a_setting_is_told_before_the_loss",
        (("link_state.findings", "    found += settings_on_page(link)\n", ""),),
        lambda c: "errors_skipped" in {finding.code for finding in _shown(c).findings},
    ),
    Rule(
        "what_a_node_does_not_tell_is_shown",
        ((JUDGING, "        *(finding for node in nodes for finding in _unknown_settings(node)),\n", ""),),
        lambda c: "setting_unknown" in {finding.code for finding in _shown(c, value=None).findings},
    ),
    Rule(
        "a_pair_that_hides_a_setting_is_not_protected",
        (
            (
                "link_state.sentences",
                "for finding in refusing_settings(node)]",
                "for finding in refusing_settings(node) if finding.facts['value']]",
            ),
        ),
        lambda c: bool(_shown(c, value=None).state == "degraded"),
    ),
    Rule(
        "what_a_channel_filters_is_told",
        (("link_state.findings", "    found += filtered_channels(link)\n", ""),),
        lambda c: "channel_filtered" in {finding.code for finding in _filtered(c).findings},
    ),
    Rule(
        "a_filter_that_shows_late_stops_a_move",
        (
            ("steps.channels.change_source", "    wanted |= filters\n", ""),
            ("steps.channels.change_source", "    seen |= {name: channel.options[name] for name in filters}\n", ""),
        ),
        lambda c: not _filtered_late(c).channels["link1"].is_running,
    ),
    Rule(
        "a_node_with_a_wrong_setting_is_left_for_the_next",
        (("plans.candidates", "        *REFUSING_CODES,\n", ""),),
        lambda c: not _plan(c, "a2", "binlog_ignore_db", "app2", lost="a1").is_refused,
    ),
)
