"""How fast many orphans are scanned, judged, replayed and undone, and in how much memory; no ordinary test.

HAWSER_BENCH_ORPHANS=100000 .venv/bin/python -m pytest -s tests/gateway/bench_orphans.py

HAWSER_BENCH_STEPS=undo_orphans takes back what was never replayed.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from backend.transactions.orphans.selectors import orphan_list
from tests.fakes.driver import Memory
from tests.gateway.orphan_link import TABLES, DivergedSites, testbed
from tests.gateway.orphan_statements import contents, run

__all__ = ["testbed"]
pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]

COUNT = int(os.environ.get("HAWSER_BENCH_ORPHANS", "10000"))
STEPS = os.environ.get("HAWSER_BENCH_STEPS", "replay,undo_orphans").split(",")
PART = 200
WRITE = """BEGIN NOT ATOMIC
  DECLARE i INT DEFAULT {first};
  WHILE i < {end} DO
    INSERT INTO bank.transfers (write_id, part, account, delta, note)
      VALUES (LPAD(CONCAT('bench', i), 32, '0'), 1, CONCAT('k', i % 1000), 1, 'n');
    SET i = i + 1;
  END WHILE;
END"""
CHANGES = (
    "CREATE TABLE bank.benched (id INT PRIMARY KEY, n INT NOT NULL)",
    "ALTER TABLE bank.transfers ADD COLUMN reason VARCHAR(20) NOT NULL DEFAULT 'none'",
    "CREATE INDEX by_reason ON bank.transfers (reason, account)",
    "ALTER TABLE bank.benched ADD COLUMN more INT, ADD UNIQUE KEY more_u (more)",
)
"""Changes of definitions, evenly among the orphans, each with a row under it."""
Result = TypeVar("Result")


def say(text: str) -> None:
    """At once, past what a test's output is kept back by."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def timed(what: str, act: Callable[[], Result]) -> Result:
    """What it gave; how long it took, and the most memory this process ever had, are printed."""
    started = time.monotonic()
    found = act()
    took = time.monotonic() - started
    most_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"\n{what}: {took:.1f} s, {COUNT / took:,.0f} a second, {most_mib:,.0f} MiB at most")
    return found


def test_orphans__many(testbed: DivergedSites) -> None:
    before = contents(testbed.lab, "db-b1", TABLES)
    parts = [WRITE.format(first=first, end=min(first + PART, COUNT)) for first in range(0, COUNT, PART)]
    for i, change in enumerate(CHANGES):
        at = (i + 1) * len(parts) // (len(CHANGES) + 1) + 2 * i
        parts[at:at] = [change, f"INSERT INTO bank.benched (id, n) VALUES ({i}, {i})"]
    for node in ("db-a1", "db-b1"):
        run(testbed.lab, node, "GRANT CREATE, ALTER, INDEX, DROP ON bank.* TO hawser_operator")
    timed("written", lambda: run(testbed.lab, "db-a1", *parts))
    tables = [*TABLES, "bank.benched"]
    wanted = contents(testbed.lab, "db-a1", tables)
    report = timed("scanned", lambda: testbed.report("attach"))
    assert report.transactions == COUNT + 5 + 2 * len(CHANGES)
    report = timed("scanned again and judged", lambda: testbed.report("replay"))
    assert not report.conflicts
    assert not report.replay_refusals, report.replay_refusals
    assert not report.undo_refusals, report.undo_refusals
    assert not report.undo_conflicts
    orphans = orphan_list(report.scan_id)
    whole = testbed.plan(report, *STEPS)
    for step in whole.steps:
        alone = replace(step, index=0, point_of_no_return=True)
        # Of its own moment: the first takes longer than a plan may wait.
        memory = Memory(replace(whole, created_at_s=time.time(), steps=(alone,)))
        timed(step.code, lambda memory=memory: testbed.walk(memory, orphans=orphans))  # type: ignore[misc]
        assert memory.ended.state == "succeeded", memory.failures
        say(f"{len(memory.statements)} intents")
    assert "replay" not in STEPS or contents(testbed.lab, "db-b1", tables) == wanted
    assert "undo_orphans" not in STEPS or contents(testbed.lab, "db-a1", TABLES) == before
