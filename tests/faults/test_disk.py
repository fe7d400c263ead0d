"""2a: the disk under the console's database is full."""

from __future__ import annotations

import signal
import time

import pytest

from tests.faults.fault import Fault
from tests.galera.stack import wait_for
from tests.galera.test_worker_death import CHANGING_STEPS


@pytest.mark.faults("A13")
def test_disk__full_under_the_consoles_database__no_statement_without_an_intent(fault: Fault) -> None:
    """The tmpfs below its MariaDB is filled while the worker sleeps before an intent; then there is room again."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        sleeper = fault.stopped_at(run_id, f"before-intent:{fault.rng.choice(CHANGING_STEPS)}")
        with fault.stack.full_disk():
            sleeper.send_signal(signal.SIGCONT)
            time.sleep(5)
        if sleeper.poll() is None:
            sleeper.wait(timeout=120)
        fault.strike()
        wait_for(lambda: fault.console.call("GET", f"/runs/{run_id}").status == 200, 90, "the console to read again")
        run = fault.carried_on(run_id)
        if run["state"] == "needs_operator":
            assert fault.console.call("POST", f"/runs/{run_id}/resume", {"comment": "there is room"}).status < 300
            run = fault.carried_on(run_id)
        fault.succeeded(run)
    fault.judge()
