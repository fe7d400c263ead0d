"""Fuzzing: new examples for the simulation and the oracle, in consecutive sessions with a seed each."""

from __future__ import annotations

import os
import random

from deploy.services.process import PYTHON, run
from deploy.testrun.counts import Counts
from deploy.testrun.suites import CONSOLE_ENV, NO_DJANGO, run_pytest
from deploy.testrun.workspace import Workspace

_SIMULATION = "tests/sim/test_simulation.py::test_simulation__any_order_of_events__every_invariant_holds"
ORACLE = "tests/oracle/test_positions.py"
SHARDS = (
    *(f"{_SIMULATION}[{machine}-{shard}]" for machine in ("Simulation", "GtidSimulation") for shard in range(4)),
    ORACLE,
)
USUAL = 1750
"""Examples of each shard of the simulation: about two million steps, and ten thousand positions."""
ORACLE_TIMES = 4
LIMIT_S = 12 * 3600.0


def fuzz(workspace: Workspace) -> Counts:
    """Runs all shards; the page reports each one as soon as it ended, passed or failed."""
    seed = int(os.environ.get("HAWSER_FUZZ_SEED") or random.SystemRandom().randrange(2**31))
    size = int(os.environ.get("HAWSER_FUZZ_EXAMPLES") or USUAL)
    print(f"seed {seed}: replay with HAWSER_FUZZ_SEED={seed} HAWSER_FUZZ_EXAMPLES={size}", flush=True)
    counts = Counts()
    for number, shard in enumerate(SHARDS):
        counts += _hunt(workspace, number, shard, seed + number, size * ORACLE_TIMES if shard == ORACLE else size)
    return counts


def _hunt(workspace: Workspace, number: int, shard: str, seed: int, size: int) -> Counts:
    figures = workspace.report(f"hunt-{number}.json")
    env = {
        **CONSOLE_ENV,
        "HAWSER_FUZZ_EXAMPLES": str(size),
        "HAWSER_FUZZ_RESULTS": str(figures),
        "HAWSER_FUZZ_SEED": str(seed),
    }
    # Its totals are properties of a test, which the default family of reports refuses.
    options = (*NO_DJANGO, "-o", "junit_family=xunit1", "--timeout=0")
    counts = run_pytest(workspace, f"hunt-{number}", [shard], *options, limit_s=LIMIT_S, env=env)
    if figures.exists():
        run([PYTHON, "-m", "tests.faults.page", str(workspace.evidence), str(figures)])
    return counts
