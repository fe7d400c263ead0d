"""What a marathon came to."""

from __future__ import annotations

import json
import traceback
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from tests.faults.fault import LEASE_S, Fault, Verdict
from tests.faults.results import spread
from tests.faults.soak import Harm
from tests.galera.console import Json

WATCHED = ("web", "monitor")
"""The worker is killed over and over: its memory tells nothing."""


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
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    walked: int = 0
    takeovers_s: dict[str, list[float]] = field(default_factory=lambda: {"product": [], "test": []})
    """By who called the next worker."""
    memory_mb: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in WATCHED})
    troubles: list[str] = field(default_factory=list)

    def trouble(self, where: str) -> None:
        """What is being raised, told and kept."""
        self.troubles.append(f"{where}: {traceback.format_exc(limit=-4)}")
        report({"trouble": self.troubles[-1]})

    def growth(self, name: str) -> float:
        """Median of the last quarter over that of the second: the first one warms up."""
        values = self.memory_mb[name]
        quarter = max(1, len(values) // 4)
        before, after = sorted(values[quarter : 2 * quarter] or values), sorted(values[-quarter:])
        return after[len(after) // 2] / before[len(before) // 2]

    def ended(self, harm: Harm, run: Json, *, is_resumed: bool) -> None:
        """A switch is done: it counts once in each of the three."""
        self.legs[run["kind"]] += 1
        self.harms[harm.__name__] += 1
        self.ends[run["state"] + " after Resume" * is_resumed] += 1

    def judged(self, verdict: Verdict) -> None:
        """What a portion's judges found, whatever they said to it."""
        self.transactions += verdict.acknowledged
        self.lost += verdict.lost
        self.doubled += verdict.doubled
        self.statements = verdict.statements

    def figures(self) -> dict[str, object]:
        """For the results page."""
        switches = self.legs.total()
        return {
            "switches": switches,
            "kinds": counted(self.legs),
            "unharmed": self.harms["unharmed"],
            "faults": switches - self.harms["unharmed"],
            "harms": counted(self.harms),
            "ends": counted(self.ends),
            "statements": self.statements,
            "transactions": self.transactions,
            "lost": self.lost,
            "doubled": self.doubled,
            "given_up": self.walked - switches,
            "troubles": [trouble.partition(": ")[0] for trouble in self.troubles],
            "takeovers_product": spread(self.takeovers_s["product"], LEASE_S),
            "takeovers_test": spread(self.takeovers_s["test"], LEASE_S),
            "memory": ", ".join(self._memory(name) for name in WATCHED if self.memory_mb[name]),
        }

    def _memory(self, name: str) -> str:
        return f"{name} {self.memory_mb[name][-1]:.0f} MB, {self.growth(name):.2f} times its second quarter"


def counted(found: Counter[str]) -> str:
    """`relocate 12, failback 3`."""
    return ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in found.most_common())


def judge(fault: Fault, tally: Tally) -> None:
    """Every write of the portion, and the audit chain; what was found is counted before it fails the test."""
    fault.verdict = replace(fault.verdict, acknowledged=0, lost=0, doubled=0)
    try:
        fault.judge_writes()
    finally:
        tally.judged(fault.verdict)
    fault.judge_chain()


def report(figures: dict[str, object]) -> None:
    """A line for the console of the test run."""
    print(f"{datetime.now(UTC):%H:%M:%S}", json.dumps(figures), flush=True)  # noqa: T201
