"""A folder of HAWSER_SERVERS is recognised by what its program says and the files that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.servers import family, server
from deploy.servers.errors import ServerError
from deploy.servers.family import Family
from deploy.servers.server import HOST_PROVIDER, require_galera
from tests.servers import trees
from tests.servers.trees import tree

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


def test_provider__mysql_without_its_own__never_the_hosts(tmp_path: Path) -> None:
    assert server.in_folder("own", tree(tmp_path / "x", trees.PXC_84), {}).provider is None
    assert server.in_folder("own", tree(tmp_path / "m", trees.MARIADB), {}).provider == HOST_PROVIDER


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
