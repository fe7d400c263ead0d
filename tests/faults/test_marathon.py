"""Hours of switches under load, most of them under a fault; memory is watched meanwhile."""

from __future__ import annotations

import json
import os
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from deploy.lab.errors import LabError
from tests.faults.fault import LEASE_S, Fault
from tests.faults.marathon import drawn, mended, resident_mb, takeovers_s
from tests.faults.results import Results
from tests.galera.sites import begin

SECONDS = float(os.environ.get("HAWSER_MARATHON_S", "7200"))
"""As long as the soak of the goal figures."""
LEGS_PER_JUDGEMENT = 12
WATCHED = ("web", "monitor")
"""The worker is killed over and over: its memory tells nothing."""
ALLOWED_GROWTH = 1.25


@dataclass
class Tally:
    """What the marathon came to."""

    legs: Counter[str] = field(default_factory=Counter)
    harms: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    transactions: int = 0
    statements: int = 0
    lost: int = 0
    doubled: int = 0
    began_s: float = field(default_factory=time.monotonic)
    takeovers_s: list[float] = field(default_factory=list)
    memory_mb: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in WATCHED})
    troubles: list[str] = field(default_factory=list)

    def growth(self, name: str) -> float:
        """Median of the last quarter over that of the second: the first one warms up."""
        values = self.memory_mb[name]
        quarter = max(1, len(values) // 4)
        before, after = sorted(values[quarter : 2 * quarter] or values), sorted(values[-quarter:])
        return after[len(after) // 2] / before[len(before) // 2]

    def figures(self) -> dict[str, object]:
        """For the results page."""
        return {
            "switches": sum(self.legs.values()),
            "kinds": counted(self.legs),
            "faults": sum(n for name, n in self.harms.items() if name != "unharmed"),
            "harms": counted(self.harms),
            "ends": counted(self.ends),
            "statements": self.statements,
            "transactions": self.transactions,
            "lost": self.lost,
            "doubled": self.doubled,
            "minutes": round((time.monotonic() - self.began_s) / 60),
            "troubles": len(self.troubles),
            "takeovers": self._takeovers(),
            "memory": ", ".join(self._memory(name) for name in WATCHED if self.memory_mb[name]),
        }

    def _takeovers(self) -> str:
        """A worker that died, slept or lost its record, up to the claim of the next one."""
        found = sorted(self.takeovers_s)
        if not found:
            return "none"
        half, most = found[len(found) // 2], found[len(found) * 99 // 100]
        return f"{len(found)}: median {half:.1f} s, p99 {most:.1f} s, longest {found[-1]:.1f} s (lease {LEASE_S:g} s)"

    def _memory(self, name: str) -> str:
        return f"{name} {self.memory_mb[name][-1]:.0f} MB, {self.growth(name):.2f} times its second quarter"


def counted(found: Counter[str]) -> str:
    """`relocate 12, failback 3`."""
    return ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in found.most_common())


@pytest.mark.faults("A1", "A4", "A5", "A7", "B1", "B24")
@pytest.mark.timeout(SECONDS + 1800)
def test_marathon__switch_after_switch_under_load_and_faults__nothing_lost_nothing_doubled(
    fault: Fault, results: Results
) -> None:
    tally, until = Tally(), time.monotonic() + SECONDS
    begin(fault)
    fault.load = replace(fault.load, writers=3, rate=40.0, ddl_every=300.0, seconds=86_400.0)
    while time.monotonic() < until:
        begin_portion(fault)
        for _ in range(LEGS_PER_JUDGEMENT):
            walk(fault, tally)
            if time.monotonic() > until:
                break
        judge(fault, tally)
        results.marathon = tally.figures()
        tell(results.marathon)
    fault.is_judged = True
    assert tally.troubles == []
    assert all(tally.growth(name) < ALLOWED_GROWTH for name in WATCHED), tally.memory_mb


def judge(fault: Fault, tally: Tally) -> None:
    """Every write of the portion, and the audit chain; what was found is counted before it fails the test."""
    try:
        tally.transactions += fault.judge_writes().acknowledged
    finally:
        tally.lost += fault.verdict.lost
        tally.doubled += fault.verdict.doubled
    tally.statements = fault.verdict.statements
    assert fault.console.get("/audit/verify")["ok"]


def begin_portion(fault: Fault) -> None:
    """Both sides open, nothing on record yet."""
    begin(fault)
    fault.afresh()


def walk(fault: Fault, tally: Tally) -> None:
    """One leg, judged by the servers' statement logs; trouble is kept, mended and does not end the marathon."""
    leg, harm = drawn(fault)
    began = datetime.now(UTC)
    fault.arm()
    tally.harms[harm.__name__] += 1
    try:
        ended = harm(leg)
        run = mended(fault, ended)
        tally.legs[run["kind"]] += 1
        tally.ends[run["state"] + " after Resume" * (ended["state"] == "needs_operator")] += 1
        tally.takeovers_s += takeovers_s(fault, run["id"])
        fault.judge_statements()
    except Exception:  # noqa: BLE001 - told, and the test fails in the end
        tally.troubles.append(f"{began:%H:%M:%S} {leg.kind}, {harm.__name__}: {traceback.format_exc(limit=-4)}")
        tell({"trouble": tally.troubles[-1]})
    fault.stack.chaos.heal()
    fault.end_sleepers()
    settle(fault)
    for name in WATCHED:
        tally.memory_mb[name].append(resident_mb(fault.stack.pid(name)))


def settle(fault: Fault) -> None:
    """All well again; a killed node that takes a state transfer under this load may need several minutes."""
    for _ in range(4):
        try:
            return fault.heal()
        except (LabError, AssertionError) as error:
            tell({"waiting": str(error)})
    return fault.heal()


def tell(figures: dict[str, object]) -> None:
    """A line for whoever watches."""
    print(f"{datetime.now(UTC):%H:%M:%S}", json.dumps(figures), flush=True)  # noqa: T201
