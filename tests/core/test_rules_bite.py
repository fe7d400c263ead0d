"""Every safety rule, taken out: what it prevents then happens. A rule nobody would miss is not a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.core.mutants import Change, Copy, copy_with


@dataclass(frozen=True, slots=True)
class Rule:
    """`holds` shows the rule at work in a copy of the core; `changes` take it out."""

    name: str
    changes: tuple[Change, ...]
    holds: Callable[[Copy], bool]


# -- what shows a rule at work


def _verdict(core: Copy, *says: tuple[str, bool | None, int | None]) -> bool:
    """Whether the judge refuses these."""
    evidence = core["backend.core.locate.evidence"]
    pieces = [evidence.Evidence(evidence.Family(f), agrees, f, index=index) for f, agrees, index in says]
    return not core["backend.core.locate.judge"].judge(pieces).is_proven


def _refuses_without_fault(core: Copy) -> bool:
    try:
        return _verdict(core, ("content", None, None))
    except StopIteration:
        return False


def _never_wrong(core: Copy, world: Any, source: str, replica: str) -> bool:
    worlds = core["tests.core.worlds"]
    answers = [located for _, located in worlds.ask(world, source, replica)]
    return all(worlds.wrong(world, located) is None for located in answers if located.is_proven)


def _identical(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld()
    world.node("a1").gtid_seq = 3
    world.connect("a1", "b1")
    world.connect("b1", "a1")
    for n in range(30):
        world.write("a1", "UPDATE counters SET n=n+1")
        world.tick()
        if n == 0:
            world.remember()
        if n == 15:
            world.node("b2").log.rotate()
    world.node("b2").log.purge(1)
    world.lose("b1")
    for _ in range(20):
        world.write("a1", "UPDATE counters SET n=n+1")
    return _never_wrong(core, world, "a2", "b2")


def _again_behind_the_sample(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld()
    world.connect("a1", "b1")
    world.connect("b1", "a1")
    world.write("a1", "UPDATE counters SET n=n+1")
    world.tick()
    world.remember()
    world.write("a1", "UPDATE counters SET n=n+1")
    journal = core["tests.fakes.journal"]
    end = world.node("a1").log.placed[0].end
    hint = journal.FakeCheckpoint("n_a1", world.a.uuid, end, 101, world.clock.now_s(), exact=False)
    world.journal.add(hint)
    return _never_wrong(core, world, "a1", "b1")


def _stalled_replica(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld().classic()
    for _ in range(3):
        world.remember()
    recorded = world.recorded
    world.write("a1")
    world.tick()
    world.remember()
    world.clock.time_s += 5
    late = [
        r.__class__(r.direction, r.replica_node_id, r.source_node_id, r.channel, world.clock.now_s()) for r in recorded
    ]
    for _ in range(2):
        world.clock.time_s += 5
        world.remember()
    world.recorded = late
    world.lose("b1")
    return _never_wrong(core, world, "a2", "b2")


def _unknown_event(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld().classic()
    world.write("a2")
    log = world.node("a2").log
    row = next(e for e in reversed(log.kept[-1].events) if e.type == "Write_rows_v1")
    log.tamper(row.file, row.pos, lambda e: e._replace(type="Nobody_knows"))
    try:
        list(core["backend.core.locate.groups"].read_groups([e for f in log.kept for e in f.events]))
    except core["backend.core.locate.groups"].UnknownEventError:
        return True
    return False


def _walk(core: Copy, name: str, act: Callable[[Any], None] | None = None, at: str = "", **faults: Any) -> Any:
    """Walk a situation, somebody acting as a step begins; returns world, memory and gateway in one."""
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.situations"].situation(name).build()
    ordered = {int(k[1:]): gateways.Fault(v) for k, v in faults.items() if k[0] == "f"}
    gateway = gateways.FakeGateway(world, ordered)
    memory = driver.Memory(plan)
    acted: list[bool] = []

    def on_transition(transition: Any) -> None:
        step = getattr(transition, "step", None)
        if act is not None and type(transition).__name__ == "StepStarted" and step.code == at and not acted:
            acted.append(True)
            act((world, memory))

    driver.Walker(world, gateway, memory, on_transition=on_transition).carry_on()
    for _ in range(5):
        if memory.end is None:
            driver.Walker(world, gateway, memory).carry_on()
    gateway.run_late()
    return world, memory, gateway


def _state(walked: Any) -> str:
    return str(walked[1].end.state)


def _sent_once(walked: Any) -> bool:
    effects = [(e.node, e.sql) for e in walked[0].executed]
    return len(effects) == len(set(effects))


def _let_go_on(both: Any) -> None:
    world, _ = both
    channel = world.node("b1").channels["link1"]
    channel.io = channel.sql = "Yes"
    world.write("a1")
    world.tick()
    channel.io = channel.sql = "No"


def _not_doubled(core: Copy) -> bool:
    world, _, _ = _walk(core, "move_both", _let_go_on, "clean")
    world.settle()
    return not (world.a.doubled or world.b.doubled)


def _moved_before_start(both: Any) -> None:
    world, _ = both
    channel = world.node("b3").channels["link1"]
    channel.position = channel.read = world.node("a2").log.placed[2].end


def _purged(both: Any) -> None:
    log = both[0].node("a2").log
    log.rotate()
    log.purge(5)


def _abort_at_the_last_moment(core: Copy) -> bool:
    walked = _walk(core, "both_lost", lambda both: both[1].request_abort(), "point")
    return _state(walked) == "aborted" and walked[0].executed == []


def _second_stopped(both: Any) -> None:
    both[0].connect("a1", "b2", is_running=False)


def _option_changed(both: Any) -> None:
    both[0].node("b3").channels["link1"].options["SQL_Delay"] = "77"


def _sql_thread_stopped(both: Any) -> None:
    both[0].node("b3").channels["link1"].sql = "No"


def _other_server(both: Any) -> None:
    both[0].node("b1").server_id = 77


def _pointed_elsewhere(both: Any) -> None:
    both[1].request_abort()
    both[0].node("b1").channels["link1"].source = ("10.9.9.9", 3306)


def _changed_facts(core: Copy, change: Callable[[Any], None]) -> bool:
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.situations"].situation("move_both").build()
    change(world)
    gateway = gateways.FakeGateway(world)
    driver.run_to_end(world, plan, gateway)
    return gateway.sent == []


def _unsynced(world: Any) -> None:
    world.node("a2").local_state = 2


def _later(world: Any) -> None:
    world.clock.time_s += 301


def _ignores_all_own_ids(core: Copy) -> bool:
    _, plan = core["tests.core.situations"].situation("source_lost").build()
    texts = [sql for step in plan.steps for sql in step.sql if sql.startswith("CHANGE")]
    return "IGNORE_SERVER_IDS=(21,22,23)" in texts[0] and "IGNORE_SERVER_IDS=(11,12,13)" in texts[1]


def _old_holder_forgets(core: Copy) -> bool:
    world, _, _ = _walk(core, "move_replica")
    return "link1" not in world.node("b1").channels


def _undo_not_claimed(core: Copy) -> bool:
    lost = {f"f{n}": "lost_before" for n in range(3, 20)}
    walked = _walk(core, "move_replica", lambda both: both[1].request_abort(), "locate", **lost)
    return _state(walked) == "needs_operator"


def _stands_where_it_stopped(core: Copy) -> bool:
    walked = _walk(core, "move_both", _moved_before_start, "start")
    return not walked[0].node("b3").channels["link1"].is_running


def _floor_is_exact(core: Copy) -> bool:
    journal = core["tests.fakes.journal"]
    world = core["tests.fakes.world"].FakeWorld().classic()
    end = world.node("a1").log.end
    world.journal.samples = [s for s in world.journal.samples if s.node_id != "n_a1"]
    world.journal.add(journal.FakeCheckpoint("n_a1", world.a.uuid, end, 999, world.clock.now_s(), exact=False))
    assemble = core["backend.core.locate.assemble"]
    question = core["backend.core.plans.context"].questions(core["tests.fakes.driver"].context_of(world).moves)[0]
    return assemble._floor(question, world.facts(), world.journal, world.a.uuid) is None


def _hint_alone(core: Copy) -> bool:
    """Identical statements, counters drifted by one: the recipe of 2014 names the next group."""
    world = core["tests.fakes.world"].FakeWorld()
    world.b.seqno = world.a.seqno + 1
    world.node("a1").gtid_seq = 3_000
    world.connect("a1", "b1")
    world.connect("b1", "a1")
    for _ in range(20):
        world.write("a1", "UPDATE counters SET n=n+1")
        world.tick()
    world.lose("b1")
    for _ in range(5):
        world.write("a1", "UPDATE counters SET n=n+1")
    return _never_wrong(core, world, "a2", "b2")


def _slave_pos_differs(core: Copy) -> bool:
    """A DDL failed on the replica and moved gtid_slave_pos on its neighbour past it (experiment 12)."""
    worlds = core["tests.core.worlds"]
    world = core["tests.fakes.world"].FakeWorld(has_gtid_channels=True).classic()
    world.lose("b1")
    ahead = world.write("a2")
    gtid = next(entry.gtid for entry in world.a.history if entry.txn is ahead)
    neighbour = world.node("b3")
    neighbour.slave_pos = neighbour.slave_pos.of([*neighbour.slave_pos, gtid])
    return not worlds.forward(worlds.ask(world, "a2", "b2")).is_proven


def _gtid_set_back(both: Any) -> None:
    node = both[0].node("b3")
    node.slave_pos = node.slave_pos.of([])


JUDGE, LOCATOR, RUNNER = "locate.judge", "locate", "runner"

RULES = (
    Rule(
        "disagreement_refuses",
        ((JUDGE, "    if against:", "    if False:"),),
        lambda c: _verdict(c, ("seqno", True, 1), ("content", True, 1), ("gtid", False, None)),
    ),
    Rule(
        "different_places_refuse",
        ((JUDGE, "    if len(places) > 1:", "    if False:"),),
        lambda c: _verdict(c, ("seqno", True, 1), ("content", True, 2)),
    ),
    Rule(
        "one_family_is_no_proof",
        ((JUDGE, "    if len(families) < 2:", "    if False:"),),
        lambda c: _verdict(c, ("content", True, 1)),
    ),
    Rule(
        "content_must_agree",
        ((JUDGE, "    if Family.CONTENT not in families", "    if False"),),
        lambda c: _verdict(c, ("seqno", True, 1), ("journal", True, 1)),
    ),
    Rule(
        "aligned_hint_never_proves_alone",
        (
            (JUDGE, "    if len(families) < 2:", "    if False:"),
            (JUDGE, "    if Family.CONTENT not in families", "    if False"),
            (
                "locate",
                "    if place is None:\n        return Evidence(Family.ALIGNED_SEQNO",
                "    if False:\n        return Evidence(Family.ALIGNED_SEQNO",
            ),
            (
                "locate",
                "    if window.index_of_xid(hint.seqno) == [place]:",
                "    if (place := (window.index_of_xid(hint.seqno) or [None])[0]) is not None:",
            ),
        ),
        _hint_alone,
    ),
    Rule(
        "gtid_slave_pos_is_compared_on_every_node",
        (("locate.gtid_mode", "    if differing:", "    if False:"),),
        _slave_pos_differs,
    ),
    Rule(
        "a_channel_by_gtid_starts_only_from_the_proven_position",
        (("steps.gtid_position", "    if step is None or _now(facts) == _target(ctx, step):", "    if True:"),),
        lambda c: not _walk(c, "gtid_move_both", _gtid_set_back, "start")[0].node("b3").channels["link1"].is_running,
    ),
    Rule(
        "no_place_named_refuses",
        ((JUDGE, "    if not places:", "    if not places and False:"),),
        _refuses_without_fault,
    ),
    Rule(
        "content_alone_must_be_unique",
        (("locate", "    if len(matches) == 1:", "    if matches:"),),
        _identical,
    ),
    Rule(
        "content_alone_is_searched_from_the_last_sample_on",
        (
            (LOCATOR, "    if _rests_on_content_alone(search, evidence):", "    if False:"),
            ("locate", "    if reached is None and not is_before:", "    if False:"),
            ("locate", "    if reached is None or index < reached:", "    if False:"),
            ("locate", "index - reached", "0"),
        ),
        _again_behind_the_sample,
    ),
    Rule(
        "emptiness_proves_only_emptiness",
        ((LOCATOR, "        if len(window.stream) - 1 > held:", "        if False:"),),
        _stalled_replica,
    ),
    Rule(
        "unknown_event_is_named",
        (
            (
                "locate",
                '        if event.type != "Xid" and event.type not in _INNER:',
                "        if False:",
            ),
        ),
        _unknown_event,
    ),
    Rule(
        "changed_facts_send_nothing",
        (("steps.recheck", "        if found:", "        if False:"),),
        lambda c: _changed_facts(c, _unsynced),
    ),
    Rule(
        "expired_plan_sends_nothing",
        (("steps.recheck", "        if ctx.clock.now_s() > ctx.plan.expires_at_s:", "        if False:"),),
        lambda c: _changed_facts(c, _later),
    ),
    Rule(
        "look_before_sending_again",
        ((RUNNER, "            if seen.deed is not Deed.TO_DO:", "            if False:"),),
        lambda c: _sent_once(_walk(c, "both_lost", f1="dies_after")),
    ),
    Rule(
        "session_of_unknown_outcome_is_ended",
        (
            (
                RUNNER,
                "                self._end_session(step, connection_id)\n                return state\n",
                "                return state\n",
            ),
        ),
        lambda c: _sent_once(_walk(c, "both_lost", f1="late")),
    ),
    Rule(
        "a_warning_fails_the_step",
        ((RUNNER, "            if unexpected:", "            if False:"),),
        lambda c: _state(_walk(c, "both_lost", f1="warned")) != "succeeded",
    ),
    Rule(
        "the_session_reached_the_planned_server",
        (
            (
                RUNNER,
                '        if planned is not None and str(planned) != identity["server_id"]:',
                "        if False:",
            ),
        ),
        lambda c: _walk(c, "move_both", _other_server, "stop")[2].sent == [],
    ),
    Rule(
        "abort_and_point_of_no_return_exclude_each_other",
        ((RUNNER, "not self._pass_return():", "False:"),),
        _abort_at_the_last_moment,
    ),
    Rule(
        "behind_the_point_of_no_return_nothing_is_undone",
        (
            (RUNNER, "                self._progress.intended.add(step.index)\n            yield", "            yield"),
            (RUNNER, "        self._progress.is_return_closed = True\n", ""),
        ),
        lambda c: _state(_walk(c, "move_both", f5="refused")) == "needs_operator",
    ),
    Rule(
        "what_is_not_seen_running_is_not_called_restored",
        ((RUNNER, "        if kind.undo_statement(self._ctx, step) is not None:", "        if False:"),),
        _undo_not_claimed,
    ),
    Rule(
        "a_channel_that_is_not_ours_is_not_started",
        (
            (
                "steps.stop",
                "            raise ForeignChannelError(f",
                "            return step.undo[0]\n            raise ForeignChannelError(f",
            ),
        ),
        lambda c: not _walk(c, "move_replica", _pointed_elsewhere, "locate")[0].node("b1").channels["link1"].is_running,
    ),
    Rule(
        "the_old_channel_stands_where_it_stopped",
        (("steps.base", "    if stopped_at is None or stopped_at == now:", "    if True:"),),
        _not_doubled,
    ),
    Rule(
        "the_new_channel_stands_where_it_was_proven",
        (
            (
                "steps.start",
                """        if position != f"{proven['file']}:{proven['offset']}":""",
                "        if False:",
            ),
        ),
        _stands_where_it_stopped,
    ),
    Rule(
        "the_place_is_read_again_just_before",
        (("steps.point", "        read_again(ctx, step)\n", ""),),
        lambda c: _walk(c, "both_lost", _purged, "point")[0].executed == [],
    ),
    Rule(
        "the_loop_guard_names_every_id_of_the_own_cluster",
        (
            (
                "plans",
                "    ignore = ctx.link.receiving_cluster(move.direction).server_ids\n",
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
        (("steps.verify", '        faults += [f"second channel: {text}" for text in second]\n', ""),),
        lambda c: _state(_walk(c, "move_source", _second_stopped, "probe")) != "succeeded",
    ),
    Rule(
        "changed_options_are_no_success",
        (("steps.verify", '        faults += [f"options differ: {o}" for o in options if o]\n', ""),),
        lambda c: _state(_walk(c, "move_both", _option_changed, "probe")) != "succeeded",
    ),
    Rule(
        "a_probe_that_does_not_arrive_is_no_success",
        (
            ("steps.probing", "        if missing or not live:", "        if False:"),
            ("steps.probing", "{max(seen.values()):.0f}", "0"),
        ),
        lambda c: _state(_walk(c, "move_both", _sql_thread_stopped, "probe")) != "succeeded",
    ),
)


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_rule__in_place__holds(rule: Rule) -> None:
    assert rule.holds(Copy())


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_rule__taken_out__is_missed(rule: Rule) -> None:
    with copy_with(*rule.changes) as core:
        assert not rule.holds(core)
