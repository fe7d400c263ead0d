"""2a: the disk under the console's database is full."""

from __future__ import annotations

import signal

import pytest

from tests.faults.fault import Fault
from tests.galera.stack import wait_for
from tests.galera.test_worker_death import CHANGING_STEPS


@pytest.mark.faults("A13")
def test_disk__full_under_the_consoles_database__no_statement_without_an_intent(fault: Fault) -> None:
    """The tmpfs below its MariaDB is filled while the worker sleeps before an intent; then there is room again.

    Reads go on as long as that server lives: where it has to roll back without room it ends itself (seen, 10.11.19:
    "Out of disk space in rollback"), and does not come up before there is room.
    """
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        sleeper = fault.stopped_at(run_id, f"before-intent:{fault.rng.choice(CHANGING_STEPS)}")
        with fault.stack.full_disk():
            wait_for(lambda: not is_recorded(fault), 60, "the audit record to find no room", 0.0)
            sent = fault.wires()
            sleeper.send_signal(signal.SIGCONT)
            sleeper.wait(timeout=120)
            assert fault.wires() == sent, "a statement left though its intent could not be stored"
            reading = fault.console.call("GET", f"/runs/{run_id}")
            assert reading.status == 200 or reading.body["code"] == "console_database_unavailable", reading
        fault.strike()
        wait_for(lambda: fault.console.call("GET", f"/runs/{run_id}").status == 200, 90, "the console to read again")
        run = fault.carried_on(run_id)
        if run["state"] == "needs_operator":
            assert fault.console.call("POST", f"/runs/{run_id}/resume", {"comment": "there is room"}).status < 300
            run = fault.carried_on(run_id)
        fault.succeeded(run)
    fault.judge()


def is_recorded(fault: Fault) -> bool:
    """Whether a call that goes into the audit record still succeeds."""
    answer = fault.console.call("PUT", f"/links/{fault.console.link_id}/automation", {"mode": "off"})
    assert answer.status == 200 or answer.body["code"] == "console_database_unavailable", answer
    return answer.status == 200
