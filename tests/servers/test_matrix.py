"""What `make servers` runs is what can be fetched, and README claims nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.lab.layout import parse_servers
from deploy.servers import matrix, support_table
from deploy.servers.catalogue import CATALOGUE, HOST
from deploy.servers.errors import ServerError
from deploy.servers.matrix import (
    MATRIX,
    SCENARIOS,
    Job,
    chosen_jobs,
    jobs,
    jobs_on_own,
    run_jobs,
)
from deploy.services.process import ServiceError
from deploy.testrun.workspace import ROOT, Workspace
from tests.servers import trees


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


def test_own__pxc_tree__a_job_whose_report_is_a_row_of_the_table(own: Path) -> None:
    trees.pxc(own / "percona")
    messages: list[str] = []
    assert jobs_on_own(messages.append) == [Job("servers-pxc-8.4", SCENARIOS, "percona", is_own=True)]
    assert messages == []
    assert "servers-pxc-8.4" in [job.name for job in jobs()]
    row = support_table.server_of("servers-pxc-8.4", "tests.galera.test_sites_classic")
    assert row in support_table.ACCEPTED


def test_own__none__no_job_and_no_word() -> None:
    messages: list[str] = []
    assert jobs_on_own(messages.append) == []
    assert messages == []


def test_own__each_family_and_series__one_job_by_the_newest_release(own: Path) -> None:
    trees.pxc(own / "new")
    trees.pxc(own / "older", trees.PXC_84.replace("8.4.8", "8.4.7"))
    trees.pxc(own / "pxc80", trees.PXC_80)
    trees.pxc(own / "galera", trees.MYSQL_WSREP)
    trees.tree(own / "maria", trees.MARIADB)
    messages: list[str] = []
    found = {job.name: job.servers for job in jobs_on_own(messages.append)}
    assert found == {
        "servers-mysql-wsrep-8.4": "galera", "servers-pxc-8.4": "new", "servers-pxc-8.0": "pxc80",
    }  # fmt: skip
    assert messages == ["older is left out: new is a release of the same series"]
    assert {name.removeprefix("servers-") for name in found} <= set(support_table.ACCEPTED)


def test_own__tree_without_its_galera_library__left_out_with_the_remedy(own: Path) -> None:
    trees.tree(own / "half", trees.PXC_84, "bin/wsrep_sst_clone")
    messages: list[str] = []
    assert jobs_on_own(messages.append) == []
    (sentence,) = messages
    assert sentence.startswith("half cannot be a node of the lab: Percona XtraDB Cluster 8.4.8 has no libgalera_smm.so")
    assert sentence.endswith("It is left out")


def test_chosen__own_and_fetched__each_its_job_and_another_name_is_refused(own: Path) -> None:
    trees.pxc(own / "percona")
    chosen = chosen_jobs(["percona", "mariadb-11.4"], print)
    assert [(job.name, job.is_own) for job in chosen] == [("servers-pxc-8.4", True), ("servers-mariadb-11.4", False)]
    with pytest.raises(ServerError, match="there is no server 'typo'"):
        chosen_jobs(["typo"], print)


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
