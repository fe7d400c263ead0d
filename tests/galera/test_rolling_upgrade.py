"""Both sides are upgraded node by node under load, with moves and failures while the releases are mixed."""

from __future__ import annotations

import pytest

from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene

SERVER = "mariadb-10.11"
NEWER = "mariadb-11.8"
pytestmark = pytest.mark.whole


def upgrade(scene: Scene, *names: str) -> None:
    """One after another; the link is protected again before the next."""
    for name in names:
        scene.stack.lab.upgrade(name, NEWER)
        scene.heal()


def move(scene: Scene, source: str, replica: str) -> None:
    """A planned relocate to these nodes."""
    node_id = scene.console.node_id
    run = scene.console.relocate(source_node=node_id(source), replica_node=node_id(replica))
    assert scene_pair(run) == (source, replica)
    scene.judge()


def versions(scene: Scene) -> set[str]:
    """Release series of all nodes."""
    found = {name: str(scene.sql(name, "SELECT VERSION() AS v")[0]["v"]) for name in scene.nodes()}
    return {version.rpartition(".")[0] for version in (text.split("-")[0] for text in found.values())}


def test_upgrade__node_by_node_with_moves_and_a_failure_between__every_write_exactly_once(scene: Scene) -> None:
    """The active side first: then its source is newer than the replica, which is when moves were refused before."""
    upgrade(scene, "db-a2", "db-a3")
    move(scene, "db-a2", "db-b1")
    upgrade(scene, "db-a1")
    assert versions(scene) == {"10.11", "11.8"}
    scene.kill("db-a2")
    run = scene.console.relocate()
    assert scene_pair(run)[0] != "db-a2"
    scene.judge()
    scene.heal()
    upgrade(scene, "db-b2", "db-b3")
    move(scene, scene_pair(run)[0], "db-b2")
    upgrade(scene, "db-b1")
    assert versions(scene) == {"11.8"}
    scene.judge()
