"""2a: two monitors on one console database."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime

import pytest

from tests.faults.fault import Fault
from tests.galera.stack import ROOT
from tests.support.waiting import wait_for

_OWNED = re.compile(r'hawser_monitor_links\{monitor="[^"]*:(?P<pid>\d+)-[0-9a-f]+"\} (?P<links>[0-9.]+)')


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
        process.wait(timeout=60)


def owners(fault: Fault) -> dict[int, int]:
    """How many links each living monitor owns, by its pid."""
    with closing(http.client.HTTPConnection("127.0.0.1", fault.stack.port, timeout=60)) as connection:
        connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {fault.console.token}"})
        lines = connection.getresponse().read().decode().splitlines()
    found = (_OWNED.match(line) for line in lines)
    return {int(one["pid"]): int(float(one["links"])) for one in found if one is not None}


def is_owner(fault: Fault, pid: int) -> bool:
    """Whether this monitor alone owns the link."""
    return owners(fault).get(pid) == 1 == sum(owners(fault).values())


@pytest.mark.faults("A14")
def test_monitor__a_second_one_beside_it__one_polls_runs_go_once_and_it_takes_over(fault: Fault) -> None:
    """Two share the links: the only link has one owner at a time, and the other one once that one is dead."""
    first = fault.stack.pid("monitor")
    wait_for(lambda: is_owner(fault, first), "the stack's own monitor to own the link")
    with another_monitor(fault) as second:
        wait_for(lambda: second.pid in owners(fault), "the second monitor to be known")
        run_id = fault.start(fault.ready(**fault.other_pair()))
        fault.succeeded(fault.ended(run_id))
        assert fault.epochs(run_id) == 1
        wait_for(lambda: sum(owners(fault).values()) == 1, "the link to have one owner")
        with fault.stack.without("monitor"):
            struck = datetime.now(UTC)
            fault.strike()
            wait_for(lambda: is_owner(fault, second.pid), "the second monitor to own the link")
            fault.wait_link(lambda now: datetime.fromisoformat(now["observed_at"]) > struck, "it to look")
    wait_for(lambda: is_owner(fault, fault.stack.pid("monitor")), "the stack's own monitor to be back")
    fault.recovered({})
    fault.judge()
