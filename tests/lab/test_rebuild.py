"""What the lab tells of a rebuild, and from where it does none."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.lab import rebuild
from deploy.lab.api import Lab
from deploy.lab.errors import LabError
from deploy.lab.layout import Settings


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A lab whose servers were never started."""
    made = Lab(tmp_path, "127.99")
    for folder in made.paths.folders():
        folder.mkdir(parents=True, exist_ok=True)
    made.paths.settings.write_text('{"variant": "classic", "net": "127.99", "sizes": [3, 3]}')
    assert made.settings == Settings(net="127.99")
    return made


def test_report__nothing_done_then_kept__as_kept(lab: Lab) -> None:
    assert lab.rebuild_status()["state"] == "idle"
    rebuild.write_report(lab.paths, "done", "a", donor="db-b2", coordinate="binlog.000002 395", galera="u:150 0")
    report = lab.rebuild_status()
    assert (report["state"], report["site"], report["coordinate"]) == ("done", "a", "binlog.000002 395")


@pytest.mark.parametrize(("site", "donor"), [("a", "db-a2"), ("c", "db-b1"), ("a", "db-b9"), ("a", "db-b2")])
def test_rebuild__own_site_unknown_site_or_node_or_dead_donor__refused_before_anything(
    lab: Lab, site: str, donor: str
) -> None:
    with pytest.raises(LabError):
        lab.rebuild(site, donor)
    assert lab.rebuild_status()["state"] == "idle"


def test_line__either_name_of_the_file__blanks_for_tabs(tmp_path: Path) -> None:
    (tmp_path / "xtrabackup_binlog_info").write_text("binlog.000002\t395\t\n")
    (tmp_path / "mariadb_backup_galera_info").write_text("u:150 0\n")
    assert rebuild._line(tmp_path, "binlog_info") == "binlog.000002 395"
    assert rebuild._line(tmp_path, "galera_info") == "u:150 0"
    with pytest.raises(LabError):
        rebuild._line(tmp_path, "slave_info")
