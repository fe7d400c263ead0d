"""Stages that run a test suite and read its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deploy.services.mariadb import start_mariadb
from deploy.services.net import free_net
from deploy.services.process import PYTHON, ROOT, run
from deploy.services.redis import start_redis
from deploy.testrun.counts import Counts, from_junit
from deploy.testrun.scenario_lanes import SCENARIO_LANES
from deploy.testrun.tool import run_tool
from deploy.testrun.workspace import Workspace

# The console's tests run neither as demo nor with relaxed settings: debug supplies keys, nothing else.
CONSOLE = {"HAWSER_DEBUG": "1"}
NO_DJANGO = ("-p", "no:django")
# Which stage runs which folder of tests/.
FOLDERS: dict[str, tuple[str, ...]] = {
    "core": ("core", "scenarios", "sim", "oracle"),
    "deploy": ("deploy",),
    "backend": ("backend",),
    "api": ("api", "monitoring"),
    "containers": ("containers",),
    "ha": ("ha",),
    "single-servers": ("gateway", "lab", "servers", "conformance", "mysql"),
    "galera": ("galera",),
    "faults": ("faults",),
}
ON_SQLITE_TOO = (
    "tests/backend/execution",
    "tests/backend/hooks",
    "tests/backend/common/test_transaction_retry.py",
    "tests/backend/test_audit.py",
    "tests/backend/test_audit_heads.py",
    "tests/backend/test_automatic_start.py",
    "tests/backend/test_automation.py",
    "tests/backend/test_rehearsals.py",
    "tests/monitoring",
    "tests/api/test_idempotency.py",
    "tests/api/test_runs.py",
)


def _existing(suite: str) -> list[str]:
    return [f"tests/{folder}" for folder in FOLDERS[suite] if any((ROOT / "tests" / folder).rglob("test_*.py"))]


def pytest(
    workspace: Workspace,
    name: str,
    suite: str,
    *options: str,
    limit_s: float,
    env: Mapping[str, str] | None = None,
) -> Counts:
    """Runs a suite's folders."""
    found = _existing(suite)
    if not found:
        return Counts(failed=1, failures=(f"{name}: no tests in {', '.join(FOLDERS[suite])}",))
    return run_pytest(workspace, name, found, *options, limit_s=limit_s, env=env)


def run_pytest(
    workspace: Workspace,
    name: str,
    tests: Sequence[str],
    *options: str,
    limit_s: float,
    env: Mapping[str, str] | None = None,
) -> Counts:
    """Runs tests and reads the report; a run without a report counts as one failure."""
    report = workspace.report(f"{name}.xml")
    command = [PYTHON, "-m", "pytest", "-q", "--no-header", *options, f"--junit-xml={report}"]
    code = run_tool([*command, *tests], limit_s=limit_s, env=env)
    counts = from_junit(report.read_text()) if report.exists() else Counts()
    if code != 0 and counts.failed == 0:
        counts += Counts(failed=1, failures=(f"{name}: pytest ended with {code}",))
    return counts


def core(workspace: Workspace) -> Counts:
    """The replication domain and its scenarios: facts in, plan out."""
    return pytest(workspace, "core", "core", *NO_DJANGO, "-n", "2", "--timeout=600", limit_s=2400)


def deploy(workspace: Workspace) -> Counts:
    """Compose, image, unit and proxy files, release and chart, and the modules of the demo."""
    return pytest(workspace, "deploy", "deploy", *NO_DJANGO, limit_s=2400)


def deploy_whole(workspace: Workspace) -> Counts:
    """The same, and a release installed with packages of its own and its pages built again."""
    return pytest(workspace, "deploy-whole", "deploy", *NO_DJANGO, limit_s=2400, env={"HAWSER_WHOLE": "1"})


def containers(workspace: Workspace) -> Counts:
    """The console's image and the production profile of the compose file, in an engine of our own."""
    return pytest(workspace, "containers", "containers", *NO_DJANGO, limit_s=2600)


def containers_whole(workspace: Workspace) -> Counts:
    """The same with a lab: a relocate, each container killed, an upgrade, a restore."""
    whole = {"HAWSER_WHOLE": "1"}
    return pytest(workspace, "containers-whole", "containers", *NO_DJANGO, limit_s=3600, env=whole)


def ha(workspace: Workspace) -> Counts:
    """Two hosts of the console behind nginx: processes killed and frozen under load."""
    return pytest(workspace, "ha", "ha", *NO_DJANGO, limit_s=600, env=CONSOLE)


def ha_whole(workspace: Workspace) -> Counts:
    """Each part of two of everything killed, frozen and cut off while a link is moved; the figures as JSON."""
    whole = {**CONSOLE, "HAWSER_WHOLE": "1", "HAWSER_HA_RESULTS": str(workspace.report("ha.json"))}
    return pytest(workspace, "ha-whole", "ha", *NO_DJANGO, limit_s=2 * 3600, env=whole)


def backend_mariadb(workspace: Workspace) -> Counts:
    """The console behind its API on a real MariaDB, as in production, with a real Redis."""
    return _on_mariadb(workspace, "backend")


def api_mariadb(workspace: Workspace) -> Counts:
    """The API and the monitor on another MariaDB, so that they run beside the rest of the console."""
    return _on_mariadb(workspace, "api")


def _on_mariadb(workspace: Workspace, suite: str) -> Counts:
    name = f"{suite}-mariadb"
    server = start_mariadb(workspace.servers / f"mariadb-{suite}", workspace.log(f"mariadb-{suite}"))
    try:
        return _backend(workspace, name, _existing(suite), server.url)
    finally:
        server.child.stop()


def backend_sqlite(workspace: Workspace) -> Counts:
    """On SQLite, as in the demo, what rests on locks, transactions and times: runs, records, audit log, automation.

    The rest does the same on either database; the browser tests drive all of the demo.
    """
    url = f"sqlite:///{workspace.folder / 'console.sqlite3'}"
    return _backend(workspace, "backend-sqlite", ON_SQLITE_TOO, url, "-m", "not galera and not no_database")


def _backend(workspace: Workspace, name: str, tests: Sequence[str], database_url: str, *options: str) -> Counts:
    redis = start_redis(workspace.servers / f"redis-{name}", workspace.log(f"redis-{name}"))
    env = {
        **CONSOLE,
        "HAWSER_DATABASE_URL": database_url,
        "HAWSER_REDIS_URL": redis.url,
    }
    try:
        return run_pytest(workspace, name, tests, *options, limit_s=2400, env=env)
    finally:
        redis.child.stop()


def frontend(workspace: Workspace) -> Counts:
    """Unit tests of the pages."""
    report = workspace.report("frontend.xml")
    command = [str(ROOT / "node_modules/.bin/vitest"), "run", "--reporter=dot", "--reporter=junit"]
    code = run_tool([*command, f"--outputFile.junit={report}"], limit_s=1200)
    counts = from_junit(report.read_text()) if report.exists() else Counts()
    if code != 0 and counts.failed == 0:
        counts += Counts(failed=1, failures=(f"frontend: vitest ended with {code}",))
    return counts


def galera(workspace: Workspace) -> Counts:
    """Scenarios on two real Galera clusters, in the usual variant."""
    return _scenarios(workspace, "galera")


def sites(workspace: Workspace) -> Counts:
    """The same where a whole site is lost, and a relocate on the newest release."""
    return _scenarios(workspace, "sites")


def variants(workspace: Workspace) -> Counts:
    """The same in every other variant."""
    return _scenarios(workspace, "variants")


def single_servers(workspace: Workspace) -> Counts:
    """Single real servers, and the lab itself."""
    name = "single-servers"
    redis = start_redis(workspace.servers / f"redis-{name}", workspace.log(f"redis-{name}"))
    env = {**CONSOLE, "HAWSER_REDIS_URL": redis.url}
    try:
        return pytest(workspace, name, name, "--timeout=600", limit_s=2400, env=env)
    finally:
        redis.child.stop()


def scenarios_whole(workspace: Workspace) -> Counts:
    """Every scenario on real clusters, in every variant, and the simulation's faults at each moment.

    `make test` runs some of them.
    """
    whole, limit_s = {"HAWSER_WHOLE": "1"}, 4 * 3600
    moments = ("tests/sim/test_lost_site.py", "tests/sim/test_way_back.py")
    counts = run_pytest(workspace, "moments-whole", moments, *NO_DJANGO, "-n", "2", limit_s=3600, env=whole)
    for lane in SCENARIO_LANES:
        counts += _scenarios(workspace, lane, f"{lane}-whole", limit_s=limit_s, env=whole)
    return counts


def _scenarios(
    workspace: Workspace, lane: str, name: str = "", *, limit_s: float = 3000, env: Mapping[str, str] | None = None
) -> Counts:
    """One lane of the scenarios; each stack has its own Redis."""
    name = name or lane
    own = {
        **CONSOLE,
        **(env or {}),
        "HAWSER_GALERA_LANE": lane,
        "HAWSER_LAB_HOME": str(workspace.lab_home(f"{name}-lab")),
        "HAWSER_LAB_NET": free_net(),
    }
    try:
        return pytest(workspace, name, "galera", "--timeout=600", limit_s=limit_s, env=own)
    finally:
        run([PYTHON, "-m", "deploy.lab", "down"], env=own)


def catalogue(workspace: Workspace) -> Counts:
    """The catalogue of the fault bench and its judges: every fault has tests or a reason, every judge can fail."""
    return pytest(workspace, "catalogue", "faults", "-m", "not galera", limit_s=300, env=CONSOLE)


def faults(workspace: Workspace) -> Counts:
    """The quick selection of the fault bench on a real stack: five and a half minutes in parallel to another lab."""
    return _faults(workspace, "faults", "-m", "quick", limit_s=2400)


def faults_whole(workspace: Workspace) -> Counts:
    """Every fault, and a new page of results: written after successful runs only, it could not report a lost write."""
    figures = workspace.report("faults.json")
    env = {"HAWSER_WHOLE": "1", "HAWSER_FAULT_RESULTS": str(figures)}
    counts = _faults(workspace, "faults-whole", limit_s=4 * 3600, env=env)
    if figures.exists():
        run([PYTHON, "-m", "tests.faults.catalogue.page", str(figures)])
    return counts


def _faults(
    workspace: Workspace, name: str, *options: str, limit_s: float, env: Mapping[str, str] | None = None
) -> Counts:
    """The bench starts the stack that it needs itself, once."""
    own = {
        **CONSOLE,
        "HAWSER_LAB_HOME": str(workspace.lab_home("faults-lab")),
        "HAWSER_LAB_NET": free_net(),
        **(env or {}),
    }
    try:
        return pytest(workspace, name, "faults", "--timeout=600", *options, limit_s=limit_s, env=own)
    finally:
        run([PYTHON, "-m", "deploy.lab", "down"], env=own)
