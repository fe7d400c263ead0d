"""Rules of what is checked before any plan, each taken out: the plan is then no longer refused for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from backend.core.topology import RecordedServer
from tests.core.seeded_bugs.mutants import Change, Copy
from tests.core.seeded_bugs.rule import Rule

Spoil = Callable[[Any], None]


def _relocate(core: Copy, spoil: Spoil, *, source: str = "a2", replica: str = "b2", **more: Any) -> set[str]:
    world = core["tests.fakes.world"].FakeWorld.classic()
    spoil(world)
    return _codes(core["tests.fakes.plans"].plan_relocate(world, source, replica, **more))


def _switchover(core: Copy, spoil: Spoil, **more: Any) -> set[str]:
    sites = core["tests.fakes.sites"]
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    spoil(world)
    return _codes(sites.plan_switchover(world, **more))


def _failover(core: Copy, spoil: Spoil, **more: Any) -> set[str]:
    sites = core["tests.fakes.sites"]
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    spoil(world)
    return _codes(sites.plan_failover(world, **more))


def _codes(plan: Any) -> set[str]:
    return {finding.code for finding in plan.findings if finding.refuses}


def _refused(name: str, code: str, change: Change, spoil: Spoil, *, by: Any = _relocate, **more: Any) -> Rule:
    return Rule(name, (change,), lambda core: code in by(core, spoil, **more))


def _set(node: str, **attributes: Any) -> Spoil:
    def spoil(world: Any) -> None:
        for name, value in attributes.items():
            setattr(world.node(node), name, value)

    return spoil


def _variable(node: str, name: str, value: str) -> Spoil:
    return lambda world: world.node(node).variables.__setitem__(name, value)


def _channel(node: str, **attributes: Any) -> Spoil:
    def spoil(world: Any) -> None:
        for name, value in attributes.items():
            setattr(world.node(node).channels["link1"], name, value)

    return spoil


def _true_duplicate(world: Any) -> None:
    world.remember()
    world.node("b1").channels["link1"].stop_on_duplicate()
    world.write("a1")
    world.tick()


def _unreadable_behind(world: Any) -> None:
    world.remember()
    world.crash("b1", 1, starts=True)
    for node in ("b2", "b3"):
        world.node(node).log.put_event("Nobody_knows")


def _nothing(world: Any) -> None:
    del world


def _forgotten(world: Any) -> None:
    world.node("a3").reach = world.node("a3").reach.__class__("down")
    world.forgotten_ids.add("n_a3")


def _second_runs(world: Any) -> None:
    world.connect("a2", "b3")


def _old_holder_back(core: Copy) -> bool:
    facts = core["tests.core.steps.test_stray_channel"].left_behind()
    forward = core["backend.core.topology"].Direction.FORWARD
    return core["backend.core.plans.target"].current_holder(facts, forward) is None


def _hung(world: Any) -> None:
    world.kill("b3", reach=world.node("b3").reach.__class__("hung"), is_expelled=False)


def _accepted(core: Copy, *, without: int = 0, unseen: str = "", anew_again: bool = False) -> bool:
    """Whether a new history is on record after a plan and its run."""
    worlds = core["tests.core.plans.test_accept_state_uuid"]
    world = worlds.bootstrapped_anew(without=without)
    if unseen:
        world.kill(unseen, reach=core["backend.core.topology"].Reach.HUNG)
    plan = core["tests.fakes.plans"].plan_accept(world)
    if plan.is_refused:
        return False
    _, walker = worlds.walk(world, plan, world.a.bootstrap_anew if anew_again else lambda: None)
    return bool(walker.console.acts)


def _shown_anew(core: Copy) -> Any:
    facts = core["tests.core.plans.test_accept_state_uuid"].bootstrapped_anew().facts()
    return core["backend.core.link_state"].derive(facts, core["backend.core.link_state"].History(), 0.0)


def _holder_of(core: Copy) -> Any:
    world = core["tests.fakes.world"].FakeWorld.classic()
    return world.facts().node("n_b1")


def _name_taken(world: Any) -> None:
    world.connect("a1", "b2", is_running=False).source = ("10.9.9.9", 3306)


def _site_lost(world: Any) -> None:
    for node in world.a.nodes:
        world.kill(node.name)


def _relay_stands(world: Any) -> None:
    world.node("b1").channels["link1"].sql = "No"
    world.write("a1")
    world.tick()
    _site_lost(world)


def _site_lost_holder_unread(world: Any) -> None:
    world.node("b1").are_channels_readable = False
    _site_lost(world)


def _site_lost_holder_hung(world: Any) -> None:
    world.kill("b1", reach=world.node("b1").reach.__class__("hung"), is_expelled=False)
    _site_lost(world)


def _stale(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld.classic()
    ctx = core["tests.fakes.plans"].context_of(world, "a2", "b2")
    late = replace(ctx, now_s=ctx.now_s + 11)
    return "facts_stale" in core["tests.core.builders.link_facts"].refusing(late)


def _lag(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld.classic()
    ctx = core["tests.fakes.plans"].context_of(world)
    moves = []
    for move in ctx.moves:
        channel = replace(move.holder.channel, lag_s=31)
        moves.append(replace(move, holder=replace(move.holder, channel=channel)))
    found = core["backend.core.checks.switchover"].check_lag(replace(ctx, moves=tuple(moves)))
    return any(finding.refuses for finding in found)


def _busy(core: Copy, **shown: Any) -> set[str]:
    activity = core["backend.core.facts.activity"]
    busy = activity.BusySession(7, "app", 99, "ALTER TABLE t") if shown.pop("is_busy", True) else None
    fields = {"long_transactions": (), "ddl": (), "enabled_events": 0, "write_through": ()}
    found = {name: (busy,) if value == "busy" else value for name, value in shown.items()}
    one = activity.NodeActivity(**fields | found)
    return _switchover(core, _nothing, activity={f"n_a{i}": one for i in (1, 2, 3)})


def _has_no_dialect(flavor: str, version: str) -> Callable[[Copy], bool]:
    def holds(core: Copy) -> bool:
        dialects = core["backend.core.dialects"]
        try:
            dialects.dialect_for(flavor, version)
        except dialects.DialectError:
            return True
        return False

    return holds


def _not_covered(*, is_both: bool = True, **server: Any) -> Callable[[Copy], bool]:
    """Whether the check refuses although Percona XtraDB Cluster 8.0 is accepted: for both clusters, or for one."""

    def holds(core: Copy) -> bool:
        servers = core["tests.core.builders.accepted_servers"]
        facts = servers.accepted_link(servers.PXC, servers.PXC if is_both else None)
        facts = core["tests.core.builders.link_facts"].with_node(servers.lost_standby(facts), "a2", **server)
        return "server_watched_only" in servers.codes(facts)

    return holds


def _is_not_fenced(core: Copy) -> bool:
    dialect = core["backend.core.dialects"].dialect_to_watch("mysql", "9.7.4")
    shown = {"read_only": "ON", "super_read_only": "OFF"}
    found = dialect.parse_variables([{"Variable_name": name, "Value": value} for name, value in shown.items()])
    return bool(found["read_only"] == "OFF")


def _home(core: Copy) -> bool:
    sites, checks = core["tests.fakes.sites"], core["backend.core.plans.switchover"].FAILBACK_CHECKS
    world = sites.passive(core["tests.fakes.world"].FakeWorld.classic())
    return "already_home" in _codes(sites.plan_switchover(world, checks, kind="failback"))


def _raising(core: Copy) -> bool:
    def check(ctx: Any) -> Any:
        raise KeyError(ctx.now_s)

    world = core["tests.fakes.world"].FakeWorld.classic()
    ctx = core["tests.fakes.plans"].context_of(world, "a2", "b2")
    return core["backend.core.findings"].is_refused(core["backend.core.checks.run"].run_checks(ctx, [check]))


CHANNELS, NODES, LOOP, SETTINGS = "checks.channels", "checks.nodes", "checks.server_ids", "checks.settings"
SWITCHING, LOST, PROCESS, OPENING = "checks.switchover", "checks.failover", "checks.console", "checks.fencing"
ACTIVITY = "checks.activity"


def _replaced(world: Any) -> None:
    """The new replica is recorded as another server."""
    node = world.node("b2")
    world.b.recorded_servers = {node.ref.id: RecordedServer("db-b2:3306 b2 /var/lib/mysql/", node.server_id + 100)}


RULES = (
    _refused("one_run_at_a_time", "run_unfinished",
             (PROCESS, "    if ctx.unfinished_run_id is not None:", "    if False:"),
             _nothing, unfinished_run_id="r_1"),
    _refused("the_replication_account_can_log_in", "replication_login_refused",
             (PROCESS, "        if error is None:", "        if True:"),
             _nothing, replication_logins={"n_a2": "1045 access denied", "n_b2": None}),
    _refused("a_server_that_was_never_tried_is_in_no_plan", "server_watched_only",
             ("checks.servers", "if (why := node_refusal(node) or", "if (why := None and"),
             _set("b3", version="12.3.1-MariaDB")),
    Rule("no_statement_for_a_server_that_was_never_tried",
         (("dialects.selection", "    if refusal is not None:", "    if False:"),), _has_no_dialect("mysql", "9.7.4")),
    Rule("a_series_that_was_not_accepted_is_in_no_plan",
         (("dialects.selection", "if accepted is not None and accepted_series(flavor, version)",
           "if accepted is None or accepted_series(flavor, version)"),), _has_no_dialect("pxc", "8.0.36-28.1")),
    Rule("an_acceptance_of_another_series_does_not_count",
         (("dialects.selection", "accepted_series(flavor, version) == accepted.series and", ""),),
         _not_covered(version="8.4.3-3.1")),
    Rule("an_acceptance_of_another_family_does_not_count",
         (("dialects.selection", "== accepted.series and flavor == accepted.flavor", "== accepted.series"),
          ("checks.servers", "    if families == {node.flavor}:", "    if True:")),
         _not_covered(flavor="mysql-wsrep")),
    Rule("a_family_is_accepted_for_both_clusters",
         (("checks.servers", "    if families == {node.flavor}:", "    if True:"),), _not_covered(is_both=False)),
    Rule("a_log_without_galera_has_no_numbers_of_a_cluster",
         (("dialects.selection", "    if refusal is None and needs_acceptance(node) and node.wsrep is None:",
           "    if False:"),), _not_covered(wsrep=None)),
    Rule("read_only_alone_is_no_fence_of_mysql",
         (("dialects.mysql.facts", '{"read_only": found["super_read_only"]}', "{}"),), _is_not_fenced),
    _refused("the_new_nodes_answer", "node_unreachable",
             (NODES, "        if node.reach is not Reach.UP:", "        if False:"), _hung, replica="b3"),
    _refused("a_node_that_hides_which_server_it_is_refuses", "identity_unknown",
             (NODES, "        if node.is_up and unread:", "        if False:"), _set("b1", unsaid="datadir")),
    _refused("a_replaced_server_waits_for_a_person", "server_replaced",
             (NODES, "        for one in replacements(cluster):", "        for one in ():"), _replaced),
    _refused("the_new_nodes_are_primary", "node_not_primary",
             (NODES, '    if wsrep.cluster_status != "Primary":', "    if False:"),
             _set("a2", cluster_status="non-Primary")),
    _refused("a_node_that_writes_alone_holds_no_channel", "wsrep_off",
             (NODES, "    return bypasses_replication(node) or _primary(node)", "    return _primary(node)"),
             _variable("b2", "wsrep_on", "OFF")),
    _refused("a_node_that_writes_alone_is_not_opened", "wsrep_off",
             (OPENING, "        if alone is not None:", "        if False:"),
             _variable("b3", "wsrep_on", "OFF"), by=_switchover),
    _refused("the_new_nodes_are_synced", "node_not_synced",
             (NODES, "if wsrep.local_state != SYNCED or not wsrep.ready or not wsrep.connected or wsrep.desync_count:",
              "if False:"), _set("b2", local_state=2)),
    _refused("another_incarnation_is_another_history", "state_uuid_changed",
             (NODES, "        if wsrep.state_uuid != recorded or wsrep.local_state_uuid != wsrep.state_uuid:",
              "        if False:"), lambda world: setattr(world.a, "uuid", "ffffffff-0000-0000-0000-000000000001")),
    Rule("old_facts_decide_nothing", ((NODES, "        elif age_s > FACTS_LIMIT_S:", "        elif False:"),), _stale),
    _refused("no_server_id_stands_on_both_sides", "server_id_on_both_sides",
             (LOOP, "    if shared:", "    if False:"), _set("b3", server_id=11)),
    _refused("every_server_id_is_known", "server_id_unknown", (LOOP, "    if unknown:", "    if False:"), _forgotten),
    _refused("a_running_second_channel_refuses", "second_channel",
             (CHANNELS, "[holder for holder in move.strays if holder.channel.is_running]", "[]"), _second_runs),
    Rule("a_channel_that_was_moved_away_never_counts_again",
         (("link_facts", "if h.replica.node.id not in left_on)", "if True)"),), _old_holder_back),
    _refused("unread_channels_are_not_absent_channels", "channels_unknown",
             (CHANNELS, "    if unread:", "    if False:"), _set("b3", are_channels_readable=False)),
    _refused("a_node_not_seen_may_run_a_channel", "unreachable_node_may_run",
             (CHANNELS, "    if is_expelled(cluster, node):", "    if True:"), _hung),
    Rule("a_side_bootstrapped_anew_is_not_protected",
         (("link_state.derive", "        and not any(map(is_another_history, (link.active, link.standby)))", ""),),
         lambda core: _shown_anew(core).state == "degraded"),
    Rule("a_new_history_is_accepted_only_where_its_stream_goes_on",
         (("plans.accept_state_uuid", "(*proof.steps, *record_steps(len(proof.steps), found)) if proof.steps else ()",
           "record_steps(0, found)"),
          ("plan", "return is_refused(self.findings) or not self.steps", "return not self.steps")),
         lambda core: not _accepted(core, without=1)),
    Rule("an_unseen_node_may_live_in_the_old_history",
         (("checks.state_uuid", "        if node.is_up:", "        if True:"),),
         lambda core: not _accepted(core, unseen="a3")),
    Rule("the_history_recorded_is_the_one_that_was_proven",
         (("steps.sides.record_state_uuid", "        if shown != {planned}:", "        if False:"),),
         lambda core: not _accepted(core, anew_again=True)),
    Rule("a_connection_is_found_as_the_server_finds_it",
         (("connection_names", "    return _without_case(one) == _without_case(other)", "    return one == other"),),
         lambda core: _holder_of(core).channel("LINK1") is not None),
    Rule("a_name_is_never_filled_like_a_mark",
         (("dialects.quoting", '.replace("{", "\\\\{")', ""),),
         lambda core: "{{secret" not in core["backend.core.dialects.quoting"].channel("{{secret:replication}}")),
    Rule("a_name_never_ends_its_own_quotes",
         (("dialects.quoting", '.replace("\'", "\'\'").replace("{"', '.replace("{"'),),
         lambda core: core["backend.core.dialects.quoting"].channel("o'x").count("'") == 4),
    _refused("a_foreign_connection_keeps_its_name", "connection_name_taken",
             (CHANNELS, "        if taken is not None and source.node_at(taken.source_address) is None:",
              "        if False:"), _name_taken),
    _refused("a_data_error_moves_with_the_channel", "channel_sql_error",
             (CHANNELS, "        if channel.sql_errno == NODE_NOT_READY:", "        if True:"),
             _channel("b1", sql_errno=1062, sql_error="Duplicate entry", sql="No")),
    Rule("a_data_error_passes_only_where_the_transaction_is_there",
         (("plans.already_applied", "    if any(isinstance(groups, int) and groups > 0 for groups in groups_behind):", "    if True:"),),
         lambda core: "channel_sql_error" in _relocate(core, _true_duplicate)),
    Rule("a_data_error_passes_only_where_the_position_is_proven",
         (("plans.already_applied", "not located.is_proven or located.position is None or move.channel is None", "False"),
          ("plans.already_applied", "    if any(isinstance(groups, int) and groups > 0 for groups in groups_behind):", "    if True:")),
         lambda core: "channel_sql_error" in _relocate(core, _unreadable_behind)),
    _refused("a_cut_between_sites_is_not_a_lost_node", "site_path_unknown",
             (CHANNELS, "        if ctx.attested_path:", "        if True:"), _channel("b1", io="Connecting")),
    _refused("there_is_something_to_move", "already_there",
             (CHANNELS, "    if len(settled) == len(ctx.moves):", "    if False:"),
             _nothing, source="a1", replica="b1"),
    _refused("a_node_without_a_complete_binlog_holds_no_channel", "log_slave_updates_wrong",
             (SETTINGS, "        wrong = refusing_settings(node, _LOG)", "        wrong = list[Finding]()"),
             _variable("b2", "log_slave_updates", "OFF")),
    _refused("nodes_of_one_cluster_log_in_one_order", "commit_order_not_guaranteed",
             (SETTINGS, "            yield from refusing_settings(node, _COMMIT_ORDER)", "            yield from ()"),
             _variable("a3", "repl.commit_order", "0")),
    _refused("filters_are_equal", "filters_differ",
             (SETTINGS, "        elif differing:", "        elif False:"),
             _variable("b2", "replicate_do_db", "shop")),
    _refused("both_channels_run_before_a_switchover", "channel_not_running",
             (SWITCHING, '        elif (channel.io_running, channel.sql_running) != ("Yes", "Yes"):',
              "        elif False:"), _channel("a1", io="No"), by=_switchover),
    Rule("a_long_drain_is_refused", ((SWITCHING, "lag_s > LAG_LIMIT_S", "False"),), _lag),
    _refused("a_node_that_cannot_be_fenced_refuses", "node_cannot_be_fenced",
             (SWITCHING, "        elif is_expelled(ctx.link.active, node):", "        elif True:"),
             lambda world: world.kill("a3", reach=world.node("a3").reach.__class__("hung"), is_expelled=False),
             by=_switchover),
    _refused("a_standby_node_not_seen_may_hold_a_channel", "unreachable_node_may_run",
             (OPENING, "    yield from unreachable_holders(ctx, ctx.forward)", "    yield from ()"), _hung, by=_switchover),
    _refused("a_node_is_not_opened_blindly", "node_cannot_be_opened",
             (OPENING, "        if missing:\n            yield", "        if False:\n            yield"),
             lambda world: world.node("b2").variables.pop("wsrep_reject_queries"), by=_switchover),
    _refused("a_node_is_not_fenced_blindly", "node_cannot_be_fenced",
             (OPENING, "    if not missing:", "    if True:"),
             lambda world: world.node("a2").variables.pop("wsrep_reject_queries"),
             by=_switchover, rejects_queries=True),
    Rule("ddl_under_way_refuses", ((ACTIVITY, "        for ddl in seen.ddl:", "        for ddl in ():"),),
         lambda core: "ddl_in_flight" in _busy(core, ddl="busy")),
    Rule("an_open_transaction_refuses",
         ((ACTIVITY, "    for busy in seen.long_transactions or ():", "    for busy in ():"),),
         lambda core: "long_transaction" in _busy(core, long_transactions="busy")),
    Rule("who_writes_through_the_fence_is_known",
         ((ACTIVITY, "        elif ctx.attested_accounts:", "        elif True:"),),
         lambda core: "accounts_unknown" in _busy(core, write_through=None)),
    Rule("a_failback_leads_home",
         ((SWITCHING, "    if ctx.link.home_cluster_id == ctx.link.active.id:", "    if False:"),), _home),
    _refused("what_was_received_is_applied_before_a_failover", "relay_log_not_drained",
             (LOST, '    if channel.sql_running == "Yes" or channel.is_relay_drained:', "    if True:"),
             _relay_stands, by=_failover, accepts_loss=False),
    _refused("which_relay_log_counts_is_clear", "second_channel",
             (LOST, "    if len(holders) > 1:", "    if False:"),
             lambda world: (_second_runs(world), _site_lost(world)), by=_failover),  # type: ignore[func-returns-value]
    _refused("a_relay_log_not_read_is_not_gone", "channels_unknown",
             (LOST, "[*_unread_holders(ctx), *unreachable_holders", "[*unreachable_holders"), _site_lost_holder_unread, by=_failover),
    _refused("a_relay_log_not_seen_is_not_gone", "unreachable_node_may_run",
             (LOST, ", *unreachable_holders(ctx, ctx.forward)]", "]"), _site_lost_holder_hung, by=_failover),
    Rule("a_check_that_fails_refuses", (("checks.run", "Severity.UNKNOWN", "Severity.INFO"),), _raising),
)  # fmt: skip
