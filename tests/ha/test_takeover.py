"""How long until the other host does what one did: a run by its lease, the writing of the monitor by its own."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.faults.results import spread
from tests.galera.console import describe
from tests.galera.stack import wait_for
from tests.ha.client import RetryingConsole
from tests.ha.moves import next_record_at, owner_of, started, worker_records
from tests.ha.stack import HaStack
from tests.ha.targets import HARMS, holder, part_on, parts, restore, strike

LEASE_S, LIMIT_S = 15.0, 20.0
MONITOR_LEASE_S, MONITOR_LIMIT_S = 5.0, 7.0
"""The lease, and a second for each monitor's own tick."""
RUNS, MONITORS = 21, 12


@pytest.mark.whole
@pytest.mark.timeout(120 * RUNS)
def test_run__its_worker_struck_on_another_host__taken_over_within_20_s(
    whole: HaStack, console: RetryingConsole, figures: dict[str, Any]
) -> None:
    took: list[float] = []
    for attempt in range(RUNS * 2):
        if len(took) == RUNS:
            break
        took += taken_over_s(whole, console, HARMS[attempt % len(HARMS)])
        figures["run_takeover"] = spread(took, LEASE_S)
    assert len(took) == RUNS, took
    assert max(took) < LIMIT_S, took
    whole.judge()


def taken_over_s(stack: HaStack, console: RetryingConsole, harm: str) -> list[float]:
    """One run whose worker is struck in its middle; nothing where it was over before that."""
    run_id = started(console)
    owner = str(wait_for(lambda: owner_of(console, run_id), 60, "the run to be claimed", 0.01))
    found = parts(stack, part_on("worker", owner))
    struck_at = datetime.now(UTC)
    strike(found, harm)
    run = console.wait_run(run_id, 120)
    restore(found, harm)
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    at = next_record_at(worker_records(console, run_id))
    wait_for(stack.apis[0].ready, 60, "all parts to be ready", 0.5)
    return [] if at is None else [(at - struck_at).total_seconds()]


@pytest.mark.whole
@pytest.mark.timeout(60 * MONITORS)
def test_monitor__struck_while_it_writes__the_other_writes_within_its_lease_and_a_tick(
    whole: HaStack, console: RetryingConsole, figures: dict[str, Any]
) -> None:
    took: list[float] = []
    for attempt in range(MONITORS):
        first = str(wait_for(lambda: holder(console), 20, "a monitor to write"))
        found, harm = parts(whole, first), HARMS[attempt % len(HARMS)]
        struck = time.monotonic()
        strike(found, harm)
        wait_for(lambda first=first: holder(console) not in ("", first), 30, "the other to write", 0.05)  # type: ignore[misc]
        took.append(time.monotonic() - struck)
        figures["monitor_takeover"] = spread(took, MONITOR_LEASE_S)
        restore(found, harm)
        time.sleep(6)
    assert max(took) < MONITOR_LIMIT_S, took
