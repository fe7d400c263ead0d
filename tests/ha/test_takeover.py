"""How long until the other host does what one did: a run by its lease, the writing of the monitor by its own."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.faults.results import spread
from tests.galera.console import describe
from tests.ha.client import RetryingConsole
from tests.ha.moves import next_record_at, owner_of, started, worker_records
from tests.ha.stack import HaStack
from tests.ha.targets import HARMS, holder, part_on, parts, restore, strike
from tests.support.waiting import patience, wait_for

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
    assert max(took) < LIMIT_S * patience(), took
    whole.judge()


def taken_over_s(stack: HaStack, console: RetryingConsole, harm: str) -> list[float]:
    """One run whose worker is struck in its middle; nothing where it was over before that."""
    run_id = started(console)
    owner = str(wait_for(lambda: owner_of(console, run_id), "the run to be claimed", pause_s=0.01))
    found = parts(stack, part_on("worker", owner))
    struck_at = datetime.now(UTC)
    strike(found, harm)
    run = console.wait_run(run_id, 120)
    restore(found, harm)
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    at = next_record_at(worker_records(console, run_id))
    wait_for(stack.apis[0].ready, "all parts to be ready", pause_s=0.5)
    return [] if at is None else [(at - struck_at).total_seconds()]


@pytest.mark.whole
@pytest.mark.timeout(60 * MONITORS)
def test_monitor__struck_while_it_writes__the_other_writes_within_its_lease_and_a_tick(
    whole: HaStack, console: RetryingConsole, figures: dict[str, Any]
) -> None:
    took: list[float] = []
    for attempt in range(MONITORS):
        first = str(wait_for(lambda: holder(console), "a monitor to write"))
        found, harm = parts(whole, first), HARMS[attempt % len(HARMS)]
        struck = time.monotonic()
        strike(found, harm)
        wait_for(lambda first=first: holder(console) not in ("", first), "the other to write", pause_s=0.05)  # type: ignore[misc]
        took.append(time.monotonic() - struck)
        figures["monitor_takeover"] = spread(took, MONITOR_LEASE_S)
        restore(found, harm)
        wait_for(lambda: is_shared(whole), "both monitors to be back")
    assert max(took) < MONITOR_LIMIT_S * patience(), took


def is_shared(stack: HaStack) -> bool:
    """Whether two monitors have just renewed their lease, and the one that does not write could."""
    fresh = f"UTC_TIMESTAMP(6) + INTERVAL {MONITOR_LEASE_S / 2} SECOND"
    found = stack.rows(f"SELECT ready FROM monitoring_monitorprocess WHERE until > {fresh}")
    return len(found) == 2 and any(row["ready"] != "[]" for row in found)
