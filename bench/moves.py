"""Moves of a channel or a side on a quiet machine, step by step, and beside them what no console can save.

`python -m bench moves`: relocates, switchovers and failbacks in turn, the pause that an application meets, the bare
statements of a switchover, and the whole proof of a position. It takes less than five minutes.
"""

from __future__ import annotations

import os
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from backend.core.steps.fence_watch import QUIET_S
from bench import relocates, testbed
from bench.application_pause import application_pauses_s
from bench.bare_fence import bare_fence_s
from bench.console import Console
from bench.hawser_search import PROOF_JOURNALLED, contenders
from bench.workspace import Workspace, default_workspace
from deploy.lab.api import Lab

LIMIT_S = 280.0
ROUNDS = int(os.environ.get("HAWSER_BENCH_ROUNDS", "12"))
PROOF_MB = 40
PROOF_S = 60.0
"""What the last part takes: filling a log, and proving a position in it forty times."""
APPLICATION_S = 40.0
_KINDS = ("relocate", "switchover", "failback")
_PARTS = ("total_s", "servers_s", "database_s", "processor_wait_s", "computing_s", "other_s")

Json = dict[str, Any]


def main() -> int:
    """Print every figure; 0 where all runs were verified."""
    workspace = default_workspace(LIMIT_S)
    with Console(workspace) as console:
        console.lab.load_start(relocates.LOAD)
        relocates.heal(console)
        runs = _runs(console, workspace)
        console.lab.load_stop()
        pauses = application_pauses_s(console, _KINDS[1:], time.monotonic() + APPLICATION_S)
        bare_s = bare_fence_s(console)
    _print_runs(runs)
    print(f"pauses of an application that writes on both sides, {len(pauses)} switches: {_spread(pauses)}")
    print(
        f"bound of a write pause: {_ms(bare_s)} ms of bare statements on both sides and the watch of "
        f"{QUIET_S * 1000:.0f} ms: {_ms(bare_s + QUIET_S)} ms"
    )
    _print_proof(workspace)
    verdicts = {run["verification"]["verdict"] for those in runs.values() for run in those}
    return 0 if verdicts == {"verified"} else 1


def _runs(console: Console, workspace: Workspace) -> dict[str, list[Json]]:
    """Runs by their kind, each kind in turn, until all rounds are over or the time is."""
    found: dict[str, list[Json]] = defaultdict(list)
    for _ in range(ROUNDS):
        for kind in _KINDS:
            if workspace.left_s() < PROOF_S + APPLICATION_S:
                return found
            options = relocates.planned(console) if kind == "relocate" else {}
            found[kind].append(console.run(console.plan(kind, **options)))
            time.sleep(1.5)  # the monitor sees what became of it
    return found


def _print_runs(runs: dict[str, list[Json]]) -> None:
    for kind, those in runs.items():
        verified = [run["durations"]["confirm_to_verified_s"] for run in those]
        print(f"\n{kind}, {len(those)} runs: confirm to verified {_spread(verified)}; {_statements(those)}")
        pauses = [run["verification"].get("write_pause_ms") for run in those]
        if any(pauses):
            print(f"  writes paused {_spread([pause / 1000 for pause in pauses if pause is not None])}")
        for code, number, rows in _by_step(those):
            parts = " ".join(f"{_ms(statistics.median(row[part] for row in rows)):>6}" for part in _PARTS)
            trips = statistics.median(row["server_trips"] or 0 for row in rows)
            print(f"  {code:20} x{number} {parts} {trips:5.0f} trips")
    print(f"  (columns: {', '.join(_PARTS)}; median ms of each step of that kind in a run, added up)\n")


def _by_step(runs: Sequence[Json]) -> list[tuple[str, int, list[Json]]]:
    """By consecutive steps of one code: how many, and for each run the sums of their times."""
    found: dict[tuple[int, str], list[Json]] = defaultdict(list)
    numbers: dict[tuple[int, str], int] = {}
    for run in runs:
        codes = {step["index"]: step["code"] for step in run["steps"]}
        grouped = groupby(run["time_spent"]["steps"], key=lambda one: codes[one["index"]])
        for ordinal, (code, steps) in enumerate(grouped):
            rows = list(steps)
            numbers[ordinal, code] = len(rows)
            found[ordinal, code].append(
                {part: sum(row[part] or 0 for row in rows) for part in (*_PARTS, "server_trips")}
            )
    return [(code, numbers[ordinal, code], rows) for (ordinal, code), rows in sorted(found.items())]


def _statements(runs: Sequence[Json]) -> str:
    """The servers' own time for the statements, all of them one after another."""
    sums = [sum(one["duration_ms"] or 0 for step in run["steps"] for one in step.get("statements", ())) for run in runs]
    return f"its statements one after another {statistics.median(sums):.0f} ms"


def _print_proof(workspace: Workspace) -> None:
    lab = Lab(workspace.lab_home, workspace.net)
    lab.down()
    try:
        field = testbed.build(lab, PROOF_MB * 10**6)
        contender = next(one for one in contenders(field) if one.name == PROOF_JOURNALLED)
        wall, computing = [], []
        for _ in range(contender.repeats):
            began, computed = time.perf_counter(), time.process_time()
            contender.find()
            wall.append(time.perf_counter() - began)
            computing.append(time.process_time() - computed)
        field.gateway.close()
    finally:
        lab.down()
    print(f"{PROOF_JOURNALLED}: {_spread(wall)}, processor {_spread(computing)}")


def _spread(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"p50 {_ms(statistics.median(ordered))} ms, p95 {_ms(high)} ms"


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"
