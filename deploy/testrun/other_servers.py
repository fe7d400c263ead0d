"""The scenarios on other releases than the host's, one lab after another."""

from __future__ import annotations

import sys
from pathlib import Path

from deploy.services.net import free_net
from deploy.services.process import PYTHON, run
from deploy.testrun import support_table
from deploy.testrun.counts import Counts, last_line
from deploy.testrun.suites import CONSOLE, run_pytest
from deploy.testrun.workspace import Workspace, default_workspace

MATRIX = (
    "mariadb-10.5",
    "mariadb-11.4",
    "mariadb-11.8",
    "a=mariadb-10.11,b=mariadb-11.8",
    "a=mariadb-11.8,b=mariadb-10.11",
)
"""In the words of the lab's `--server`; `make test` runs the host's own release."""
SCENARIOS = (
    "tests/galera/test_relocate_classic.py",
    "tests/galera/test_relocate_gtid.py",
    "tests/galera/test_refusals.py",
    "tests/galera/test_sites_classic.py",
)
UPGRADES = ("tests/galera/test_rolling_upgrade.py", "tests/galera/test_rolling_upgrade_standby.py")


def servers(workspace: Workspace) -> Counts:
    """Moves, refusals and site losses on each release and on mixed links: ten minutes and more for each."""
    counts = Counts()
    for chosen in MATRIX:
        counts += on_server(workspace, chosen)
    for name in UPGRADES:
        counts += _run(workspace, f"servers-{Path(name).stem}", name, env={"HAWSER_WHOLE": "1"})
    support_table.write(workspace.folder / "reports")
    return counts


def on_server(workspace: Workspace, chosen: str) -> Counts:
    """The scenarios on one release, or with one release a side; the report names it."""
    name = "servers-" + chosen.replace("=", "-").replace(",", "-")
    return _run(workspace, name, *SCENARIOS, env={"HAWSER_LAB_SERVER": chosen})


def _run(workspace: Workspace, name: str, *tests: str, env: dict[str, str]) -> Counts:
    env = {
        **CONSOLE,
        **env,
        "HAWSER_LAB_HOME": str(workspace.lab_home("servers-lab")),
        "HAWSER_LAB_NET": free_net(),
    }
    try:
        return run_pytest(workspace, name, tests, "--timeout=600", limit_s=3600, env=env)
    finally:
        run([PYTHON, "-m", "deploy.lab", "down"], env=env)


if __name__ == "__main__":
    for server in sys.argv[1:] or MATRIX:
        print(server, last_line(on_server(default_workspace(), server)), flush=True)
