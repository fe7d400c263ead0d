"""2a: the console's own database stops, hangs, or returns from an old copy."""

from __future__ import annotations

import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.fault import Fault
from tests.faults.parts.api_calls import asked
from tests.galera.console import describe, refusals, sentences
from tests.galera.relocate import CHANGING_STEPS, scene_pair
from tests.support.waiting import patience, wait_for

ANSWER_S = 20
"""A call that meets a database which hangs is over by then: its limits are 3 s to connect and 10 s to read."""
ALIVE_S = 3
READERS = 24
"""As many calls wait for the database at once as an office of open consoles makes."""


def answers(fault: Fault) -> bool:
    """Whether the console reads its database again."""
    return fault.console.call("GET", f"/links/{fault.console.link_id}").status == 200


@pytest.mark.quick
@pytest.mark.faults("A10")
@pytest.mark.parametrize("boundary", ["after-sql"])
def test_database__down_after_the_statement__outcome_is_observed_once_it_is_back(fault: Fault, boundary: str) -> None:
    """The statement took effect and it could not be recorded: the successor looks, and sends nothing twice."""
    gone_at(fault, f"{boundary}:{fault.rng.choice(CHANGING_STEPS)}")


@pytest.mark.faults("A10")
@pytest.mark.parametrize("boundary", ["step-start", "before-intent", "after-intent", "after-outcome", "step-end"])
def test_database__down_at_any_boundary__nothing_without_an_intent(fault: Fault, boundary: str) -> None:
    """No statement leaves without its intent on disk."""
    gone_at(fault, f"{boundary}:{fault.rng.choice(CHANGING_STEPS)}")


def gone_at(fault: Fault, boundary: str) -> None:
    """A worker reaches a boundary, the database is killed, the worker goes on into it, the database returns."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        sleeper = fault.stopped_at(run_id, boundary)
        with fault.stack.without("mariadb"):
            sleeper.send_signal(signal.SIGCONT)
            time.sleep(2)  # the worker goes on into the dead database
            reading = fault.console.call("GET", f"/runs/{run_id}")
            assert (reading.status, reading.body["code"]) == (503, "console_database_unavailable")
        sleeper.wait(timeout=90)
        wait_for(lambda: answers(fault), "the console to read its database again")
        fault.strike()
        fault.succeeded(fault.carried_on(run_id))
    fault.judge()


@pytest.mark.faults("A10")
@pytest.mark.parametrize("kind", ["relocate", "switchover"])
def test_database__ends_every_connection_over_and_over__run_succeeds_and_nobody_is_asked(
    fault: Fault, kind: str
) -> None:
    """A console database that fails over: a switchover that stopped for it would keep writes fenced for hours."""
    plan = fault.ready(kind, **(fault.other_pair() if kind == "relocate" else {"allow_long_transactions": True}))
    run_id = fault.start(plan)
    fault.strike()
    until = time.monotonic() + 8
    while time.monotonic() < until:
        fault.stack.end_connections()
        time.sleep(fault.rng.uniform(0.0, 0.4))
    wait_for(lambda: answers(fault), "the console to read its database again")
    fault.succeeded(fault.ended(run_id))
    fault.judge()


@pytest.mark.faults("A11")
def test_database__accepts_and_never_answers__503_in_bounded_time_and_threads_free(fault: Fault) -> None:
    """The proxy holds back every answer: many calls wait at once, and a liveness check is answered."""
    reads = [f"/api/v1/links/{fault.console.link_id}", "/api/v1/runs", "/api/v1/clusters"] * (READERS // 3)
    with fault.stack.chaos.during("database", stall_up=True, stall_down=True), ThreadPoolExecutor(READERS + 1) as pool:
        waiting = [pool.submit(asked, fault, path) for path in reads]
        ready = pool.submit(asked, fault, "/readyz")
        for _ in range(5):
            took, status, body = asked(fault, "/healthz")
            assert (status, body["status"]) == (200, "ok")
            assert took < ALIVE_S * patience(), f"no thread was free for {took:.1f} s"
        assert not any(one.done() for one in waiting), "the database answered: nothing was stalled"
        results = [one.result() for one in waiting]
        took, status, body = ready.result()
    assert {(status, body["code"]) for _, status, body in results} == {(503, "console_database_unavailable")}
    assert max(took for took, _, _ in results) < ANSWER_S * patience()
    assert (status, body["status"], body["parts"]["database"]["ok"]) == (503, "unavailable", False)
    assert took < ANSWER_S * patience()
    fault.stack.chaos.reset("database")
    fault.strike()
    wait_for(lambda: answers(fault), "the console to read its database again")
    run_id = fault.start(fault.ready_soon())
    fault.succeeded(fault.ended(run_id))
    fault.judge()


@pytest.mark.faults("A12")
def test_database__restored_from_before_a_run__old_plan_and_old_run_send_nothing(fault: Fault) -> None:
    """The copy holds a queued run and a ready plan of a topology that is no more: both are refused by the facts."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        copy = fault.stack.copy_database()
        fault.succeeded(fault.carried_on(run_id))
        fault.look_again()
        done = len(fault.wires())
        fault.stack.restore_database(copy)
        wait_for(lambda: answers(fault), "the console to read its database again")
        assert fault.run_of(run_id)["state"] == "queued"
        fault.strike()
        run = fault.carried_on(run_id)
    assert run["state"] in ("failed", "succeeded"), describe(run)
    assert len(fault.wires()) == done, "a run of yesterday's record sent statements"
    fault.judge(is_record_lost=True)


@pytest.mark.faults("A12")
def test_database__restored_from_before_the_newest_run__every_plan_refused_until_a_person_attests(fault: Fault) -> None:
    """The probe on the servers names a run that the old copy lacks; a run attested to writes its own over it."""
    copy = fault.stack.copy_database()
    moved = fault.succeeded(fault.console.run_planned("relocate", **fault.other_pair()))
    newest = moved["id"]
    fault.judge_statements()
    fault.stack.restore_database(copy)
    wait_for(lambda: answers(fault), "the console to read its database again")
    wait_for(lambda: fault.pair() == scene_pair(moved), "the monitor to look past the old copy")
    fault.arm()
    assert fault.console.call("GET", f"/runs/{newest}").status == 404
    for kind in ("relocate", "switchover", "remove_stray_channel"):
        refused = fault.console.plan(kind)
        assert "unknown_runs_found" in refusals(refused), sentences(refused)
        assert newest in sentences(refused)
    fault.silent()
    fault.strike()
    fault.succeeded(
        fault.recovered(fault.console.run_planned("relocate", attest_unknown_runs=True, **fault.other_pair()))
    )
    assert "unknown_runs_found" not in refusals(fault.console.plan("relocate", **fault.settled_pair()))
    fault.judge(is_record_lost=True)


@pytest.mark.faults("A12")
def test_console__another_one_has_registered_the_same_clusters__refused_until_a_person_attests(fault: Fault) -> None:
    """It has a record of its own, which knows nothing of ours; the probe that its run left is all there is to see."""
    source, _ = fault.pair()
    fault.sql(
        source,
        "REPLACE INTO hawser.probe (link_id, direction, token, written_on, written_at) VALUES "
        f"('l_another', 'forward', 'r_another', '{source}', UTC_TIMESTAMP(6))",
    )
    for kind in ("relocate", "switchover", "remove_stray_channel"):
        refused = fault.console.plan(kind)
        assert "unknown_runs_found" in refusals(refused), sentences(refused)
        assert "l_another" in sentences(refused)
    fault.silent()
    fault.strike()
    fault.succeeded(
        fault.recovered(fault.console.run_planned("relocate", attest_unknown_runs=True, **fault.other_pair()))
    )
    assert "unknown_runs_found" not in refusals(fault.console.plan("relocate", **fault.settled_pair()))
    fault.judge()


@pytest.mark.faults("A12")
def test_database__restored_from_the_middle_of_a_run__looks_and_sends_nothing_again(fault: Fault) -> None:
    """The copy says `running`, with a statement's outcome open; the servers say that all of it is done."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        fault.died_at(run_id, f"after-sql:{fault.rng.choice(CHANGING_STEPS[:4])}")
        copy = fault.stack.copy_database()
        moved = fault.succeeded(fault.carried_on(run_id))
        done = [w.plain for w in fault.wires() if w.plain.startswith("CHANGE MASTER")]
        fault.stack.restore_database(copy)
        wait_for(lambda: answers(fault), "the console to read its database again")
        run = fault.carried_on(run_id)
    wait_for(lambda: fault.pair() == scene_pair(moved), "the monitor to look past the old copy")
    assert run["state"] in ("failed", "succeeded", "needs_operator"), describe(run)
    assert [w.plain for w in fault.wires() if w.plain.startswith("CHANGE MASTER")] == done, describe(run)
    if run["state"] == "needs_operator":
        fault.supersede()
    fault.judge(is_record_lost=True)
