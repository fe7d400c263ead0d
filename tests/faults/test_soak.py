"""Hours of switches under load, most of them under a fault; memory is watched meanwhile."""

from __future__ import annotations

import json
import os
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count

import pytest

from deploy.lab.errors import LabError
from tests.faults.fault import LEASE_S, Fault, Verdict
from tests.faults.results import Results, spread
from tests.faults.soak import DRIVEN_BY_TEST, Harm, drawn, is_away, let_catch_up, resident_mb, resumed, takeovers_s
from tests.galera.console import Json
from tests.galera.sites import begin, switch

SECONDS = float(os.environ.get("HAWSER_MARATHON_S", "7200"))
"""As long as the soak of the goal figures."""
ONE_LEG = os.environ.get("HAWSER_MARATHON_LEG", "")
"""`17` or `17:away`: that leg alone, of the seed in HAWSER_FAULT_SEED; away from home it begins after a switchover.

What it draws is the same; the nodes that hold the channels are those of a fresh stack.
"""
RATE = 40.0
"""Writes a second of each of eight writers: at 60 two cores had nothing left to catch up with after a pause."""
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


@pytest.mark.faults("A1", "A4", "A5", "A7", "B1", "B24")
@pytest.mark.timeout(SECONDS + 1800)
def test_soak__switch_after_switch_under_load_and_faults__nothing_lost_nothing_doubled(
    fault: Fault, results: Results
) -> None:
    tally = Tally()
    try:
        begin(fault)
        fault.load = replace(fault.load, writers=4, rate=RATE, ddl_every=300.0, seconds=86_400.0)
        if ONE_LEG:
            replay(fault, tally)
        else:
            march(fault, results, tally)
    finally:
        results.keep_marathon(tally.began, tally.figures())
    fault.is_judged = True
    assert tally.troubles == []
    assert all(tally.growth(name) < ALLOWED_GROWTH for name in WATCHED), tally.memory_mb


def replay(fault: Fault, tally: Tally) -> None:
    """The one leg that was named, from where it began."""
    begin_portion(fault)
    if ONE_LEG.endswith(":away"):
        switch(fault, "switchover", allow_long_transactions=True)
        fault.wait_link(lambda now: now["state"] == "protected", 30, "the link to be protected away from home")
    walk(fault, tally, int(ONE_LEG.partition(":")[0]))
    judge(fault, tally)


def march(fault: Fault, results: Results, tally: Tally) -> None:
    """Portion after portion until the time is over."""
    numbers, until = count(1), time.monotonic() + SECONDS
    while time.monotonic() < until:
        begin_portion(fault)
        for _ in range(LEGS_PER_JUDGEMENT):
            walk(fault, tally, next(numbers))
            if time.monotonic() > until:
                break
        judge(fault, tally)
        results.keep_marathon(tally.began, tally.figures())
        report(results.marathon)


def judge(fault: Fault, tally: Tally) -> None:
    """Every write of the portion, and the audit chain; what was found is counted before it fails the test."""
    fault.verdict = replace(fault.verdict, acknowledged=0, lost=0, doubled=0)
    try:
        fault.judge_writes()
    finally:
        tally.judged(fault.verdict)
    fault.judge_chain()


def begin_portion(fault: Fault) -> None:
    """Both sides open, nothing on record yet."""
    begin(fault)
    fault.afresh()


def walk(fault: Fault, tally: Tally, number: int) -> None:
    """One leg and its repair, judged by the servers' logs; trouble is kept, fixed and does not end the marathon."""
    variables = f"HAWSER_FAULT_SEED={fault.verdict.seed} HAWSER_MARATHON_LEG={number}{':away' * is_away(fault)}"
    leg, harm = drawn(fault, number)
    began = datetime.now(UTC)
    where = f"leg {number} at {began:%H.%M.%S} ({leg.kind}, {harm.__name__.replace('_', ' ')}, {variables})"
    report({"leg": number, "kind": leg.kind, "harm": harm.__name__, "pair": fault.pair()})
    fault.arm()
    tally.walked += 1
    try:
        let_catch_up(fault)
        ended = harm(leg)
        run = resumed(fault, ended)
        tally.ended(harm, run, is_resumed=ended["state"] == "needs_operator")
        tally.takeovers_s["test" if harm in DRIVEN_BY_TEST else "product"] += takeovers_s(fault, run["id"])
    except Exception:  # noqa: BLE001 - told, and the test fails in the end
        tally.trouble(where)
    fault.stack.chaos.heal()
    fault.end_sleepers()
    recover(fault)
    try:
        fault.judge_statements()
    except Exception:  # noqa: BLE001 - as above
        tally.trouble(f"{where}, judged")
    for name in WATCHED:
        tally.memory_mb[name].append(resident_mb(fault.stack.pid(name)))


def recover(fault: Fault) -> None:
    """All well again; a killed node that takes a state transfer under this load may need several minutes."""
    for _ in range(4):
        try:
            return fault.heal()
        except (LabError, AssertionError) as error:
            report({"waiting": str(error)})
    return fault.heal()


def report(figures: dict[str, object]) -> None:
    """A line for the console of the test run."""
    print(f"{datetime.now(UTC):%H:%M:%S}", json.dumps(figures), flush=True)  # noqa: T201
