"""The scenarios on other releases than the host's, one lab after another."""

from __future__ import annotations

from deploy.services.net import free_net
from deploy.services.process import PYTHON, run
from deploy.testrun.counts import Counts
from deploy.testrun.suites import CONSOLE, run_pytest
from deploy.testrun.workspace import Workspace

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


def servers(workspace: Workspace) -> Counts:
    """Moves, refusals and site losses on each release and on mixed links: ten minutes and more for each."""
    counts = Counts()
    for chosen in MATRIX:
        counts += _on(workspace, chosen)
    return counts


def _on(workspace: Workspace, chosen: str) -> Counts:
    name = "servers-" + chosen.replace("=", "-").replace(",", "-")
    env = {
        **CONSOLE,
        "HAWSER_LAB_SERVER": chosen,
        "HAWSER_LAB_HOME": str(workspace.lab_home("servers-lab")),
        "HAWSER_LAB_NET": free_net(),
    }
    try:
        return run_pytest(workspace, name, SCENARIOS, "--timeout=600", limit_s=3600, env=env)
    finally:
        run([PYTHON, "-m", "deploy.lab", "down"], env=env)
