"""Hours of switches under load, most of them under a fault; memory is watched meanwhile."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest

from deploy.lab.errors import LabError
from tests.faults.fault import Fault
from tests.faults.results import Results
from tests.faults.soak import DRIVEN_BY_TEST, drawn, is_away, let_catch_up, resident_mb, resumed, takeovers_s
from tests.faults.tally import WATCHED, Tally, judge, report
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
ALLOWED_GROWTH = 1.25


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
        fault.wait_link(lambda now: now["state"] == "protected", "the link to be protected away from home")
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
