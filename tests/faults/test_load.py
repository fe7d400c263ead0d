"""The API while one node hangs and runs are under way: bounded in time, measured in figures."""

from __future__ import annotations

import http.client
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from tests.faults.fault import Fault
from tests.faults.results import Results
from tests.faults.soak import Leg
from tests.support.waiting import patience, wait_for

RATE = 100.0
IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))
SECONDS = 60.0 if IS_WHOLE else 15.0
QUIET_S = SECONDS / 4
P95_LIMIT_S = 0.2
SLOWER_AT_MOST = 5.0
"""Than the same reads with nothing hung and no run, where the machine itself is too slow for the limit."""
CLIENTS = 4
LEAST_SHARE = 0.9
"""Of the reads a second with nothing hung: a client waits for a slow answer before it reads again."""
LEAST_UNDER_WAY = 0.5
"""Between two runs one is planned."""


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


@dataclass
class Mover:
    """Relocates back to back by the stack's own worker, each a moment after the one before."""

    fault: Fault
    paths: list[str]
    """What is read meanwhile; the newest run's own path comes last."""
    over: threading.Event = field(default_factory=threading.Event)
    spans: list[tuple[float, float]] = field(default_factory=list)
    """From the confirmation to the end of each run."""

    def move(self) -> None:
        """Until it is told that it is over; a run under way then is seen to its end."""
        while not self.over.is_set():
            run_id, _ = Leg(self.fault, "relocate", f"{self.fault.verdict.seed}/{len(self.spans)}").started()
            began = time.monotonic()
            self.paths[-1] = f"/runs/{run_id}"
            self.fault.succeeded(self.fault.ended(run_id))
            self.spans.append((began, time.monotonic()))

    def share(self, begins: float, ends: float) -> float:
        """Which part of a stretch of time had a run under way."""
        return sum(max(0.0, min(ends, end) - max(begins, begin)) for begin, end in self.spans) / (ends - begins)


def p95_of(took: list[tuple[float, int]]) -> float:
    """In seconds."""
    times = sorted(seconds for seconds, _ in took)
    return times[int(len(times) * 0.95)]


@pytest.mark.faults("A19")
def test_api__a_node_hangs_and_a_run_is_under_way__no_5xx_and_every_read_answered(
    fault: Fault, results: Results
) -> None:
    """Reads at 100 a second; what a machine makes of them is measured before, and the whole bench asserts by that."""
    idle = read_for(fault, [f"/links/{fault.console.link_id}", "/links", "/runs", "/clusters", "/runs"], QUIET_S)
    fault.stack.lab.freeze(fault.other(fault.pair()[0]))
    link = fault.console.link_id
    mover = Mover(fault, [f"/links/{link}", "/links", "/runs", "/clusters", "/runs"])
    with ThreadPoolExecutor(1) as pool:
        moving = pool.submit(mover.move)
        try:
            wait_for(lambda: mover.paths[-1] != "/runs" or moving.done(), "the first run to begin", 120)
            begins = time.monotonic()
            took = read_for(fault, mover.paths, SECONDS)
            ends = time.monotonic()
        finally:
            mover.over.set()
        moving.result(timeout=240 * patience())
    p95_s, idle_p95_s, under_way = p95_of(took), p95_of(idle), mover.share(begins, ends)
    results.figures |= {
        "api_reads": len(took),
        "api_under_way": f"{under_way:.0%}, {len(mover.spans)} runs",
        "api_reads_per_s": round(len(took) / SECONDS, 1),
        "api_5xx": sum(status >= 500 for _, status in took),
        "api_p95_ms": round(p95_s * 1000),
        "api_quiet_p95_ms": round(idle_p95_s * 1000),
    }
    assert not [status for _, status in took if status != 200]
    assert under_way > 0, mover.spans
    if IS_WHOLE:
        assert under_way > LEAST_UNDER_WAY, mover.spans
        assert p95_s < max(P95_LIMIT_S, SLOWER_AT_MOST * idle_p95_s), results.figures
        assert len(took) / SECONDS > LEAST_SHARE * len(idle) / QUIET_S, results.figures
    fault.judge()
