"""Stages that run a test suite and read its report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from deploy.services.mariadb import start_mariadb
from deploy.services.net import free_net
from deploy.services.process import PYTHON, ROOT, run
from deploy.services.redis import start_redis
from deploy.testrun.counts import Counts
from deploy.testrun.tool import run_tests
from deploy.testrun.workspace import Workspace

# The console's tests run neither as demo nor with relaxed settings: debug supplies keys, nothing else.
CONSOLE_ENV = {"HAWSER_DEBUG": "1"}
LONG = {"HAWSER_WHOLE": "1"}
NO_DJANGO = ("-p", "no:django", "-p", "no:anyio")
WORKERS = 2
"""Of a suite whose tests share nothing: one a core of the machine that the limits were measured on."""


class Need(Enum):
    """What must stand before a suite begins."""

    MARIADB = auto()
    SQLITE = auto()
    REDIS = auto()
    LAB = auto()


@dataclass(frozen=True)
class Suite:
    """One call of pytest: the folders below tests/, an expression of markers, and what must stand before."""

    name: str
    folders: tuple[str, ...]
    markers: str = ""
    needs: frozenset[Need] = frozenset()
    options: tuple[str, ...] = ()
    is_shared_out: bool = False
    limit_s: float = 2400
    env: Mapping[str, str] = field(default_factory=dict)


CORE = Suite("core", ("core", "scenarios", "sim", "oracle"), options=(*NO_DJANGO, "--timeout=600"), is_shared_out=True)
CONSOLE = Suite(
    "console",
    ("backend", "api", "monitoring", "gateway"),
    "not server",
    frozenset({Need.MARIADB, Need.REDIS}),
    ("-p", "tests.support.redis_of_worker"),
    is_shared_out=True,
)
CONSOLE_ON_SQLITE = replace(
    CONSOLE, name="console-sqlite", markers="database", needs=frozenset({Need.SQLITE, Need.REDIS})
)
STORY = Suite("story", ("story",), needs=frozenset({Need.LAB}), options=("--timeout=1800",))
DEPLOY = Suite("deploy", ("deploy",), options=NO_DJANGO, is_shared_out=True)
CATALOGUE = Suite("catalogue", ("faults", "lab", "servers"), "not server and not lab", limit_s=600)
SINGLE_SERVERS = Suite(
    "single-servers",
    ("gateway", "lab", "servers", "conformance", "mysql", "backend", "monitoring"),
    "server",
    frozenset({Need.REDIS}),
    options=("--timeout=600",),
)
GALERA = Suite(
    "galera", ("galera",), "not reported and not variant", frozenset({Need.LAB}), ("--timeout=600",), limit_s=5400
)
VARIANTS = replace(GALERA, name="variants", markers="not reported and variant")
REPORTED = replace(GALERA, name="reported", markers="reported", options=("--timeout=1200",))
REPORTED_ON_NEWEST = replace(REPORTED, name="reported-newest", env={"HAWSER_LAB_SERVER": "mariadb-11.8"})
FAULTS = replace(GALERA, name="faults", folders=("faults",), markers="lab and quick", options=("--timeout=900",))
FAULTS_LONG = replace(FAULTS, name="faults-long", markers="lab", limit_s=4 * 3600, env=LONG)
HA = Suite("ha", ("ha",), options=NO_DJANGO, limit_s=600)
CONTAINERS = Suite("containers", ("containers",), options=NO_DJANGO)
DEPLOY_LONG = replace(DEPLOY, name="deploy-long", env=LONG)
CONTAINERS_LONG = replace(CONTAINERS, name="containers-long", limit_s=3600, env=LONG)
HA_LONG = replace(HA, name="ha-long", limit_s=2 * 3600, env=LONG)


def run_suite(suite: Suite, workspace: Workspace) -> Counts:
    """Starts what the suite needs, runs it, and stops that again; without the whole no test marked `slow`."""
    with ExitStack() as stack:
        env = CONSOLE_ENV | _started(suite, workspace, stack) | dict(suite.env)
        if suite.name == HA_LONG.name:
            env["HAWSER_HA_RESULTS"] = str(workspace.report("ha.json"))
        tests = [f"tests/{folder}" for folder in suite.folders]
        markers = [suite.markers] if suite.markers else []
        if not workspace.is_whole and not LONG.items() <= suite.env.items():
            markers.append("not slow")
        options = [*suite.options, *(("-m", " and ".join(f"({each})" for each in markers)) if markers else ())]
        if suite.is_shared_out:
            options += ["-n", str(WORKERS), "--dist", "worksteal"]
        return run_pytest(workspace, suite.name, tests, *options, limit_s=suite.limit_s, env=env)


def _started(suite: Suite, workspace: Workspace, stack: ExitStack) -> dict[str, str]:
    """The environment of what was started for the suite; it is stopped with the stack."""
    env: dict[str, str] = {}
    if Need.MARIADB in suite.needs:
        server = start_mariadb(workspace.servers / f"mariadb-{suite.name}", workspace.log(f"mariadb-{suite.name}"))
        stack.callback(server.child.stop)
        env["HAWSER_DATABASE_URL"] = server.url
    if Need.SQLITE in suite.needs:
        env["HAWSER_DATABASE_URL"] = f"sqlite:///{workspace.folder / 'console.sqlite3'}"
    if Need.REDIS in suite.needs:
        for worker in range(WORKERS if suite.is_shared_out else 1):
            name = f"redis-{suite.name}-{worker}"
            redis = start_redis(workspace.servers / name, workspace.log(name))
            stack.callback(redis.child.stop)
            env["HAWSER_REDIS_URL" if worker == 0 else f"REDIS_URL_OF_GW{worker}"] = redis.url
    if Need.LAB in suite.needs:
        env |= {"HAWSER_LAB_HOME": str(workspace.lab_home(f"{suite.name}-lab")), "HAWSER_LAB_NET": free_net()}
        stack.callback(run, [PYTHON, "-m", "deploy.lab", "down"], env=env)
    return env


def run_pytest(
    workspace: Workspace,
    name: str,
    tests: Sequence[str],
    *options: str,
    limit_s: float,
    env: Mapping[str, str] | None = None,
) -> Counts:
    """Runs these tests."""
    own = {**(env or {}), **({"HAWSER_NEW_SEEDS": "1"} if workspace.is_whole else {})}
    command = [PYTHON, "-m", "pytest", "-q", "--no-header", *options, "-o", f"cache_dir={workspace.folder / name}"]
    again = ("--last-failed", "--last-failed-no-failures=none")
    return run_tests(workspace, name, [*command, "--junit-xml={report}", *tests], limit_s=limit_s, env=own, again=again)


def frontend(workspace: Workspace) -> Counts:
    """Unit tests of the pages."""
    vitest = [str(ROOT / "node_modules/.bin/vitest"), "run", "--reporter=dot", "--reporter=junit"]
    return run_tests(workspace, "frontend", [*vitest, "--outputFile.junit={report}"], limit_s=1200)


def scenarios_long(workspace: Workspace) -> Counts:
    """Every scenario on real clusters, in every variant, and the simulation's faults at each moment (hours)."""
    moments = ("tests/sim/test_lost_site.py", "tests/sim/test_way_back.py")
    counts = run_pytest(workspace, "moments-long", moments, *NO_DJANGO, "-n", str(WORKERS), limit_s=3600, env=LONG)
    for suite in (GALERA, VARIANTS):
        counts += run_suite(replace(suite, name=f"{suite.name}-long", limit_s=4 * 3600, env=LONG), workspace)
    return counts


def core(workspace: Workspace) -> Counts:
    """The core; a whole run takes each safety rule out, and says which rules they are."""
    counts = run_suite(CORE, workspace)
    if workspace.is_whole:
        page = str(workspace.evidence / "seeded-bugs.md")
        run([PYTHON, "-m", "tests.core.seeded_bugs.page", page], env=os.environ | CONSOLE_ENV)
    return counts


def faults(suite: Suite, workspace: Workspace) -> Counts:
    """Faults, and a new page of results: written after successful runs only, it could not report a lost write."""
    figures = workspace.report("faults.json")
    counts = run_suite(replace(suite, env={**suite.env, "HAWSER_FAULT_RESULTS": str(figures)}), workspace)
    if figures.exists():
        run([PYTHON, "-m", "tests.faults.page", str(workspace.evidence), str(figures)], env=dict(os.environ))
    return counts
