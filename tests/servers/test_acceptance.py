"""Scenarios on a server that was never tried accept it in writing first, and on no other server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.galera.acceptance import TEXT, accept_servers
from tests.galera.console import Answer
from tests.servers import trees

OFFERED = {"flavor": "pxc", "series": "8.4", "name": "Percona XtraDB Cluster 8.4"}


class FakeConsole:
    """A console that offers to accept 8.4, and keeps what it was sent."""

    def __init__(self, status: int = 201) -> None:
        self.status = status
        self.sent: list[tuple[str, str, Any, str]] = []

    def link(self) -> dict[str, Any]:
        return {"active_cluster": {"id": "c1", "name": "milan"}, "standby_cluster": {"id": "c2", "name": "frankfurt"}}

    def get(self, _path: str) -> dict[str, Any]:
        return {"acceptable": OFFERED, "current": None}

    def call(self, method: str, path: str, body: Any, if_match: str) -> Answer:
        self.sent.append((method, path, body, if_match))
        return Answer(self.status, {})


@pytest.fixture(autouse=True)
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a PXC and a MariaDB of the user's own."""
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path))
    trees.pxc(tmp_path / "pxc")
    trees.tree(tmp_path / "maria", trees.MARIADB)


def test_accept__pxc__both_clusters_by_name_with_a_text() -> None:
    console: Any = FakeConsole()
    assert accept_servers(console, "pxc") == ["Percona XtraDB Cluster 8.4"] * 2
    body = {"flavor": "pxc", "series": "8.4", "confirm": "milan", "reason": TEXT}
    assert console.sent == [
        ("POST", "/clusters/c1/acceptance", body, "*"),
        ("POST", "/clusters/c2/acceptance", body | {"confirm": "frankfurt"}, "*"),
    ]


def test_accept__mariadb__nothing_is_sent() -> None:
    console: Any = FakeConsole()
    assert accept_servers(console, "maria") == []
    assert console.sent == []


def test_accept__refused__fails_with_the_answer() -> None:
    console: Any = FakeConsole(409)
    with pytest.raises(AssertionError, match="409"):
        accept_servers(console, "pxc")
