"""A semi-synchronous channel: its replica is moved, or fails, and no commit of the active side waits an hour for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.galera.console import Json, assert_refused, describe
from tests.galera.scene import Scene, granted
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

PRIVILEGE = "REPLICATION MASTER ADMIN"
ENABLED = "rpl_semi_sync_master_enabled"


def status(scene: Scene, node: str, name: str) -> str:
    (row,) = scene.sql(node, f"SHOW GLOBAL STATUS LIKE '{name}'")
    return str(row["Value"])


def value(scene: Scene, node: str, name: str) -> str:
    (row,) = scene.sql(node, f"SHOW GLOBAL VARIABLES LIKE '{name}'")
    return str(row["Value"])


@contextmanager
def semi_synchronous(scene: Scene, source: str, replica: str) -> Iterator[None]:
    """The forward channel waits an hour for its replica; afterwards every node is as before."""
    scene.sql(replica, "SET GLOBAL rpl_semi_sync_slave_enabled=ON")
    scene.stop_channel(replica)
    scene.start_channel(replica)
    wait_for(lambda: status(scene, source, "Rpl_semi_sync_master_clients") == "1", "the replica to acknowledge")
    scene.sql(source, "SET GLOBAL rpl_semi_sync_master_timeout=3600000")
    scene.sql(source, f"SET GLOBAL {ENABLED}=ON")
    try:
        yield
    finally:
        for node in filter(scene.is_up, scene.nodes()):
            scene.sql(node, f"SET GLOBAL {ENABLED}=OFF")
            scene.sql(node, "SET GLOBAL rpl_semi_sync_slave_enabled=OFF")
            scene.sql(node, "SET GLOBAL rpl_semi_sync_master_timeout=10000")


def moved(scene: Scene, source: str, replica: str) -> Json:
    """A relocate onto these nodes, whose steps keep commits going."""
    nodes = {"source_node": scene.console.node_id(source), "replica_node": scene.console.node_id(replica)}
    run = scene.console.run_planned("relocate", **nodes)
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    return run


def test_relocate__only_replica_that_acknowledges_moves__commits_go_on_and_nothing_is_lost(scene: Scene) -> None:
    source, replica = scene.pair()
    with semi_synchronous(scene, source, replica):
        scene.look_again(source, replica)
        assert_refused(scene.console.plan("relocate", source_node=scene.console.node_id(scene.other(source))),
                       "semi_sync_privilege_missing", PRIVILEGE)  # fmt: skip
        with granted(scene, source, PRIVILEGE):
            wait_for(lambda: status(scene, source, "Rpl_semi_sync_master_yes_tx") != "0", "a commit to be acknowledged")

            run = moved(scene, scene.other(source), scene.other(replica))

            codes = [step["code"] for step in run["steps"]]
            assert codes[:2] == ["recheck", "semi_sync_off"], codes
            assert codes.count("verify_commits") == 2, codes
            assert value(scene, source, ENABLED) == "OFF"
            scene.wait_writes(site="a")
            scene.judge()


def test_relocate__replica_stands_and_every_commit_waits__told_as_that_and_freed_by_the_plan(scene: Scene) -> None:
    source, replica = scene.pair()
    with granted(scene, source, PRIVILEGE), semi_synchronous(scene, source, replica):
        scene.stop_channel(replica)
        link = scene.wait_link(
            lambda now: any(f["code"] == "semi_sync_waits" and f["severity"] == "blocker" for f in now["findings"]),
            "the wait to be told",
        )
        assert {scene.reach(node) for node in scene.nodes()} == {"up"}
        assert (link["primary_action"] or {}).get("kind") != "failover", link["primary_action"]

        moved(scene, scene.other(source), scene.other(replica))

        scene.wait_writes(site="a")
        scene.judge()
