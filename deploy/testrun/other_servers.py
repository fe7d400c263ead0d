"""The scenarios on other releases than the host's, two labs beside each other."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

from deploy.services.net import free_net
from deploy.services.process import PYTHON, run
from deploy.testrun import support_table
from deploy.testrun.counts import Counts, last_line
from deploy.testrun.suites import CONSOLE, run_pytest
from deploy.testrun.workspace import Workspace, default_workspace

NEWEST = "mariadb-11.8"
MATRIX = (
    NEWEST,
    "mariadb-10.5",
    "mariadb-11.4",
    "a=mariadb-10.11,b=mariadb-11.8",
    "a=mariadb-11.8,b=mariadb-10.11",
)
"""In the words of the lab's `--server`; `make test` runs the host's own release."""
SCENARIOS = (
    "tests/galera/test_relocate_classic.py",
    "tests/galera/test_refusals.py",
    "tests/galera/test_sites_classic.py",
)
BY_GTID = {"mariadb-10.5": "tests/galera/test_refusals_by_gtid.py"}
"""Instead of the moves by GTID, where a release refuses them."""
OTHER_VARIANTS = (
    "tests/galera/test_sites_gtid.py",
    "tests/galera/test_relocate_aligned.py",
    "tests/galera/test_sites_aligned.py",
    "tests/galera/test_relocate_shared_id.py",
    "tests/galera/test_sites_shared_id.py",
)
"""On the newest release: every variant of the lab."""
UPGRADES = ("tests/galera/test_rolling_upgrade.py", "tests/galera/test_rolling_upgrade_standby.py")
LANES = 2
"""A lab waits more than it computes: two of them keep two cores busy."""
_STARTS = tuple(range(0, 20 * LANES, 20))
"""Where the lanes look for free addresses: apart, so that none takes what another has just found."""


@dataclass(frozen=True)
class Job:
    """One call of pytest: the name of its report, its tests, the servers of its lab (in the lab's words).

    `markers`: only the tests with them, in their quick form; else all, in their whole form.
    """

    name: str
    tests: tuple[str, ...]
    servers: str = ""
    markers: str = ""


def jobs() -> list[Job]:
    """Everything, longest first."""
    upgrades = [Job(f"servers-{Path(name).stem}", (name,)) for name in UPGRADES]
    faults = Job("servers-faults", ("tests/faults",), NEWEST, "quick")
    return [*(on_server(chosen) for chosen in MATRIX), *upgrades, faults]


def on_server(chosen: str) -> Job:
    """The scenarios on one release, or with one release a side; the report names it."""
    by_gtid = BY_GTID.get(chosen, "tests/galera/test_relocate_gtid.py")
    more = OTHER_VARIANTS if chosen == NEWEST else ()
    name = "servers-" + chosen.replace("=", "-").replace(",", "-")
    return Job(name, (*SCENARIOS, by_gtid, *more), chosen)


def servers(workspace: Workspace) -> Counts:
    """Moves, refusals and site losses on each release and on mixed links, upgrades, and the faults on the newest."""
    counts = run_jobs(workspace, jobs())
    support_table.write(workspace.folder / "reports")
    return counts


def run_jobs(workspace: Workspace, wanted: Iterable[Job]) -> Counts:
    """All of them, each lane taking the next job once it is done with one."""
    waiting: SimpleQueue[Job] = SimpleQueue()
    for job in wanted:
        waiting.put(job)
    nets = [free_net(start) for start in _STARTS]
    with ThreadPoolExecutor(LANES) as lanes:
        done = lanes.map(lambda lane: _lane(workspace, waiting, lane, nets[lane]), range(LANES))
        return sum(done, Counts())


def _lane(workspace: Workspace, waiting: SimpleQueue[Job], lane: int, net: str) -> Counts:
    counts = Counts()
    while True:
        try:
            job = waiting.get_nowait()
        except Empty:
            return counts
        home = workspace.lab_home(f"servers-lab-{lane}")
        counts += _run(workspace, job, {"HAWSER_LAB_HOME": str(home), "HAWSER_LAB_NET": net})


def _run(workspace: Workspace, job: Job, lab: dict[str, str]) -> Counts:
    env = CONSOLE | lab | ({} if job.markers else {"HAWSER_WHOLE": "1"})
    if job.servers:
        env["HAWSER_LAB_SERVER"] = job.servers
    options = ("--timeout=900", *(("-m", job.markers) if job.markers else ()))
    try:
        counts = run_pytest(workspace, job.name, job.tests, *options, limit_s=5400, env=env)
    finally:
        run([PYTHON, "-m", "deploy.lab", "down"], env=env)
    print(f"{job.name}: {last_line(counts)}", flush=True)
    return counts


if __name__ == "__main__":
    chosen = sys.argv[1:] or MATRIX
    print(last_line(run_jobs(default_workspace(), map(on_server, chosen))), flush=True)
