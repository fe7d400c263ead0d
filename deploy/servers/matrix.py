"""The scenarios on other releases than the host's.

A tree of Percona XtraDB Cluster or Galera Cluster for MySQL in `HAWSER_SERVERS` gets a job of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.lab.layout import parse_servers
from deploy.servers import store, support_table
from deploy.servers.catalogue import build_of
from deploy.servers.errors import ServerError
from deploy.servers.family import Family
from deploy.servers.server import Server, require_galera
from deploy.services.net import free_net
from deploy.services.process import PYTHON, ServiceError, run
from deploy.testrun.counts import Counts, last_line
from deploy.testrun.suites import CONSOLE_ENV, run_pytest
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
LAB_OF_MYSQL = "tests/lab/test_mysql_family.py"
"""The lab's own way with MySQL's families, on a real MySQL without Galera."""
ACCEPTED = frozenset({Family.PXC, Family.MYSQL_WSREP})
"""Families whose plans need a written acceptance, which the scenarios give."""


@dataclass(frozen=True)
class Job:
    """One call of pytest: the name of its report, its tests, the servers of its lab (in the lab's words).

    `markers`: only the tests with them, in their quick form; else all, in their whole form. `is_own`: a server of the
    user's own, whose lab is brought up once before any test waits for it.
    """

    name: str
    tests: tuple[str, ...]
    servers: str = ""
    markers: str = ""
    is_own: bool = False


def jobs() -> list[Job]:
    """All of `make servers`."""
    upgrades = [Job(f"servers-{Path(name).stem}", (name,)) for name in UPGRADES]
    faults = Job("servers-faults", ("tests/faults",), NEWEST, "quick")
    lab = Job("servers-lab-of-mysql", (LAB_OF_MYSQL,))
    return [*map(on_server, MATRIX), *upgrades, faults, lab, *jobs_on_own(print)]


def jobs_on_own(say: Callable[[str], None]) -> list[Job]:
    """Moves by file and position, refusals and site losses on each series of `ACCEPTED` that a folder holds.

    Says what is left out, and why: what is no whole server, and all but the newest release of a series.
    """
    newest: dict[str, Server] = {}
    for server in store.own(say).values():
        if server.family not in ACCEPTED:
            continue
        try:
            require_galera(server)
        except ServerError as error:
            say(f"{error}. It is left out")
            continue
        known = newest.setdefault(row_of(server), server)
        newest[row_of(server)] = max(known, server, key=_release)
        if known is not server:
            older = min(known, server, key=_release)
            say(f"{older.name} is left out: {newest[row_of(server)].name} is a release of the same series")
    return [Job(f"servers-{row}", SCENARIOS, server.name, is_own=True) for row, server in newest.items()]


def row_of(server: Server) -> str:
    """The row of the support table: family and series."""
    return f"{server.family}-{server.series}"


def _release(server: Server) -> tuple[int, ...]:
    return tuple(map(int, server.version().split(".")))


def on_server(chosen: str) -> Job:
    """The scenarios on one release, or with one release a side; the report names it."""
    by_gtid = BY_GTID.get(chosen, "tests/galera/test_relocate_gtid.py")
    more = OTHER_VARIANTS if chosen == NEWEST else ()
    name = "servers-" + chosen.replace("=", "-").replace(",", "-")
    return Job(name, (*SCENARIOS, by_gtid, *more), chosen)


def servers(workspace: Workspace) -> Counts:
    """Moves, refusals and site losses on each release and on mixed links, upgrades, and the faults on the newest."""
    counts = run_jobs(workspace, jobs(), "servers-lab")
    support_table.write(workspace.folder / "reports")
    return counts


def run_jobs(workspace: Workspace, wanted: Iterable[Job], lab_name: str) -> Counts:
    """One after another, each on a lab of its own."""
    counts = Counts()
    for job in wanted:
        found = _run(workspace, job, workspace.lab_home(lab_name))
        print(f"{job.name}: {last_line(found)}", flush=True)
        counts += found
    return counts


def _run(workspace: Workspace, job: Job, lab_home: Path) -> Counts:
    env = CONSOLE_ENV | {"HAWSER_LAB_HOME": str(lab_home), "HAWSER_LAB_NET": free_net()}
    if job.servers:
        env["HAWSER_LAB_SERVER"] = job.servers
    if not job.markers:
        env["HAWSER_WHOLE"] = "1"
    if job.is_own and (trouble := _trouble_coming_up(env)):
        print(trouble, flush=True)
        return Counts(failed=1, failures=(f"{job.name}: its lab did not come up, see {lab_home / 'log'}",))
    options = ("--timeout=900", *(("-m", job.markers) if job.markers else ()))
    try:
        return run_pytest(workspace, job.name, job.tests, *options, limit_s=5400, env=env)
    finally:
        run([PYTHON, "-m", "deploy.lab", "down"], env=env)


def _trouble_coming_up(env: Mapping[str, str]) -> str:
    """Why a lab of one node a site does not come up, and its folder stays; empty where it did, and is taken down.

    What an earlier try left is removed first, because a template of it may be of another build.
    """
    run([PYTHON, "-m", "deploy.lab", "down"], env=env)
    try:
        run([PYTHON, "-m", "deploy.lab", "up", "--nodes", "1+1"], env=env)
    except ServiceError as error:
        return str(error)
    run([PYTHON, "-m", "deploy.lab", "down"], env=env)
    return ""


def chosen_jobs(names: Iterable[str], say: Callable[[str], None]) -> list[Job]:
    """The jobs of these servers, own or fetched; ServerError names one that there is not."""
    own = {job.servers: job for job in jobs_on_own(say)}
    chosen: list[Job] = []
    for name in names:
        if name not in own:
            for part in parse_servers(name):
                build_of(part)
        chosen.append(own.get(name) or on_server(name))
    return chosen


if __name__ == "__main__":
    try:
        wanted = chosen_jobs(sys.argv[1:] or MATRIX, print)
    except ServerError as error:
        sys.exit(str(error))
    total = run_jobs(default_workspace(), wanted, "servers-lab")
    print(last_line(total), flush=True)
    sys.exit(1 if total.failed else 0)
