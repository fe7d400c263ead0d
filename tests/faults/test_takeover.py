"""A worker is killed and only the product resumes its run: the real lease, the monitor's dispatch, the next worker."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.faults.fault import Fault
from tests.faults.results import Results, spread
from tests.faults.soak import CLAIM, Leg, under_way, worker_records

LEASE_S = 15.0
"""As in production."""
LIMIT_S = 45.0
TAKEOVERS = 20 if os.environ.get("HAWSER_WHOLE") else 5


@pytest.mark.timeout(60 * TAKEOVERS + 600)
@pytest.mark.faults("A1")
def test_worker__dies_under_the_lease_of_production__the_product_itself_goes_on_within_45_s(
    fault: Fault, results: Results
) -> None:
    """From the worker's death to the first record of the run behind the next worker's claim."""
    took: list[float] = []
    with fault.stack.with_lease(LEASE_S):
        for attempt in range(TAKEOVERS * 2):
            if len(took) == TAKEOVERS:
                break
            took += taken_over_s(fault, Leg(fault, "relocate", f"{fault.verdict.seed}/{attempt}"))
    results.figures["takeovers"] = spread(took, LEASE_S)
    assert len(took) == TAKEOVERS, took
    assert max(took) < LIMIT_S, took
    assert min(took) < LEASE_S / 2, "a worker on the dead worker's machine sees its end, and waits for no lease"
    fault.judge()


def taken_over_s(fault: Fault, leg: Leg) -> list[float]:
    """One run whose worker is killed in the middle; nothing where it was over before that."""
    run_id = under_way(leg)
    assert f"HAWSER_LEASE_S={LEASE_S:g}" in environment(fault.stack.pid("worker"))
    fault.strike()
    killed_in = datetime.now(UTC)
    fault.stack.kill_part("worker")
    fault.succeeded(fault.ended(run_id))
    records = worker_records(fault, run_id)
    claims = [number for number, record in enumerate(records) if record["action"] == CLAIM]
    if len(claims) < 2:
        return []
    return [(datetime.fromisoformat(records[claims[1] + 1]["at"]) - killed_in).total_seconds()]


def environment(pid: int) -> list[str]:
    """Of a process, as it was started."""
    return Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
