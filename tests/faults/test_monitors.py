"""2a: two monitors on one console database."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from tests.faults.fault import Fault
from tests.faults.parts.api_calls import parts
from tests.galera.stack import ROOT, wait_for


@contextmanager
def another_monitor(fault: Fault) -> Iterator[subprocess.Popen[bytes]]:
    """A second monitor process beside the stack's own for the length of a block."""
    with (fault.stack.home / "monitor-2.log").open("ab") as log:
        command = [sys.executable, "manage.py", "hawser_monitor"]
        process = subprocess.Popen(command, cwd=ROOT, env=fault.stack.worker_env(), stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


def holder(fault: Fault) -> int:
    """Pid of the monitor that writes, 0 where none does."""
    monitor = parts(fault)["monitor"]
    return int(monitor["detail"].rpartition(":")[2]) if monitor["ok"] else 0


@pytest.mark.faults("A14")
def test_monitor__a_second_one_beside_it__one_writes_runs_go_once_and_it_takes_over(fault: Fault) -> None:
    """Both look at every node; one holds the lease; the other writes once that one is dead."""
    first = fault.stack.pid("monitor")
    assert holder(fault) == first
    with another_monitor(fault) as second:
        seen = set()
        until = time.monotonic() + 10
        while time.monotonic() < until:
            seen.add(holder(fault))
            time.sleep(0.2)
        assert seen == {first}, f"{seen} wrote in turn"
        run_id = fault.start(fault.ready(**fault.other_pair()))
        fault.succeeded(fault.ended(run_id))
        assert fault.epochs(run_id) == 1
        with fault.stack.without("monitor"):
            struck = datetime.now(UTC)
            fault.strike()
            wait_for(lambda: holder(fault) == second.pid, 20, "the second monitor to hold the lease")
            fault.wait_link(lambda now: datetime.fromisoformat(now["observed_at"]) > struck, 10, "it to look")
    wait_for(lambda: holder(fault) == fault.stack.pid("monitor"), 20, "the stack's own monitor to be back")
    fault.recovered({})
    fault.judge()
