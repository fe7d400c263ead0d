"""A site lost as a disaster takes it: the channel's source first, the others once they took writes alone."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deploy.lab import outage
from deploy.lab.cluster import LabContext
from deploy.lab.errors import LabError
from deploy.lab.layout import Paths, Settings, nodes_of
from deploy.lab.load import control
from deploy.lab.server import process
from deploy.lab.server.accounts import Account


class Site:
    """Site a with a channel that reads from db-a1; what is done to it stands in `events`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
        settings = Settings()
        self.ground = LabContext(settings, Paths(home), nodes_of(settings), Account("admin", "x"))
        self.events: list[str] = []
        self.dead: set[str] = set()
        self.writes = 0
        self.has_load = True
        source = next(node.host for node in self.ground.nodes if node.name == "db-a1")
        monkeypatch.setattr(outage, "state", lambda _, node: "stopped" if node.name in self.dead else "running")
        channels = [{"Master_Host": source}]
        monkeypatch.setattr(outage, "node_status", lambda _, node: SimpleNamespace(channels=channels))
        monkeypatch.setattr(process, "kill", lambda pid_file: self.events.append(pid_file.stem))
        monkeypatch.setattr(time, "sleep", lambda _: None)
        monkeypatch.setattr(control, "writes_on", lambda *_: self.has_load)
        monkeypatch.setattr(control, "acknowledged", self._acknowledged)

    def _acknowledged(self, *_: Any) -> int:
        self.events.append("write")
        self.writes += 15
        return self.writes


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Site:
    return Site(monkeypatch, tmp_path)


def test_lose__under_load__source_first_and_the_others_after_writes_of_their_own(site: Site) -> None:
    assert outage.lose_site(site.ground, "a").endswith("writes acknowledged there after its channel ended: 30")
    assert site.events == ["db-a1", "write", "write", "write", "db-a2", "db-a3"]


def test_lose__nobody_writes_there__nothing_is_waited_for(site: Site) -> None:
    site.has_load = False
    outage.lose_site(site.ground, "a")
    assert site.events == ["db-a1", "db-a2", "db-a3"]


def test_lose__source_dead_already__the_others_at_once(site: Site) -> None:
    site.dead = {"db-a1"}
    outage.lose_site(site.ground, "a")
    assert site.events == ["db-a2", "db-a3"]


def test_lose__all_dead__refused(site: Site) -> None:
    site.dead = {"db-a1", "db-a2", "db-a3"}
    with pytest.raises(LabError, match="every node of site a is already down"):
        outage.lose_site(site.ground, "a")
