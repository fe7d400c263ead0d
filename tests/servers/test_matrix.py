"""What `make servers` runs is what can be fetched, and README claims nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.lab.layout import parse_servers
from deploy.servers import matrix
from deploy.servers.catalogue import CATALOGUE, HOST
from deploy.servers.matrix import (
    MATRIX,
    SCENARIOS,
    Job,
    jobs,
    run_jobs,
)
from deploy.services.process import ServiceError
from deploy.testrun.workspace import ROOT, Workspace


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of builds that is empty."""
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path))
    return tmp_path


def test_matrix__every_release_with_galera__alone_and_known() -> None:
    used = {name for chosen in MATRIX for name in parse_servers(chosen)}
    assert used <= {HOST, *CATALOGUE}
    assert {name for name in CATALOGUE if name.startswith("mariadb-")} <= used


def test_scenarios__every_file__is_there() -> None:
    assert all((ROOT / name).exists() for job in jobs() for name in job.tests)


def test_jobs__every_release__runs_once() -> None:
    names = [job.name for job in jobs()]
    assert len(names) == len(set(names)) == len(MATRIX) + 4


def test_run__own_server_whose_lab_does_not_come_up__one_failure_and_its_log_stays(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No test waits a minute for each of six nodes."""
    calls: list[list[str]] = []

    def failing(command: list[str], **_: object) -> str:
        calls.append(command[2:4])
        if "up" in command:
            raise ServiceError("waited 60 s in vain for db-a1 to be Synced")
        return ""

    monkeypatch.setattr(matrix, "run", failing)
    job = Job("servers-pxc-8.4", SCENARIOS, "percona", is_own=True)
    counts = run_jobs(Workspace(tmp_path, tmp_path), [job], "lab")
    assert calls == [["deploy.lab", "down"], ["deploy.lab", "up"]]
    assert (counts.passed, counts.failed) == (0, 1)
    assert counts.failures == (f"servers-pxc-8.4: its lab did not come up, see {tmp_path / 'lab' / 'log'}",)
    assert "waited 60 s in vain" in capsys.readouterr().out
