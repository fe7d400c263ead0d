"""What `make servers` runs is what can be fetched, and README claims nothing else."""

from __future__ import annotations

from deploy.lab.layout import parse_servers
from deploy.servers.catalogue import CATALOGUE, HOST
from deploy.testrun.other_servers import ASIDE, MATRIX, jobs, jobs_aside
from deploy.testrun.workspace import ROOT


def test_matrix__every_release_with_galera__alone_and_known() -> None:
    used = {name for chosen in MATRIX for name in parse_servers(chosen)}
    assert used <= {HOST, *CATALOGUE}
    assert {name for name in CATALOGUE if name.startswith("mariadb-")} <= used


def test_scenarios__every_file__is_there() -> None:
    assert all((ROOT / name).exists() for job in [*jobs(), *jobs_aside()] for name in job.tests)


def test_lanes__every_release__runs_once() -> None:
    """A release is run by the stage or beside it."""
    assert set(ASIDE) <= set(MATRIX)
    names = [job.name for job in [*jobs(), *jobs_aside()]]
    assert len(names) == len(set(names)) == len(MATRIX) + 3
