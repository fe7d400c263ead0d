"""Rules of carrying a run, each taken out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, state_of, walk


def _sent_once(walked: Any) -> bool:
    effects = [(e.node, e.sql) for e in walked[0].executed]
    return len(effects) == len(set(effects))


def _abort_at_the_last_moment(core: Copy) -> bool:
    walked = walk(core, "both_lost", lambda both: both[1].request_abort(), "change_source")
    return state_of(walked) == "aborted" and walked[0].executed == []


def _other_server(both: Any) -> None:
    both[0].node("b1").server_id = 77


def _neighbour(both: Any) -> None:
    both[0].node("b1").who["datadir"] = "/lab/b2/data/"


def _changed_facts(core: Copy, change: Callable[[Any], None]) -> bool:
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.builders.situations"].situation("move_both").build()
    change(world)
    gateway = gateways.FakeGateway(world)
    driver.run_to_end(world, plan, gateway)
    return gateway.sent == []


def _unsynced(world: Any) -> None:
    world.node("a2").local_state = 2


def _plan_too_old(world: Any) -> None:
    world.clock.time_s += 301


def _probed_by_another(core: Copy) -> bool:
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.builders.situations"].situation("move_both").build()
    world.node("a1").probes[plan.link_id, "forward"] = "r_other"
    console = core["tests.fakes.console"].FakeConsole(unknown_runs={"r_other"})
    gateway = gateways.FakeGateway(world)
    driver.Walker(world, gateway, driver.Memory(plan), console=console).run()
    return gateway.sent == []


def _undo_not_claimed(core: Copy) -> bool:
    lost = {f"f{n}": "lost_before" for n in range(3, 20)}
    walked = walk(core, "move_replica", lambda both: both[1].request_abort(), "locate", **lost)
    return state_of(walked) == "needs_operator"


def _silent_record(core: Copy) -> bool:
    """One question of a run is not answered, whichever, and another worker goes on."""
    driver, situations = core["tests.fakes.driver"], core["tests.core.builders.situations"]
    for silent_at in range(1, 20):
        world, plan = situations.situation("move_both").build()
        gateway, memory = core["tests.fakes.gateway"].FakeGateway(world), driver.Memory(plan)
        driver.Walker(world, gateway, memory, silent_at=silent_at).run()
        driver.Walker(world, gateway, memory).run()
        if state_of((world, memory, gateway)) != "succeeded":
            return False
    return True


def _aborted_clean(core: Copy) -> bool:
    """An operator aborts once the stray channel is stopped."""
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.runner.test_abort"].running_stray()
    memory = driver.Memory(plan)

    def ask(transition: Any) -> None:
        if type(transition).__name__ == "StepDone" and transition.step.code == "stop_channel":
            memory.request_abort()

    driver.Walker(world, gateways.FakeGateway(world), memory, on_transition=ask).run()
    return "START" not in {e.verb for e in world.executed}


def _others_open_again(core: Copy) -> bool:
    world, _, _ = core["tests.core.runner.test_site_walks"].fenced_node_dies_before_an_abort()
    return [n.name for n in world.a.nodes if not n.takes_writes] == ["a3"]


JUDGE, LOCATOR, RUNNER = "locate.judge", "locate", "runner"


def _fenced_together(core: Copy, **how: Any) -> Any:
    scene = core["tests.core.runner.test_together"].Scene(**how)
    scene.walk()
    return scene


def _other_server_in_a_group(core: Copy) -> bool:
    tests = core["tests.core.runner.test_together"]
    scene = tests.Scene()
    scene.on_transition = tests.after_recheck(lambda: setattr(scene.world.node("a2"), "server_id", 99))
    scene.walk()
    return "a2" not in {node for node, _ in scene.gateway.sent}


def _late_fence_is_ended(core: Copy) -> bool:
    fault = core["tests.fakes.gateway"].Fault.LATE
    return len(_fenced_together(core, faults={2: fault}).gateway.killed) == 1


def _refused_fence_fails(core: Copy) -> bool:
    fault = core["tests.fakes.gateway"].Fault.REFUSED
    scene = _fenced_together(core, faults={2: fault})
    return scene.memory.ended.state == "failed" and [node for node, _ in scene.gateway.sent].count("a2") == 1


RULES = (
    Rule(
        "each_session_of_a_group_reached_the_planned_server",
        (
            (
                RUNNER,
                "sql is None or identity_mismatch(self._plan.fingerprint, str(step.node), session[1])",
                "sql is None",
            ),
        ),
        _other_server_in_a_group,
    ),
    Rule(
        "a_session_of_unknown_outcome_in_a_group_is_ended",
        ((RUNNER, "                self._end_session(sending.step, sending.connection_id)\n", ""),),
        _late_fence_is_ended,
    ),
    Rule(
        "a_refused_statement_of_a_group_fails_its_step",
        ((RUNNER, "        return answer.error or True\n", "        return answer.error is None\n"),),
        _refused_fence_fails,
    ),
    Rule(
        "one_undo_that_fails_keeps_no_other_back",
        (
            (
                RUNNER,
                "                stuck.append((step, _reason(error)[0]))\n                continue\n",
                "                stuck.append((step, _reason(error)[0]))\n                break\n",
            ),
        ),
        _others_open_again,
    ),
    Rule(
        "changed_facts_send_nothing",
        (
            (
                "steps.verification.recheck",
                "        if found:\n            first",
                "        if False:\n            first",
            ),
        ),
        lambda c: _changed_facts(c, _unsynced),
    ),
    Rule(
        "record_behind_servers_sends_nothing",
        (("steps.verification.recheck", "        if unknown:", "        if False:"),),
        _probed_by_another,
    ),
    Rule(
        "expired_plan_sends_nothing",
        (
            (
                "steps.verification.recheck",
                "        if ctx.clock.now_s() > ctx.expires_at_s:",
                "        if False:",
            ),
            (RUNNER, "self._ctx.clock.now_s() > self._ctx.expires_at_s", "False"),
        ),
        lambda c: _changed_facts(c, _plan_too_old),
    ),
    Rule(
        "look_before_sending_again",
        ((RUNNER, "            if seen.effect is not Effect.TO_DO:", "            if False:"),),
        lambda c: _sent_once(walk(c, "both_lost", f1="dies_after")),
    ),
    Rule(
        "session_of_unknown_outcome_is_ended",
        (
            (
                RUNNER,
                "            self._end_session(step, connection_id)\n            return None\n",
                "            return None\n",
            ),
        ),
        lambda c: _sent_once(walk(c, "both_lost", f1="late")),
    ),
    Rule(
        "a_warning_fails_the_step",
        ((RUNNER, "        if unexpected:", "        if False:"),),
        lambda c: state_of(walk(c, "both_lost", f1="warned")) != "succeeded",
    ),
    Rule(
        "the_session_reached_the_planned_server",
        (
            (
                "facts.server_identity",
                '    if server_id is not None and str(server_id) != variables["server_id"]:',
                "    if False:",
            ),
        ),
        lambda c: walk(c, "move_both", _other_server, "stop_channel")[2].sent == [],
    ),
    Rule(
        "a_neighbour_with_the_same_server_id_is_another_server",
        (("facts.server_identity", "    return None if meant == reached else", "    return None if True else"),),
        lambda c: walk(c, "gtid_move_both", _neighbour, "stop_channel")[2].sent == [],
    ),
    Rule(
        "abort_and_point_of_no_return_exclude_each_other",
        ((RUNNER, "not self._pass_return():", "False:"),),
        _abort_at_the_last_moment,
    ),
    Rule(
        "behind_the_point_of_no_return_nothing_is_undone",
        (
            (RUNNER, "        self._progress.intended.add(step.index)\n", ""),
            (RUNNER, "        self._progress.is_return_closed = True\n", ""),
        ),
        lambda c: state_of(walk(c, "move_both", f5="refused")) == "needs_operator",
    ),
    Rule(
        "a_left_over_channel_is_never_started_again",
        (
            ("steps.channels.stop", "        if not step.undo:", "        if False:"),
            ("steps.channels.stop", "        if other_replica is not None:", "        if False:"),
        ),
        _aborted_clean,
    ),
    Rule(
        "a_record_that_does_not_answer_is_no_verdict",
        (
            (
                RUNNER,
                "                if self._is_no_verdict(error):\n                    raise\n                sentence",
                "                sentence",
            ),
        ),
        _silent_record,
    ),
    Rule(
        "what_is_not_seen_running_is_not_called_restored",
        ((RUNNER, "        if kind.undo_statement(self._ctx, step) is not None:", "        if False:"),),
        _undo_not_claimed,
    ),
)
