"""The API while one node hangs and a run is under way: bounded in time, measured in figures."""

from __future__ import annotations

import http.client
import os
import threading
import time

import pytest

from tests.faults.fault import Fault
from tests.faults.results import Results
from tests.galera.stack import wait_for

RATE = 100.0
SECONDS = 60.0 if os.environ.get("HAWSER_WHOLE") else 15.0
CLIENTS = 4


def read_for(fault: Fault, paths: list[str], seconds: float) -> list[tuple[float, int]]:
    """Reads at the rate, spread over a few connections that stay open; (seconds taken, status) of each."""
    found: list[tuple[float, int]] = []
    ends = time.monotonic() + seconds

    def client(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", fault.stack.port, timeout=30)
        headers = {"Authorization": f"Bearer {fault.console.token}"}
        due, count = time.monotonic(), number
        while due < ends and time.monotonic() < ends:
            time.sleep(max(0.0, due - time.monotonic()))
            began = time.monotonic()
            connection.request("GET", f"/api/v1{paths[count % len(paths)]}", headers=headers)
            answer = connection.getresponse()
            answer.read()
            found.append((time.monotonic() - began, answer.status))
            due, count = due + CLIENTS / RATE, count + 1
        connection.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.faults("A19")
def test_api__a_node_hangs_and_a_run_is_under_way__no_5xx_and_every_read_answered(
    fault: Fault, results: Results
) -> None:
    """Reads at 100 a second, or as many as the machine gives; what is measured is kept for the results page."""
    source, replica = fault.pair()
    fault.freeze(fault.other(source))
    target = fault.other(replica)
    wait_for(lambda: fault.console.plan()["state"] in ("ready", "refused"), 60, "the console to settle")
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(replica_node=fault.console.node_id(target)))
        sleeper = fault.stopped_at(run_id, "step-start:3")
        link = fault.console.link_id
        took = read_for(fault, [f"/links/{link}", f"/runs/{run_id}", "/links", "/runs", "/clusters"], SECONDS)
        sleeper.kill()
        sleeper.wait()
        fault.strike()
        fault.succeeded(fault.carried_on(run_id))
    times = sorted(seconds for seconds, _ in took)
    results.figures |= {
        "api_reads": len(took),
        "api_reads_per_s": round(len(took) / SECONDS, 1),
        "api_5xx": sum(status >= 500 for _, status in took),
        "api_p95_ms": round(times[int(len(times) * 0.95)] * 1000),
    }
    assert not [status for _, status in took if status != 200]
    assert len(took) > SECONDS  # a machine's speed is measured, not asserted
    fault.judge()
