"""Rules of moving and proving channels, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, state_of, walk


def _let_go_on(both: Any) -> None:
    world, _ = both
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "Yes"
    world.write("a1")
    world.tick()
    channel.io = channel.sql = "No"


def _not_doubled(core: Copy) -> bool:
    world, _, _ = walk(core, "move_both", _let_go_on, "reset_channel")
    world.converge()
    return not (world.a.doubled or world.b.doubled)


def _resumed_behind_what_was_applied(core: Copy) -> bool:
    """A refused CHANGE MASTER; the old holder is back for a while; Resume."""
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.builders.situations"].situation("replica_lost").build()
    memory = driver.Memory(plan)
    pointing = 1 + next(i for i, step in enumerate(s for s in plan.steps if s.sql) if step.code == "change_source")
    gateway = gateways.FakeGateway(world, {pointing: gateways.Fault.REFUSED})
    driver.Walker(world, gateway, memory).run()
    core["tests.core.steps.test_resume_position"].apply_and_die(world, "b1")
    memory.end = None
    driver.Walker(world, gateway, memory).run()
    world.converge()
    return world.b.doubled == []


def _alike_not_doubled(core: Copy) -> bool:
    world, _ = core["tests.core.steps.test_resume_position"].alike()
    return world.b.doubled == []


def _back_and_hung(both: Any) -> None:
    world, _ = both
    world.restart("b1")
    for channel in world.node("b1").channels.values():
        channel.io = channel.sql = "No"
    world.node("b1").reach = type(world.node("b1").reach).HUNG


def _back_and_unread(both: Any) -> None:
    """The old holder is back and applies; what channels it has, it does not say in time."""
    _back_and_idle(both)
    both[0].node("b1").are_channels_readable = False


def _back_and_idle(both: Any) -> None:
    """The old holder is back; nothing of the stream waits for it."""
    world, _ = both
    world.has_workload = False
    channel = world.node("b1").channels["link1"]
    channel.position = channel.read = world.node("a1").log.end
    world.restart("b1")


def _repointed(both: Any) -> None:
    both[0].has_workload = False
    del both[0].node("b1").channels["link1"]
    both[0].connect("a3", "b1")


def _moved_before_start(both: Any) -> None:
    world, _ = both
    channel = world.node("b3").channels["link1"]
    channel.position = channel.read = world.node("a2").log.placed[2].end


def _purged(both: Any) -> None:
    log = both[0].node("a2").log
    log.rotate()
    log.purge(5)


def _second_stopped(both: Any) -> None:
    both[0].connect("a1", "b2", is_running=False)


def _option_changed(both: Any) -> None:
    both[0].node("b3").channels["link1"].options["SQL_Delay"] = "77"


def _sql_thread_stopped(both: Any) -> None:
    both[0].node("b3").channels["link1"].sql = "No"


def _pointed_elsewhere(both: Any) -> None:
    both[1].request_abort()
    both[0].node("b1").channels["link1"].source = ("10.9.9.9", 3306)


def _ignores_all_own_ids(core: Copy) -> bool:
    _, plan = core["tests.core.builders.situations"].situation("source_lost").build()
    texts = [sql for step in plan.steps for sql in step.sql if sql.startswith("CHANGE")]
    return "IGNORE_SERVER_IDS=(21,22,23)" in texts[0] and "IGNORE_SERVER_IDS=(11,12,13)" in texts[1]


def _old_holder_forgets(core: Copy) -> bool:
    world, _, _ = walk(core, "move_replica")
    return "link1" not in world.node("b1").channels


def _stands_where_it_stopped(core: Copy) -> bool:
    walked = walk(core, "move_both", _moved_before_start, "start_channel")
    return not walked[0].node("b3").channels["link1"].is_running


def _gtid_set_back(both: Any) -> None:
    node = both[0].node("b3")
    node.slave_pos = node.slave_pos.of([])


def _set_ahead(both: Any) -> None:
    """An operator points the standing channel behind what waits for it."""
    channel = both[0].node("b1").channels["link1"]
    channel.position = channel.read = both[0].node("a1").log.end
    channel.pending.clear()


def _nothing_left_out(core: Copy) -> bool:
    world, _, _ = walk(core, "start_both_threads_stopped", _set_ahead, "locate")
    world.converge()
    return not world.node("b1").channels["link1"].is_running or world.faults() == []


def _refuses_start(core: Copy, spoil: str, code: str) -> bool:
    """Whether a plan that starts the channel in place is refused for this, the channel spoilt so."""
    tests = core["tests.core.plans.test_start_channel"]
    world = tests.stopped()
    getattr(tests, spoil)(world)
    return code in tests.refusing(core["tests.fakes.plans"].plan_start(world))


def _started_alone(core: Copy) -> list[str]:
    """The nodes whose channels a plan starts that was asked for the reverse one alone, while both stand."""
    world = core["tests.core.plans.test_start_channel"].both_stopped(lambda _: None)
    plan = core["tests.fakes.plans"].plan_start(world, direction="reverse")
    return [step.node for step in plan.steps if step.code == "resume_channel"]


def _refuses_behind(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld.classic()
    world.crash("b1", 2, starts=False)
    return bool(core["tests.fakes.plans"].plan_start(world).is_refused)


JUDGE, LOCATOR, RUNNER = "locate.judge", "locate", "runner"

RULES = (
    Rule(
        "a_channel_by_gtid_starts_only_from_the_proven_position",
        (
            (
                "steps.channels.gtid_position",
                "    if step is None or _now(facts) == _target(ctx, step):",
                "    if True:",
            ),
        ),
        lambda c: (
            not walk(c, "gtid_move_both", _gtid_set_back, "start_channel")[0].node("b3").channels["link1"].is_running
        ),
    ),
    Rule(
        "a_channel_that_is_not_ours_is_not_started",
        (
            (
                "steps.channels.stop",
                "            raise ForeignChannelError(f",
                "            return step.undo[0]\n            raise ForeignChannelError(f",
            ),
        ),
        lambda c: not walk(c, "move_replica", _pointed_elsewhere, "locate")[0].node("b1").channels["link1"].is_running,
    ),
    Rule(
        "a_changed_loop_guard_is_no_success",
        (
            (
                "steps.verification.verify",
                '    if sorted(channel.ignore_server_ids) != sorted(point.params["ignore_server_ids"]):',
                "    if False:",
            ),
        ),
        lambda c: c["tests.core.steps.test_verify"].verified_with("move_both", (21,))[0] == "needs_operator",
    ),
    Rule(
        "an_error_of_before_is_no_start",
        (
            (
                "steps.channels.start",
                "        if self._is_started(channel):",
                "        if self._is_started(channel) or channel.sql_errno:",
            ),
        ),
        lambda c: c["tests.core.steps.test_start"].ends_started("move_both"),
    ),
    Rule(
        "a_channel_in_place_on_an_error_is_pointed_anew",
        (("steps.channels.change_source", "            if channel.sql_errno:", "            if False:"),),
        lambda c: len(c["tests.core.steps.test_change_source"].pointed(1594)) == 1,
    ),
    Rule(
        "the_end_of_the_undo_is_the_end_of_the_log",
        (("steps.positions.log_end", "if undo is not None else", "if False else"),),
        lambda c: c["tests.core.orphans.test_steps"].written_behind_the_undo() == "needs_operator",
    ),
    Rule(
        "a_channel_goes_on_only_where_it_was_applied_to",
        (
            (
                "plans.start_channel",
                "    if own is not None and is_same_place(located, own, move.source.binlog):",
                "    if True:",
            ),
        ),
        _refuses_behind,
    ),
    Rule(
        "the_own_place_is_proven_in_the_run_too",
        (
            (
                "steps.positions.locate",
                '        if not is_same_place(located, planned, link.node(params["source_node_id"]).binlog):',
                "        if False:",
            ),
            (
                "steps.channels.start",
                '    if (channel.exec_file, channel.exec_offset) == (proven["file"], proven["offset"]):',
                "    if True:",
            ),
        ),
        _nothing_left_out,
    ),
    Rule(
        "a_channel_is_started_alone",
        (("checks.start_channel", "        for stray in move.strays:", "        for stray in ():"),),
        lambda c: _refuses_start(c, "_stray", "second_channel"),
    ),
    Rule(
        "a_direction_that_was_not_chosen_is_not_started",
        (("plans.start_channel", " if direction in (None, move.direction.value))", ")"),),
        lambda c: _started_alone(c) == ["a1"],
    ),
    Rule(
        "a_loop_guard_with_a_hole_is_not_started",
        (("checks.start_channel", "        if missing:", "        if False:"),),
        lambda c: _refuses_start(c, "_hole", "loop_guard_incomplete"),
    ),
    Rule(
        "a_place_that_was_purged_is_not_waited_for",
        (("checks.reading", "    if again is False:", "    if True:"),),
        lambda c: _refuses_start(c, "_purged", "place_not_in_source_logs"),
    ),
    Rule(
        "a_row_that_is_too_large_is_not_read_again",
        (
            (
                "facts.channel_faults",
                "        return None if limit is None else limit < MOST_PACKET",
                "        return False",
            ),
        ),
        lambda c: _refuses_start(c, "_small_packet", "reading_would_stop_again"),
    ),
    Rule(
        "an_error_of_reading_that_nobody_knows_is_not_over",
        (
            (
                "facts.channel_faults",
                "        return None if keeps_source or keeps_replica else False",
                "        return False",
            ),
        ),
        lambda c: _refuses_start(c, "_unheard_of", "reading_cause_unknown"),
    ),
    Rule(
        "a_pair_that_cannot_read_is_not_proposed",
        (
            (
                "checks.reading",
                "        yield from reading_findings(ctx, move, has_new_position=True)",
                "        yield from ()",
            ),
        ),
        lambda c: c["tests.core.checks.test_reading"].is_refused_everywhere(),
    ),
    Rule(
        "the_direction_that_did_not_fail_is_given_back",
        (
            (
                "runner.runner",
                "            given_back = yield from self._give_back(step)",
                "            given_back = ()",
            ),
        ),
        lambda c: c["tests.core.runner.test_give_back"].runs_again("change_source", "forward", "a2"),
    ),
    Rule(
        "nothing_is_given_back_at_an_unproven_position",
        (
            (
                "runner.give_back",
                "    return () if others or any(step.code not in _OF_A_CHANNEL for step in own) else own",
                "    return own",
            ),
        ),
        lambda c: c["tests.core.runner.test_give_back"].waits_for_the_proof(),
    ),
    Rule(
        "a_data_error_is_not_started_over",
        (("checks.start_channel", "        elif channel.sql_errno not in PASSING_ERRORS:", "        elif False:"),),
        lambda c: _refuses_start(c, "_duplicate", "transaction_would_fail_again"),
    ),
    Rule(
        "the_old_channel_stands_where_it_stopped",
        (
            ("steps.base", "    if stopped_at is None or stopped_at == now:", "    if True:"),
            (
                "steps.positions.resume_position",
                "    if not are_same([group.content for group in now], known):",
                "    if False:",
            ),
        ),
        _not_doubled,
    ),
    Rule(
        "the_receiving_side_applied_no_more_since",
        (
            (
                "steps.positions.resume_position",
                "    if not are_same([group.content for group in now], known):",
                "    if False:",
            ),
        ),
        _resumed_behind_what_was_applied,
    ),
    Rule(
        "nobody_else_applies_when_a_channel_starts",
        (("steps.positions.resume_position", "    if other_holders:", "    if False:"),),
        lambda c: walk(c, "replica_lost", _back_and_idle, "start_channel")[0].second_seen == [],
    ),
    Rule(
        "a_node_that_counts_and_is_silent_may_apply",
        (("steps.peers", "    if not proof.is_ok:\n        raise PeerUnknownError(proof.sentence)\n", ""),),
        lambda c: (
            not walk(c, "replica_lost", _back_and_hung, "start_channel")[0].node("b2").channels["link1"].is_running
        ),
    ),
    Rule(
        "channels_not_read_are_not_absent_before_a_start",
        (("steps.peers", "        if node.is_up and node.channels is None:", "        if False:"),),
        lambda c: walk(c, "replica_lost", _back_and_unread, "start_channel")[0].second_seen == [],
    ),
    Rule(
        "a_channel_pointed_elsewhere_is_not_gone",
        (
            (
                "steps.channels.reset_channel",
                '        if channel is None and facts.channel(step.params["name"]) is not None:',
                "        if False:",
            ),
            ("steps.positions.resume_position", "    if other_holders:", "    if False:"),
        ),
        lambda c: walk(c, "move_both", _repointed, "reset_channel")[0].second_seen == [],
    ),
    Rule(
        "groups_that_look_alike_are_not_one_place",
        (("steps.positions.locate", "    if position == planned:", "    if position:"),),
        _alike_not_doubled,
    ),
    Rule(
        "the_new_channel_stands_where_it_was_proven",
        (
            (
                "steps.channels.start",
                '    if (channel.exec_file, channel.exec_offset) == (proven["file"], proven["offset"]):',
                "    if True:",
            ),
        ),
        _stands_where_it_stopped,
    ),
    Rule(
        "the_place_is_read_again_just_before",
        (("steps.channels.change_source", "        verify_unchanged(ctx, step)\n", ""),),
        lambda c: walk(c, "both_lost", _purged, "change_source")[0].executed == [],
    ),
    Rule(
        "the_loop_guard_names_every_id_of_the_own_cluster",
        (
            (
                "plans",
                "    ignore = () if guards_by_gtid(move.replica) else loop_guard(ctx.link, move.direction).ids\n",
                "    ignore = (move.replica.server_id or 0,)\n",
            ),
        ),
        _ignores_all_own_ids,
    ),
    Rule(
        "the_old_holder_forgets_its_channel",
        (("plans", "    for holder in (*old, *move.strays):", "    for holder in move.strays:"),),
        _old_holder_forgets,
    ),
    Rule(
        "a_second_channel_is_no_success",
        (("steps.verification.verify", '        faults += [f"stray channel: {text}" for text in second]\n', ""),),
        lambda c: state_of(walk(c, "move_source", _second_stopped, "probe")) != "succeeded",
    ),
    Rule(
        "changed_options_are_no_success",
        (("steps.verification.verify", '        faults += [f"options differ: {o}" for o in options if o]\n', ""),),
        lambda c: state_of(walk(c, "move_both", _option_changed, "probe")) != "succeeded",
    ),
    Rule(
        "a_probe_that_does_not_arrive_is_no_success",
        (
            ("steps.verification.probe", "        if missing or not live:", "        if False:"),
            ("steps.verification.probe", "{max(seen.values()):.0f}", "0"),
        ),
        lambda c: state_of(walk(c, "move_both", _sql_thread_stopped, "probe")) != "succeeded",
    ),
)
