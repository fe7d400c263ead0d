"""A folder of HAWSER_SERVERS is recognised by what its program says and the files that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.servers import family, server, store
from deploy.servers.cli import main
from deploy.servers.errors import ServerError
from deploy.servers.family import CLONE, XTRABACKUP, Family
from deploy.servers.server import HOST_PROVIDER, require_galera
from tests.servers import trees
from tests.servers.trees import program, pxc, tree

GALERA = "lib/libgalera_smm.so"


@pytest.fixture(autouse=True)
def no_xtrabackup(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this machine has installed is not asked."""
    monkeypatch.setattr(family.shutil, "which", lambda _name: None)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("says", "files", "expected"),
    [
        (trees.PXC_84, (GALERA,), Family.PXC),
        (trees.PXC_80, (), Family.PXC),
        (trees.MYSQL_WSREP, (GALERA,), Family.MYSQL_WSREP),
        (trees.MYSQL, (GALERA,), Family.MYSQL_WSREP),
        (trees.MYSQL, (), Family.MYSQL),
        (trees.MARIADB, (), Family.MARIADB),
    ],
)
def test_family__what_it_says_and_holds__decides(
    tmp_path: Path, says: str, files: tuple[str, ...], expected: Family
) -> None:
    root = tree(tmp_path / "mariadb-wsrep-named-folder", says, *files)
    assert server.in_folder("own", root, {}).family is expected


@pytest.mark.parametrize("path", family.PROVIDERS)
def test_provider__every_place_of_packages_and_archives__found(tmp_path: Path, path: str) -> None:
    root = tree(tmp_path, trees.PXC_84, path, "usr/bin/wsrep_sst_clone", daemon="usr/sbin/mysqld")
    found = server.in_folder("own", root, {})
    assert found.provider == root / path
    require_galera(found)


def test_provider__mysql_without_its_own__never_the_hosts(tmp_path: Path) -> None:
    assert server.in_folder("own", tree(tmp_path / "x", trees.PXC_84), {}).provider is None
    assert server.in_folder("own", tree(tmp_path / "m", trees.MARIADB), {}).provider == HOST_PROVIDER


@pytest.mark.parametrize(
    ("files", "method"),
    [
        (("bin/wsrep_sst_clone", "bin/wsrep_sst_xtrabackup-v2"), CLONE),
        (("bin/wsrep_sst_xtrabackup-v2", "bin/pxc_extra/pxb-8.0/bin/xtrabackup"), XTRABACKUP),
        (("bin/wsrep_sst_xtrabackup-v2", "bin/xtrabackup"), XTRABACKUP),
        (("bin/wsrep_sst_xtrabackup-v2",), ""),
        (("bin/xtrabackup",), ""),
    ],
)
def test_transfer__by_the_programs_that_are_there(tmp_path: Path, files: tuple[str, ...], method: str) -> None:
    assert server.in_folder("own", tree(tmp_path, trees.PXC_84, GALERA, *files), {}).transfer == method


def test_pxc__whole_tree__ready_with_its_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path))
    root = pxc(tmp_path / "pxc")
    found = store.ready("pxc")
    require_galera(found)
    assert (found.title, found.series) == ("Percona XtraDB Cluster 8.4.8", "8.4")
    assert found.options == {
        "basedir": str(root),
        "lc_messages_dir": str(root / "share"),
        "character_sets_dir": str(root / "share/charsets"),
        "plugin_dir": str(root / "lib/plugin"),
    }


@pytest.mark.parametrize(
    ("says", "files", "sentence"),
    [
        (trees.MYSQL, (), r"MySQL 8\.4\.8 is MySQL without Galera, with no libgalera_smm\.so .* in HAWSER_SERVERS"),
        (trees.PXC_84, (), r"has no libgalera_smm\.so \(looked for usr/lib/galera.*Unpack the package of its Galera"),
        (trees.PXC_84, (GALERA,), r"neither bin/wsrep_sst_clone nor .* install Percona XtraBackup"),
        (trees.PXC_80.replace("8.0.36", "8.0.29"), (GALERA, "bin/wsrep_sst_clone"), r"8\.0\.29 is older than 8\.0\.30"),
        (trees.MARIADB, (), r"no mariadb-install-db .* Unpack the whole server"),
    ],
)
def test_require_galera__part_missing__named_with_the_remedy(
    tmp_path: Path, says: str, files: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(ServerError, match=f"own cannot be a node of the lab: .*{sentence}"):
        require_galera(server.in_folder("own", tree(tmp_path, says, *files), {}))


def test_program__library_missing__its_own_words_and_the_remedy(tmp_path: Path) -> None:
    program(tmp_path / "bin/mysqld", "echo 'mysqld: error while loading shared libraries: libaio.so.1' >&2; exit 127")
    with pytest.raises(ServerError, match=r"loading shared libraries: libaio\.so\.1\. Install the library"):
        server.in_folder("own", tmp_path, {})


def test_program__states_no_version__refused(tmp_path: Path) -> None:
    program(tmp_path / "bin/mysqld", "echo hello")
    with pytest.raises(ServerError, match="does not state its version: hello"):
        server.in_folder("own", tmp_path, {})


def test_own__folders_that_hold_none__named_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path))
    pxc(tmp_path / "pxc")
    for name in ("empty", "mysql-9", "mariadb-11.8.work"):
        (tmp_path / name).mkdir()
    messages: list[str] = []
    assert list(store.own(messages.append)) == ["pxc"]
    assert [line.partition(":")[0] for line in messages] == ["empty is left out"]


def test_list__own_server__family_and_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path))
    pxc(tmp_path / "pxc")
    tree(tmp_path / "plain", trees.MYSQL)
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "pxc            Percona XtraDB Cluster 8.4.8" in lines
    assert any(line.startswith("plain          MySQL 8.4.8; plain cannot be a node of the lab") for line in lines)
