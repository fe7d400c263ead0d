"""2a: the worker is killed, sleeps, is told to end, or has a wrong clock."""

from __future__ import annotations

import os
import signal
import time

import pytest

from backend.operations.runs.execution.unfinished_sessions import MAX_LOST_WORKERS
from backend.operations.runs.execution.worker_shutdown import FINISH_WITHIN_S
from tests.faults.fault import LEASE_S, Fault
from tests.faults.soak import Leg
from tests.galera.console import describe
from tests.galera.relocate import CHANGING_STEPS
from tests.galera.worker_kill import STATEMENT
from tests.support.waiting import patience, wait_for

WALL = 7
"""Step of a planned move at which the first CHANGE MASTER leaves."""


@pytest.mark.faults("A1", "A2", "A3")
@pytest.mark.parametrize(
    "boundary",
    [
        pytest.param("after-intent", marks=pytest.mark.quick),
        pytest.param("after-sql", marks=pytest.mark.quick),
        "after-outcome",
    ],
)
def test_worker__killed_around_a_statement__another_looks_and_goes_on(fault: Fault, boundary: str) -> None:
    """Before the statement left, after it took effect, between STOP and CHANGE: one effect each."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        fault.died_at(run_id, f"{boundary}:{fault.rng.choice(CHANGING_STEPS)}")
        fault.succeeded(fault.carried_on(run_id))
    fault.judge()


RECORDED = """
from backend.monitoring.models import ChannelRecord
print(*sorted(ChannelRecord.objects.values_list("replica_node__name", flat=True)))
"""


@pytest.mark.quick
@pytest.mark.faults("A3")
def test_worker__dies_once_the_new_channels_run__they_are_the_ones_that_count(fault: Fault) -> None:
    """No monitor sees them: by the record of before, a clean would take them once an old holder is back."""
    with fault.stack.paused("worker"):
        plan = fault.ready(**fault.other_pair())
        run_id = fault.start(plan)
        behind_the_starts = next(step["index"] for step in plan["steps"] if step["code"] == "probe")
        with fault.stack.paused("monitor"):
            fault.died_at(run_id, f"step-start:{behind_the_starts}")
            recorded = fault.stack.python(RECORDED).split()
        fault.succeeded(fault.carried_on(run_id))
    assert recorded == sorted([plan["target"]["source_name"], plan["target"]["replica_name"]])
    fault.judge()


@pytest.mark.faults("A3")
def test_worker__starts_a_channel_whose_source_has_just_died__it_counts_all_the_same(fault: Fault) -> None:
    """START SLAVE took effect, its proof fails; no monitor sees it, and the holder of before may return."""
    with fault.stack.paused("worker"):
        plan = fault.ready(**fault.other_pair())
        run_id = fault.start(plan)
        started = [step for step in plan["steps"] if step["code"] == "start_channel"][-1]
        (victim,) = {plan["target"]["source_name"], plan["target"]["replica_name"]} - {started["node"]}
        with fault.stack.paused("monitor"):
            sleeper = fault.stopped_at(run_id, f"step-start:{started['index']}")
            fault.kill(victim)
            fault.wake(sleeper, 90)
            recorded = fault.stack.python(RECORDED).split()
        assert fault.run_of(run_id)["state"] == "needs_operator", describe(fault.run_of(run_id))
    assert started["node"] in recorded
    fault.strike()
    onward, _ = Leg(fault, "relocate").started({})
    fault.succeeded(fault.ended(onward, 120))
    fault.judge()


@pytest.mark.quick
@pytest.mark.faults("A4")
def test_worker__sleeps_past_its_lease_and_wakes__nothing_of_its_epoch_arrives(fault: Fault) -> None:
    """SIGSTOP with the intent stored; the successor ends its session first; awake it sends nothing."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        sleeper = fault.stopped_at(run_id, f"after-intent:{fault.rng.choice(CHANGING_STEPS)}")
        time.sleep(LEASE_S + 0.5)  # a lease has to run out, by the database's clock
        run = fault.carried_on(run_id)
        sleeper.send_signal(signal.SIGCONT)
        assert sleeper.wait(timeout=60) is not None
        fault.succeeded(run)
    assert fault.run_of(run_id)["state"] == "succeeded"
    fault.judge()


@pytest.mark.faults("A1")
def test_worker__dies_three_times_at_drawn_places__ends_as_unbroken(fault: Fault) -> None:
    """One death after the other, each wherever the seed says."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        for step in sorted(fault.rng.sample(CHANGING_STEPS[2:], 3)):
            boundary = fault.rng.choice(["before-intent", "after-intent", "after-sql", "after-outcome"])
            wait_for(lambda: fault.run_of(run_id)["state"] in ("queued", "running"), "the run to be free")
            time.sleep(LEASE_S + 0.5)
            fault.died_at(run_id, f"{boundary}:{step}")
        fault.succeeded(fault.carried_on(run_id))
    fault.judge()


@pytest.mark.faults("A16")
def test_worker__dies_of_the_same_step_again_and_again__a_person_is_asked_and_resume_goes_on(fault: Fault) -> None:
    """As where the system ends each of them for want of memory; the nodes stay as the last of them left them."""
    step = CHANGING_STEPS[2]
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        for _ in range(MAX_LOST_WORKERS + 1):
            fault.died_at(run_id, f"step-start:{step}")
            time.sleep(LEASE_S + 0.5)
        sent = fault.wires()
        run = fault.handed_over(fault.carried_on(run_id), "workers in a row", "resume the run")
        assert fault.wires() == sent, "the worker that handed the run over sent something"
        answer = fault.console.call("POST", f"/runs/{run['id']}/resume", {"comment": "there is memory again"})
        assert answer.status < 300, answer
        fault.succeeded(fault.carried_on(run_id))
    fault.judge()


@pytest.mark.faults("A17")
def test_worker__sigterm_in_the_middle__the_run_ends_and_a_new_worker_serves(fault: Fault) -> None:
    """A warm shutdown takes the run to its end or to a boundary; nothing is cut."""
    run_id = fault.start(fault.ready(**fault.other_pair()))
    wait_for(lambda: fault.run_of(run_id)["state"] != "queued", "the run to begin", pause_s=0.01)
    os.kill(fault.stack.pid("worker"), signal.SIGTERM)
    fault.strike()
    fault.succeeded(fault.ended(run_id))
    assert fault.run_of(run_id)["state"] == "succeeded"
    options = fault.settled_pair()
    # a moment behind the move only one kind of evidence may speak for the next place
    wait_for(lambda: fault.console.plan(**options)["state"] == "ready", "the next place to be provable", pause_s=1.0)
    fault.succeeded(fault.ended(fault.start(fault.ready(**options))))
    fault.judge()


@pytest.mark.faults("A17")
def test_worker__sigterm_at_each_boundary_of_a_statement__ends_the_run_and_itself_in_time(fault: Fault) -> None:
    """The process that carries the run sleeps there while its worker is told to end; no worker follows."""
    step = fault.rng.choice(CHANGING_STEPS)
    for boundary in STATEMENT:
        run_id = told_to_end_at(fault, f"{boundary}:{step}", asleep_s=1.0)
        assert fault.run_of(run_id)["state"] == "succeeded", f"{boundary}:{step}"
        assert fault.epochs(run_id) == 1, f"{boundary}:{step}"
        fault.succeeded(fault.run_of(run_id))
    fault.judge()


@pytest.mark.faults("A17")
def test_worker__sigterm_and_a_long_step__lets_go_at_the_next_boundary_and_another_goes_on_at_once(
    fault: Fault,
) -> None:
    """Its run could not end in time: released in front of its lease's end, it is taken by the next worker."""
    boundary = f"{fault.rng.choice(STATEMENT)}:{fault.rng.choice(CHANGING_STEPS)}"
    run_id = told_to_end_at(fault, boundary, asleep_s=FINISH_WITHIN_S + 1.0)
    let_go = time.monotonic()
    fault.succeeded(fault.ended(run_id, LONG_LEASE_S))
    assert time.monotonic() - let_go < LONG_LEASE_S
    assert fault.epochs(run_id) == 2, boundary
    fault.judge()


END_LIMIT_S = 30.0
"""As what supervises a worker grants it."""
LONG_LEASE_S = 120.0
"""Longer than the test waits: only a lease that was given back lets the next worker in."""


def told_to_end_at(fault: Fault, boundary: str, *, asleep_s: float) -> str:
    """SIGTERM while the process that carries a run sleeps at the boundary; it wakes, and its worker ends. The run."""
    with fault.stack.worker_with(HAWSER_FAULT_AT=f"{boundary}:stop", HAWSER_LEASE_S=f"{LONG_LEASE_S:g}") as worker:
        run_id = fault.start(fault.ready_soon())
        wait_for(lambda: fault.stack.asleep_under(worker), f"the run to sleep at {boundary}", pause_s=0.05)
        os.kill(worker, signal.SIGTERM)
        signalled = time.monotonic()
        time.sleep(asleep_s)
        assert fault.stack.pid("worker") == worker, "its worker left a run that was under way"
        fault.strike()
        for asleep in fault.stack.asleep_under(worker):
            os.kill(asleep, signal.SIGCONT)
        wait_for(
            lambda: fault.stack.pid("worker") != worker,
            f"the worker to end behind {boundary}",
            END_LIMIT_S,
            pause_s=0.05,
        )
        assert time.monotonic() - signalled < END_LIMIT_S * patience(), boundary
    return run_id


@pytest.mark.faults("A18")
@pytest.mark.parametrize("offset", ["-1h", "+1h"])
def test_worker__clock_an_hour_off__acts_once_or_not_at_all(fault: Fault, offset: str) -> None:
    """Leases go by the database's clock; a plan that looks too old to the worker sends nothing."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        fault.strike()
        fault.stack.drive_at(offset, run_id)
        run = fault.carried_on(run_id)
    assert run["state"] in ("succeeded", "failed"), describe(run)
    if run["state"] == "failed":
        assert "Nothing was changed" in run["outcome"], run["outcome"]
        fault.silent()
    fault.judge()


@pytest.mark.faults("A18")
def test_worker__a_fast_clock_meets_a_live_lease__does_not_take_the_run(fault: Fault) -> None:
    """A worker an hour ahead finds the run held by one that is up."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        first = fault.stack.drive_in_background(run_id)
        wait_for(lambda: fault.run_of(run_id)["state"] == "running", "the first worker to hold the run", pause_s=0.01)
        fault.stack.drive_at("+1h", run_id)
        assert first.wait(timeout=90) == 0
        fault.succeeded(fault.ended(run_id))
    fault.judge()
    assert fault.epochs(run_id) == 1
