"""Every judge of the simulation speaks: a small world in which the bad thing happens is named by it, a calm one is not.

The judge of a channel started behind what was received has its test beside this one (test_effects.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from backend.core.findings import Finding, Severity
from backend.core.link_facts import Divergence
from backend.core.plan import PLAN_LIFETIME_S
from backend.core.runner import Ended
from tests.fakes.driver import StoredStatement
from tests.sim import invariants, server_events
from tests.sim.console import Bench
from tests.sim.effects import judge
from tests.sim.invariants import AFTER_EVERY_STEP
from tests.sim.plans import Wish
from tests.sim.run import SimRun
from tests.sim.switches import relocating

STOP, START = "STOP SLAVE 'link1'", "START SLAVE 'link1'"


def sent(bench: Bench, run: SimRun, node: str, sql: str, *, epoch: int = 1, is_intended: bool = True) -> list[str]:
    """What the judge says of this statement of the run, preceded by its intent."""
    at = bench.world.node(node)
    if is_intended:
        run.memory.statements.append(StoredStatement(0, node, at.ref.id, sql, 1))
    run.intended_tick = bench.world.ticks
    return judge(bench, at, sql, (run.id, epoch))


def change(run: SimRun, **other: str) -> str:
    """CHANGE MASTER on b2 as planned, these texts replaced."""
    sql = next(step.sql[0] for step in run.plan.steps if (step.code, step.node) == ("change_source", "b2"))
    for was, becomes in other.items():
        assert was in sql
        sql = sql.replace(was, becomes)
    return sql


def divergence_of(bench: Bench) -> Divergence:
    """a is the lost side."""
    return Divergence(bench.world.a.id, bench.world.b.id, bench.world.a.uuid, bench.now_s)


def _early(bench: Bench, run: SimRun) -> str:
    planned = next(step.params["planned"] for step in run.plan.steps if step.code == "locate")
    ends = [p.end for p in bench.world.node("a1").log.placed if p.txn.server_id in bench.world.a.server_ids]
    return change(run, **{f"MASTER_LOG_POS={planned.partition(':')[2]}": f"MASTER_LOG_POS={ends[-2].offset}"})


def second_channel(bench: Bench, run: SimRun) -> list[str]:
    bench.world.connect("a1", "b3")
    return sent(bench, run, "b2", START)


def too_early(bench: Bench, run: SimRun) -> list[str]:
    return sent(bench, run, "b2", _early(bench, run))


def without_intent(bench: Bench, run: SimRun) -> list[str]:
    return sent(bench, run, "a1", STOP, is_intended=False)


def twice(bench: Bench, run: SimRun) -> list[str]:
    assert sent(bench, run, "a1", STOP) == []
    return sent(bench, run, "a1", STOP)


def pointed_again(bench: Bench, run: SimRun) -> list[str]:
    assert sent(bench, run, "b2", change(run)) == []
    return sent(bench, run, "b2", change(run, **{"MASTER_CONNECT_RETRY=7": "MASTER_CONNECT_RETRY=8"}))


def earlier_epoch(bench: Bench, run: SimRun) -> list[str]:
    assert sent(bench, run, "a1", STOP, epoch=2) == []
    return sent(bench, run, "b2", change(run), epoch=1)


def not_planned(bench: Bench, run: SimRun) -> list[str]:
    return sent(bench, run, "a3", STOP)


def no_loop_guard(bench: Bench, run: SimRun) -> list[str]:
    return sent(bench, run, "b2", change(run, **{"(21,22,23)": "(21,22)"}))


def own_side(bench: Bench, run: SimRun) -> list[str]:
    return sent(bench, run, "b2", change(run, **{"10.0.1.1": "10.0.2.3"}))


def lost_source(bench: Bench, run: SimRun) -> list[str]:
    bench.world.divergence = divergence_of(bench)
    return sent(bench, run, "b2", change(run))


STATEMENTS: tuple[tuple[str, Callable[[Bench, SimRun], list[str]]], ...] = (
    ("I2: b2 is started while b3 runs", second_channel),
    ("I3: b2 resumes", too_early),
    ("I5: ", without_intent),
    ("I6: ", twice),
    ("I7: a second CHANGE MASTER on b2", pointed_again),
    ("I11: ", earlier_epoch),
    ("I16: ", not_planned),
    ("I17: b2 does not ignore", no_loop_guard),
    ("I17: b2 is pointed at", own_side),
    ("I20: b2 is pointed at the invalidated side", lost_source),
)


@pytest.mark.parametrize(("says", "act"), STATEMENTS, ids=[act.__name__ for _, act in STATEMENTS])
def test_judge_of_a_statement__it_is_wrong__named(says: str, act: Callable[[Bench, SimRun], list[str]]) -> None:
    faults = act(*relocating())
    assert any(fault.startswith(says) for fault in faults), faults


def test_judge_of_a_statement__as_planned__says_nothing() -> None:
    bench, run = relocating()
    for node, sql in (("a1", STOP), ("b2", change(run))):
        assert sent(bench, run, node, sql) == []


def test_i02__a_channel_from_elsewhere_runs__carries_nothing_of_this_direction() -> None:
    bench, run = relocating()
    bench.world.connect("a1", "b3").source = ("10.9.9.9", 3306)
    assert not any(fault.startswith("I2: ") for fault in sent(bench, run, "b2", START))


def second_run(bench: Bench, run: SimRun) -> None:
    bench.runs.append(SimRun("r_2", run.plan, run.before))


def aborted_past_return(_: Bench, run: SimRun) -> None:
    run.memory.is_abort_requested = run.memory.is_past_return = True


def hole(bench: Bench, _: SimRun) -> None:
    bench.world.write("a1")
    bench.world.b.commit(bench.world.write("a1"))


def doubled(bench: Bench, _: SimRun) -> None:
    txn = bench.world.write("a1")
    for _ in range(2):
        bench.world.b.commit(txn)


def both_open(bench: Bench, _: SimRun) -> None:
    bench.world.node("b2").variables["read_only"] = "OFF"
    bench.world.tick()


def nothing_to_do_next(_: Bench, run: SimRun) -> None:
    run.go("needs_operator")


def come_over(bench: Bench, _: SimRun) -> None:
    bench.ledger.resolve(bench.world.a, bench.ledger.received(bench.world.a)[-1:])


def slipped(_: Bench, run: SimRun) -> None:
    run.memory.failures.append("KeyError: 'position'")


def risen_again(_: Bench, run: SimRun) -> None:
    run.go("failed")
    run.go("running")


WORLDS: tuple[tuple[str, Callable[[Bench, SimRun], None]], ...] = (
    ("I1: ", second_run),
    ("I9: ", aborted_past_return),
    ("I18: of cluster-a lost", hole),
    ("I18: doubled on cluster-b", doubled),
    ("I18: of cluster-a came over although dealt with", come_over),
    ("I19: ", both_open),
    ("I22: ", nothing_to_do_next),
    ("a fault of ours: KeyError", slipped),
    ("I24: ", risen_again),
)


def every_step(bench: Bench) -> Iterator[str]:
    """What is judged after every step."""
    for check in AFTER_EVERY_STEP:
        yield from check(bench)


@pytest.mark.parametrize(("says", "act"), WORLDS, ids=[act.__name__ for _, act in WORLDS])
def test_judge_of_the_whole__it_is_wrong__named(says: str, act: Callable[[Bench, SimRun], None]) -> None:
    bench, run = relocating()
    assert list(every_step(bench)) == []
    act(bench, run)
    faults = list(every_step(bench))
    assert any(fault.startswith(says) for fault in faults), faults


def test_judges_of_the_whole__each_has_its_bad_world() -> None:
    broken = set()
    for _, act in WORLDS:
        bench, run = relocating()
        act(bench, run)
        broken |= {check.__name__ for check in AFTER_EVERY_STEP if list(check(bench))}
    assert broken == {check.__name__ for check in AFTER_EVERY_STEP}


@pytest.mark.parametrize("what", ["channels", "read_only"])
def test_i08__a_failed_run_left_something__named(what: str) -> None:
    bench, run = relocating()
    run.memory.end = Ended("failed", "x")
    assert invariants.i08_restored(bench, run) == []
    if what == "channels":
        bench.world.node("a1").channels["link1"].sql = "No"
    else:
        bench.world.node("b2").variables["read_only"] = "OFF"
    (fault,) = invariants.i08_restored(bench, run)
    assert fault.startswith(f"I8: {run.id} failed, {what}")


@pytest.mark.parametrize("what", ["nodes", "channels"])
def test_i10__a_recheck_passed_over_a_change__named(what: str) -> None:
    bench, run = relocating()
    assert invariants.i10_recheck_saw_the_change(bench, run) == []
    if what == "nodes":
        bench.world.kill("a2")
    else:
        bench.world.node("a1").channels["link1"].source = ("10.9.9.9", 3306)
    (fault,) = invariants.i10_recheck_saw_the_change(bench, run)
    assert what in fault


def test_i10__a_channel_from_elsewhere_came__is_none_of_the_link() -> None:
    bench, run = relocating()
    bench.world.connect("b2", "a3", is_running=False).source = ("10.9.9.9", 3306)
    assert invariants.i10_recheck_saw_the_change(bench, run) == []


def test_i10__an_old_plan_begins_to_send__named() -> None:
    bench, run = relocating()
    assert invariants.i10_fresh_plan(bench, run) == []
    bench.world.clock.time_s += PLAN_LIFETIME_S + 1
    assert invariants.i10_fresh_plan(bench, run)


@pytest.mark.parametrize(("kind", "is_refused", "is_told"), [("relocate", False, True), ("relocate", True, False)])
def test_i20__a_plan_while_a_side_is_lost__named(kind: str, is_refused: bool, is_told: bool) -> None:
    bench, _ = relocating()
    bench.world.divergence = divergence_of(bench)
    assert bool(invariants.i20_refused_until_reconciled(bench, kind, is_refused_plan=is_refused)) is is_told


@pytest.mark.parametrize("is_placed", [True, False])
def test_clean__takes_what_a_run_set_up__named(is_placed: bool) -> None:
    bench = Bench(by_gtid=False)
    bench.world.converge()
    bench.world.connect("a1", "b2", is_running=False)
    plan = bench.make_plan(Wish("remove_stray_channel"))
    assert [step.node for step in plan.steps if step.code == "reset_channel"] == ["b2"]
    bench.placed = {"b": (bench.world.ticks, "b2" if is_placed else "b1")}
    assert bool(invariants.clean_spares_what_counts(bench, plan)) is is_placed


@pytest.mark.parametrize(("refuses_known", "says"), [(True, "I15: "), (False, "I14: ")])
def test_less_known__is_better__named(monkeypatch: pytest.MonkeyPatch, refuses_known: bool, says: str) -> None:
    bench = Bench(by_gtid=False)
    assert invariants.i14_i15_less_known_is_never_better(bench, "a1", "wsrep") == []
    refusal = Finding("x", Severity.BLOCKER, "", "", {})

    def checked(ctx: object, checks: object) -> tuple[Finding, ...]:
        del checks
        is_known = ctx.link.node("n_a1").wsrep is not None  # type: ignore[attr-defined]
        return (refusal,) if refuses_known and is_known else ()

    monkeypatch.setattr(invariants, "run_checks", checked)
    (fault,) = invariants.i14_i15_less_known_is_never_better(bench, "a1", "wsrep")
    assert fault.startswith(says)


@pytest.mark.parametrize("does_sweep", [True, False])
def test_heal__redis_forgot_the_message__claimed_only_where_a_monitor_dispatches(
    monkeypatch: pytest.MonkeyPatch, does_sweep: bool
) -> None:
    bench, run = relocating()
    bench.link.messages.clear()
    if does_sweep:
        bench.heal()
        assert run.is_started
        return
    monkeypatch.setattr(type(bench.link), "sweep", lambda link, now_s: 0)
    with pytest.raises(AssertionError, match="I13"):
        bench.heal()


@pytest.mark.parametrize("is_reset", [True, False], ids=["its log was reset", "its position was moved"])
def test_i18__a_channel_left_something_out__named_unless_a_person_threw_it_away_unread(is_reset: bool) -> None:
    bench = Bench(by_gtid=True)
    world = bench.world
    world.converge()
    for node in ("b1", "b2", "b3"):
        world.kill(node)
    left_out = world.write("a1")
    if is_reset:
        server_events.reset_master(bench, world.node("a1"))
    else:
        world.node("b1").slave_pos = world.node("a1").log.state_at(world.node("a1").log.end)
    world.write("a1")
    world.start_server("b1")
    world.converge()
    assert left_out.uid not in bench.ledger.received(world.a)
    assert bool(list(invariants.i18_nothing_lost(bench))) is not is_reset
