"""2a: Redis killed with all its data, emptied, asleep; messages doubled and replayed."""

from __future__ import annotations

import os
import time

import pytest
import redis

from tests.faults.fault import Fault
from tests.faults.parts.api_calls import asked, parts
from tests.faults.soak import dispatch
from tests.support.waiting import patience, wait_for

AGAIN_S = 60
"""A queued run is announced again within this after Redis returned."""


def broker(fault: Fault) -> redis.Redis:
    """The broker itself, past the proxy."""
    return redis.Redis.from_url(fault.stack.facts["redis_url"], socket_timeout=5)


def emptied(fault: Fault) -> None:
    """FLUSHALL until the queue stays empty."""
    with broker(fault) as client:
        client.flushall()


def relocates_again(fault: Fault) -> None:
    """The fault is over: the worker takes the message of a new run."""
    fault.strike()
    fault.succeeded(fault.ended(fault.start(fault.ready(**fault.other_pair())), AGAIN_S))
    fault.judge()


@pytest.mark.quick
@pytest.mark.faults("A5", "A6")
def test_redis__dead_before_and_during_a_run__stored_shown_and_picked_up_once(fault: Fault) -> None:
    """A run confirmed without Redis waits in the database; with Redis back, and empty, it is found there."""
    with fault.stack.without("redis"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        assert fault.run_of(run_id)["state"] == "queued"
        ready = fault.console.call("GET", f"/links/{fault.console.link_id}")
        assert ready.status == 200
        time.sleep(2)
    fault.strike()
    fault.succeeded(fault.ended(run_id, AGAIN_S))
    fault.judge()


@pytest.mark.faults("A5")
def test_redis__killed_with_all_data_while_a_run_is_under_way__the_run_does_not_notice(fault: Fault) -> None:
    """The step that runs needs no Redis."""
    run_id = fault.start(fault.ready(**fault.other_pair()))
    wait_for(lambda: fault.run_of(run_id)["state"] != "queued", "the run to begin", pause_s=0.01)
    with fault.stack.without("redis"):
        fault.strike()
        fault.succeeded(fault.ended(run_id, AGAIN_S))
    fault.judge()


@pytest.mark.faults("A5")
def test_redis__emptied_and_asleep__queued_run_is_found_again(fault: Fault) -> None:
    """FLUSHALL takes the message away; SIGSTOP makes every call to Redis hang for a while."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        emptied(fault)
    with fault.stack.paused("redis"):
        assert fault.run_of(run_id)["id"] == run_id
        time.sleep(3)
    fault.strike()
    fault.succeeded(fault.ended(run_id, AGAIN_S))
    fault.judge()


@pytest.mark.quick
@pytest.mark.faults("A8")
def test_message__a_hundred_times_and_replayed_afterwards__one_effect(fault: Fault) -> None:
    """Before, during and after the run: every worker but the first finds it claimed or over."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        dispatch(fault, run_id, 50)
    wait_for(lambda: fault.run_of(run_id)["state"] != "queued", "the run to begin", pause_s=0.01)
    dispatch(fault, run_id, 50)
    fault.succeeded(fault.ended(run_id))
    before = len(fault.wires())
    dispatch(fault, run_id, 20)
    with broker(fault) as client:
        wait_for(lambda: client.llen("runs") == 0, "the queue to be worked off")
    assert len(fault.wires()) == before
    assert fault.epochs(run_id) == 1
    fault.judge()


@pytest.mark.faults("A7")
def test_message__delivered_again_while_a_step_hangs__second_worker_leaves_it_alone(fault: Fault) -> None:
    """A long step: the lease is renewed, a redelivery finds the run held."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        with fault.stack.chaos.during(*fault.nodes(), kind="tls", delay_down_s=0.03):
            first = fault.stack.drive_in_background(run_id)
            wait_for(
                lambda: fault.run_of(run_id)["state"] == "running", "the first worker to hold the run", pause_s=0.01
            )
            for _ in range(3):
                assert fault.stack.drive(run_id) == 0
        assert first.wait(timeout=120 * patience()) == 0
        fault.succeeded(fault.ended(run_id))
    assert fault.epochs(run_id) == 1
    fault.judge()


@pytest.mark.faults("A9")
def test_worker__its_connections_to_redis_killed_over_and_over__still_takes_messages(fault: Fault) -> None:
    """Workers that stop consuming after a reconnect are a known trouble: this one is told by its probe, and works."""
    until = time.monotonic() + 30
    with broker(fault) as client:
        while time.monotonic() < until:
            client.client_kill_filter(_type="normal", skipme=True)
            client.client_kill_filter(_type="pubsub", skipme=True)
            time.sleep(0.5)
    relocates_again(fault)


@pytest.mark.faults("A9")
def test_worker__answers_of_redis_lost_on_its_standing_connection__gives_up_waiting_and_takes_messages(
    fault: Fault,
) -> None:
    """The connection stands, and the answer it waits for will never come: the way in which workers go deaf."""
    with fault.stack.chaos.during("redis", lose_down=True):
        time.sleep(5)
    relocates_again(fault)


@pytest.mark.faults("A9")
def test_worker__lives_and_takes_no_message__told_then_ends_itself_and_the_next_one_serves(fault: Fault) -> None:
    """It consumes another queue: everything but its work looks well. The stack's own worker sleeps meanwhile."""
    assert parts(fault)["workers"]["ok"]
    with fault.stack.paused("worker"), fault.stack.unresponsive_worker() as unresponsive:
        run_id = fault.start(fault.ready(**fault.other_pair()))
        wait_for(lambda: not parts(fault)["workers"]["ok"], "the deaf worker to be told", 75)
        assert asked(fault, "/readyz")[2]["status"] == "degraded"
        assert fault.run_of(run_id)["state"] == "queued"
        fault.silent()
        fault.strike()
        wait_for(lambda: unresponsive.poll() is not None, "the deaf worker to end itself", 90)
    assert unresponsive.returncode == os.EX_TEMPFAIL
    fault.succeeded(fault.ended(run_id, AGAIN_S))
    assert parts(fault)["workers"]["ok"]
    fault.judge()
