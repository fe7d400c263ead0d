"""The channel from a side that returned, before it brought anything but the probe: its place is proven all the same."""

from __future__ import annotations

import pytest

from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.galera.sites import begin, fence_and_list, orphaned_site, reprotect

pytestmark = pytest.mark.reported


@pytest.mark.parametrize("way", ["replay", "undo"])
def test_reprotect__idle_channel_back_stopped__started_and_moved(scene: Scene, way: str) -> None:
    """The log of the side that returned has orphans and their undo before that place, which no log of the other has."""
    begin(scene)
    orphans = orphaned_site(scene)
    fence_and_list(scene)
    reprotect(scene, orphans=way)
    if way == "undo":
        scene.stack.stated_losses |= orphans
    scene.stop_writes()
    replica = next(one["replica_name"] for one in scene.console.link()["channels"] if one["direction"] == "reverse")
    scene.stop_channel(replica)
    scene.look_again()
    run = scene.console.run_planned("start_channel")
    assert run["verification"]["verdict"] == "verified", describe(run)
    scene.stop_channel(replica)
    scene.look_again()
    run = scene.console.run_planned("relocate")
    assert run["verification"]["verdict"] == "verified", describe(run)
    scene.judge()
