"""A lab with distance whose router has ended: each command that needs the network says so at once, with the remedy."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from deploy.lab.api import Lab
from deploy.lab.cli import main
from deploy.lab.layout import Settings
from deploy.lab.server import process
from deploy.lab.wan.protocol import NAME, RouterError

NEEDING_IT: dict[str, Callable[[Lab], object]] = {
    "start": lambda lab: lab.start("db-a1"),
    "start_site": lambda lab: lab.start_site("a"),
    "verify": lambda lab: lab.verify(),
    "load_start": lambda lab: lab.load_start(),
    "cut": lambda lab: lab.cut("a-b"),
    "lose_site": lambda lab: lab.lose_site("b"),
    "rebuild": lambda lab: lab.rebuild("b", "db-a1"),
}


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """Its files, without a process."""
    made = Lab(tmp_path, "127.99")
    for folder in made.paths.folders():
        folder.mkdir(parents=True, exist_ok=True)
    made.paths.settings.write_text(json.dumps(asdict(Settings(net="127.99", wan=True))))
    made.paths.secrets.write_text(json.dumps({"admin": {"user": "admin", "password": "p"}}))
    return made


@pytest.mark.parametrize("what", NEEDING_IT)
def test_command__router_ended__refused_at_once_with_the_remedy(lab: Lab, what: str) -> None:
    started = time.monotonic()
    with pytest.raises(RouterError, match=r"router of the lab's distance has ended.*`wan` starts it again"):
        NEEDING_IT[what](lab)
    assert time.monotonic() - started < 30, "it waited for what cannot come"


def test_status__router_ended__nodes_and_the_sentence(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HAWSER_LAB_HOME", str(lab.paths.home))
    assert main(["status"]) == 2
    printed = capsys.readouterr()
    assert "db-b3" in printed.out
    assert "has ended" in printed.err


def test_network__router_runs_then_is_killed__told_apart(lab: Lab) -> None:
    process.spawn(["sleep", "60"], lab.paths.pid(NAME), lab.paths.log(NAME), cwd=lab.paths.home)
    lab.require_network()
    process.kill(lab.paths.pid(NAME))
    with pytest.raises(RouterError):
        lab.require_network()


def test_network__lab_on_loopback__needs_no_router(lab: Lab) -> None:
    lab.paths.settings.write_text(json.dumps(asdict(Settings(net="127.99"))))
    lab.require_network()
