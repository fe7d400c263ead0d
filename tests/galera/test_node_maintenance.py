"""A node is stopped and started by an operator during its maintenance; the console sees how it returned."""

from __future__ import annotations

import re
from typing import Any

from tests.galera.console import describe, refusals, sentences
from tests.galera.scene import Scene
from tests.galera.stack import wait_for


def maintenance(scene: Scene, node: str) -> dict[str, Any]:
    """The newest of the node's cluster."""
    cluster_id = scene.console.get(f"/nodes/{scene.console.node_id(node)}")["cluster_id"]
    return dict(scene.console.get(f"/clusters/{cluster_id}/node-maintenances")["results"][0])


def wait_stage(scene: Scene, node: str, stage: str, limit_s: float) -> None:
    """Until the maintenance stands there."""
    wait_for(lambda: maintenance(scene, node)["stage"] == stage, limit_s, f"the maintenance to be {stage}", 0.5)


def test_maintenance__node_stopped_and_started__seen_as_ist_and_an_emergency_stays_possible(scene: Scene) -> None:
    source, _ = scene.pair()
    node = scene.other(source)
    options = {"maintenance_node": scene.console.node_id(node), "max_minutes": 30, "accept_sst": True}
    held = scene.console.plan("node_maintenance", **{**options, "maintenance_node": scene.console.node_id(source)})
    assert "maintenance_node_has_channel" in refusals(held), sentences(held)
    # The write rate is known once the monitor has counted for a minute.
    wait_for(lambda: not refusals(scene.console.plan("node_maintenance", **options)), 240, "the plan to be ready", 5.0)
    scene.watch_statements()

    run = scene.console.run_planned("node_maintenance", **options)

    assert run["state"] == "succeeded", describe(run)
    assert scene.seen_statements() == [], "MariaDB's provider cannot freeze"
    log = scene.stack.lab.paths.log(node)
    begins = log.stat().st_size
    scene.stack.lab.stop(node)
    wait_stage(scene, node, "away", 40)
    assert maintenance(scene, node)["time_left"] is not None
    assert "run_unfinished" not in refusals(scene.console.plan("failover"))
    scene.stack.lab.start(node)
    wait_stage(scene, node, "ended", 90)
    found = maintenance(scene, node)
    assert found["result"] == "ist", found["sentence"]
    assert re.search(r"by the rule: .* Not contradicted", found["sentence"]), found["sentence"]
    written = log.read_bytes()[begins:].decode(errors="replace")
    assert "Receiving IST: " in written, "the server's own log says otherwise"
    assert "SST completed on joiner" not in written
    scene.judge()
