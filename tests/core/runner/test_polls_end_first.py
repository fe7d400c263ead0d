"""On a release that may end when its channels are read during a change, polls that are under way end first."""

from __future__ import annotations

import pytest

from backend.core.runner.sender import POLL_ENDS_S
from tests.fakes.driver import run_to_end
from tests.fakes.plans import plan_relocate, sound
from tests.fakes.world import FakeWorld


@pytest.mark.parametrize(("version", "waits"), [("10.11.18-MariaDB", True), ("10.11.19-MariaDB", False)])
def test_statement_on_channels__affected_release__sent_once_polls_have_ended(version: str, *, waits: bool) -> None:
    world = FakeWorld.classic()
    for node in world.nodes:
        node.version = version
    slept: list[float] = []
    sleep = world.clock.sleep

    def noted(seconds: float) -> None:
        slept.append(seconds)
        sleep(seconds)

    world.clock.sleep = noted  # type: ignore[method-assign]
    memory = run_to_end(world, sound(plan_relocate(world, "a2", "b2")))
    assert memory.ended.state == "succeeded", memory.failures
    changing = [one for one in world.executed if one.verb in ("STOP", "RESET", "CHANGE", "START")]
    assert slept.count(POLL_ENDS_S) == (len(changing) if waits else 0)
