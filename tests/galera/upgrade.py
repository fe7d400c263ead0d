"""Both sides are upgraded node by node under load; while the releases are mixed, nodes and the active site fail."""

from __future__ import annotations

from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.sites import site_lost_nothing_owed, there_and_back

NEWER = "mariadb-11.8"


def roll(scene: Scene, first: str, second: str) -> None:
    """One side after the other: on each the nodes without a channel, a move onto one of them, the node that is left.

    Between the two sides the node that holds the channels of the newer one is killed, the active side is switched there
    and back, and then it is lost: failover, reprotect and failback between the releases.
    """
    _upgrade_side(scene, first)
    assert _series(scene) == {"10.11", "11.8"}
    holder = _holder(scene, first)
    scene.kill(holder)
    run = scene.console.relocate()
    assert holder not in scene_pair(run)
    scene.judge()
    scene.heal()
    there_and_back(scene)
    site_lost_nothing_owed(scene)
    scene.heal()
    _upgrade_side(scene, second)
    assert _series(scene) == {"11.8"}
    scene.judge()


def _upgrade_side(scene: Scene, site: str) -> None:
    last = _holder(scene, site)
    free = [name for name in scene.nodes() if name.startswith(f"db-{site}") and name != last]
    _upgrade(scene, *free)
    pair = [free[0] if name == last else name for name in scene.pair_now()]
    source, replica = (scene.console.node_id(name) for name in pair)
    run = scene.console.relocate(source_node=source, replica_node=replica)
    assert scene_pair(run) == tuple(pair)
    scene.judge()
    _upgrade(scene, last)


def _upgrade(scene: Scene, *names: str) -> None:
    """One after another; the link is protected again before the next."""
    for name in names:
        scene.stack.lab.upgrade(name, NEWER)
        scene.heal()


def _holder(scene: Scene, site: str) -> str:
    """The node of a side that the channels join."""
    return next(name for name in scene.pair_now() if name.startswith(f"db-{site}"))


def _series(scene: Scene) -> set[str]:
    """Release series of all nodes."""
    versions = (str(scene.sql(name, "SELECT VERSION() AS v")[0]["v"]) for name in scene.nodes())
    return {version.split("-")[0].rpartition(".")[0] for version in versions}
