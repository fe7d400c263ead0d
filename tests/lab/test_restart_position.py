"""Where a node resumes after a clean stop: at its saved seqno, or where its storage stands."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deploy.lab import cluster
from deploy.servers.catalogue import CATALOGUE

SAVED = "# GALERA saved state\nversion: 2.1\nuuid:    8f0eb1ef-e9c4-11f1-85f6-d60a3022e5d9\nseqno:   241\n"


UUID = "8f0eb1ef-e9c4-11f1-85f6-d60a3022e5d9"


@pytest.mark.parametrize(
    "line",
    [
        f"2026-11-27  1:00:00 0 [Note] WSREP: Recovered position: {UUID}:240",
        f"2026-11-27T01:00:00.000000Z 0 [Note] [MY-000000] [WSREP] Recovered position: {UUID}:240",
    ],
    ids=["mariadb", "pxc, as documented"],
)
def test_recovered__line_of_either_family__understood(line: str) -> None:
    found = cluster.RECOVERED.search(line)
    assert found is not None
    assert found.group(1) == f"{UUID}:240"


def test_strip_identity__copied_folder__keeps_the_state_of_galera_and_nothing_of_its_own(tmp_path: Path) -> None:
    """MySQL keeps a server's UUID in auto.cnf; two of one UUID cannot replicate from each other."""
    for name in ("auto.cnf", "binlog.000002", "relay.index", "galera.cache", "grastate.dat", "ibdata1"):
        (tmp_path / name).touch()
    cluster.strip_identity(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grastate.dat", "ibdata1"]


@pytest.mark.parametrize(("resumes_only_from_storage", "seqno"), [(False, 241), (True, 240)])
def test_recovered_position__after_a_clean_stop__as_the_release_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resumes_only_from_storage: bool, seqno: int
) -> None:
    """The storage may hold one less than was saved: the last write-set changed no row."""
    (tmp_path / "run").mkdir()
    (tmp_path / "grastate.dat").write_text(SAVED)
    report = tmp_path / "run/db-a1.recover"

    def recover(*_: Any, **__: Any) -> None:
        report.write_text("WSREP: Recovered position: 8f0eb1ef-e9c4-11f1-85f6-d60a3022e5d9:240\n")

    monkeypatch.setattr(cluster.subprocess, "run", recover)  # type: ignore[attr-defined]
    server = SimpleNamespace(resumes_only_from_storage=resumes_only_from_storage)
    paths = SimpleNamespace(home=tmp_path, datadir=lambda _: tmp_path)
    ground: Any = SimpleNamespace(server=lambda _: server, paths=paths, command=lambda *_: ["mariadbd"])
    node: Any = SimpleNamespace(name="db-a1")
    assert cluster.recovered_position(ground, node).endswith(f":{seqno}")


def test_catalogue__10_5__resumes_from_its_storage() -> None:
    assert [name for name, build in CATALOGUE.items() if build.resumes_only_from_storage] == ["mariadb-10.5"]
