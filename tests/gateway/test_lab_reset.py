"""One failed reset of the folder's lab is one failed test, not every one behind it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from deploy.lab.api import Lab
from deploy.lab.errors import LabError
from deploy.lab.layout import Settings
from tests.gateway.lab import reset

SETTINGS = Settings(sizes=(2, 1), overrides={"encrypt_binlog": "ON"})


class FailingLab(Lab):
    """Knows its settings only while it stands, as the real one; counts what was asked of it."""

    def __init__(self, failures: int) -> None:
        super().__init__(Path("nowhere"), "127.99")
        self.failures = failures
        self.stands = True
        self.calls: list[str] = []

    @property
    def exists(self) -> bool:
        return self.stands

    @property
    def settings(self) -> Settings:
        if not self.stands:
            raise LabError("there is no lab")
        return SETTINGS

    def reset_fast(self, settings: Settings | None = None) -> None:
        self.calls.append("reset")
        wanted = settings or self.settings
        self.stands = False
        self.up(wanted)

    def up(self, settings: Settings | None = None) -> list[str]:
        assert settings == SETTINGS
        self.calls.append("up")
        if self.failures:
            self.failures -= 1
            raise LabError("127.99.1.1:4567 in use by another process")
        self.stands = True
        return []

    def down(self) -> list[str]:
        self.calls.append("down")
        self.stands = False
        return []


def test_reset__fails_once__the_lab_is_built_from_nothing() -> None:
    lab = FailingLab(1)
    reset(lab)
    assert (lab.exists, lab.calls) == (True, ["reset", "up", "down", "up"])


def test_reset__no_lab_left_by_the_reset_before__is_built() -> None:
    lab = FailingLab(2)
    with pytest.raises(LabError):
        reset(lab)
    assert not lab.exists
    reset(lab)
    assert lab.exists


@pytest.mark.server
def test_reset__another_process_held_a_port_of_it__next_reset_builds_it(lab: Lab) -> None:
    node = lab.nodes[0]
    lab.kill(node.name)
    with socket.create_server((node.host, 4568)), pytest.raises(LabError, match="in use by another process"):
        reset(lab)
    assert not lab.exists
    reset(lab)
    assert lab.state(node.name) == "running"
