"""The usual way out of a whole site's outage: the active side is bootstrapped again, and its new history accepted."""

from __future__ import annotations

import pytest

from deploy.lab import cluster
from tests.galera.console import Json, assert_refused, describe, refusals, sentences
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.sites import begin
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

STATE_FILES = ("grastate.dat", "gvwstate.dat")


def bootstrap_anew(scene: Scene, first: str) -> None:
    """kill -9 of the active side's nodes; one begins a new history, the others join it by state transfer."""
    lab = scene.stack.lab
    side = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.kill(*side)
    for name in side:
        for file in STATE_FILES:
            (lab.paths.datadir(name) / file).unlink(missing_ok=True)
    cluster.launch(lab.ground, lab.node(first), "--wsrep-new-cluster")
    cluster.wait_synced(lab.ground, [lab.node(first)])
    for name in side:
        if name != first:
            lab.start(name)
    wait_for(lambda: all(scene.reach(name) == "up" for name in side), "all nodes to be seen")


def planned_while_cut(scene: Scene) -> Json:
    """A failover is planned while the sites cannot reach each other: that both have one history is not shown."""
    scene.stack.lab.cut("a-b")
    try:
        scene.wait_link(lambda now: now["channels"][0]["io_running"] != "Yes", "the cut to show")
        return scene.console.plan("failover", accept_loss=True)
    finally:
        scene.stack.lab.heal()


def test_active_side__bootstrapped_anew__not_protected_until_its_history_is_proven_and_accepted(scene: Scene) -> None:
    begin(scene)
    scene.stop_writes()
    scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] == 0, "the standby to have everything")
    source, replica = scene.pair()
    bootstrap_anew(scene, source)
    scene.stack.lab.load_start(scene.load)
    offered = scene.wait_link(
        lambda now: (now["primary_action"] or {}).get("kind") == "accept_state_uuid", "the action to be offered"
    )
    assert offered["state"] != "protected"
    parted = planned_while_cut(scene)
    assert_refused(parted, "active_site_lives", "was bootstrapped again and has another history")
    assert "network partition" not in sentences(parted)
    assert "state_uuid_changed" in {finding["code"] for finding in offered["findings"]}
    other_nodes = {
        "source_node": scene.console.node_id(scene.other(source)),
        "replica_node": scene.console.node_id(scene.other(replica)),
    }
    assert "state_uuid_changed" in refusals(scene.console.plan(**other_nodes))

    wait_for(lambda: not refusals(scene.console.plan("accept_state_uuid")), "the stream to be provable", pause_s=1.0)
    run = scene.console.run_planned("accept_state_uuid")
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    assert scene_pair(run) == (source, replica)
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    scene.judge()

    switchover = scene.console.plan("switchover", allow_long_transactions=True)
    assert switchover["state"] == "ready", sentences(switchover)
    assert scene_pair(scene.console.relocate(replica_node=other_nodes["replica_node"]))[1] == scene.other(replica)
    scene.judge()
