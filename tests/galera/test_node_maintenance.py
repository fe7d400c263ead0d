"""A node is stopped and started by an operator during its maintenance; the console sees how it returned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from backend.core.adviser.node_absence.cache import HEADER_BYTES, size_of
from deploy.lab.server.database import rows
from tests.galera.console import describe, refusals, sentences
from tests.galera.scene import Scene
from tests.support.waiting import wait_for


def maintenance(scene: Scene, node: str) -> dict[str, Any]:
    """The newest of the node's cluster."""
    cluster_id = scene.console.get(f"/nodes/{scene.console.node_id(node)}")["cluster_id"]
    return dict(scene.console.get(f"/clusters/{cluster_id}/node-maintenances")["results"][0])


def wait_stage(scene: Scene, node: str, stage: str, limit_s: float) -> None:
    """Until the maintenance stands there."""
    wait_for(lambda: maintenance(scene, node)["stage"] == stage, f"the maintenance to be {stage}", limit_s, pause_s=0.5)


def wait_ready(scene: Scene, options: dict[str, Any]) -> None:
    """The write rate is known once the monitor has counted for a minute."""
    wait_for(
        lambda: not refusals(scene.console.plan("node_maintenance", **options)),
        "the plan to be ready",
        240,
        pause_s=5.0,
    )


def absence(scene: Scene, node: str) -> dict[str, Any]:
    """What the console says of the node's return."""
    cluster_id = scene.console.get(f"/nodes/{scene.console.node_id(node)}")["cluster_id"]
    nodes = scene.console.get(f"/clusters/{cluster_id}/node-absence")["nodes"]
    return next(dict(one) for one in nodes if one["name"] == node)


def test_maintenance__node_stopped_and_started__seen_as_ist_and_an_emergency_stays_possible(scene: Scene) -> None:
    source, _ = scene.pair()
    node = scene.other(source)
    options = {"maintenance_node": scene.console.node_id(node), "max_minutes": 30, "accept_sst": True}
    held = scene.console.plan("node_maintenance", **{**options, "maintenance_node": scene.console.node_id(source)})
    assert "maintenance_node_has_channel" in refusals(held), sentences(held)
    wait_ready(scene, options)
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


class Donor:
    """A node that stays: its gcache, and the bytes and number of write-sets that it has seen."""

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._name = scene, name
        options = scene.stack.lab.sql(name, "SELECT @@GLOBAL.wsrep_provider_options AS text")[0]["text"]
        size = size_of(str(options).partition("gcache.size = ")[2].partition(";")[0])
        assert isinstance(size, int)
        self.size = size

    def number(self, name: str) -> int:
        """A counter of `SHOW STATUS`."""
        return int(self._scene.stack.lab.sql(self._name, f"SHOW GLOBAL STATUS LIKE 'wsrep_{name}'")[0]["Value"])

    def filled(self) -> int:
        """Bytes that all write-sets so far take in a gcache, by the law that the forecast rests on."""
        sets, size = (self.number(f"replicated{part}") + self.number(f"received{part}") for part in ("", "_bytes"))
        return size + HEADER_BYTES * sets


@contextmanager
def bulk(scene: Scene, node: str) -> Iterator[Any]:
    """Writes one row of 64 KiB at a time; removed at the end, on both sides."""
    insert = "INSERT INTO hawser_bulk.rows (body) VALUES (REPEAT(RANDOM_BYTES(1024), 64))"
    with scene.stack.lab.admin(node, 60) as connection:
        rows(connection, "CREATE DATABASE hawser_bulk")
        rows(connection, "CREATE TABLE hawser_bulk.rows (id INT AUTO_INCREMENT PRIMARY KEY, body MEDIUMBLOB)")
        try:
            yield lambda: rows(connection, insert)
        finally:
            rows(connection, "DROP DATABASE hawser_bulk")


@pytest.mark.whole
def test_maintenance__away_beyond_the_capacity__sst_said_beforehand_and_within_two_percent(scene: Scene) -> None:
    source, _ = scene.pair()
    node = scene.other(source)
    options = {"maintenance_node": scene.console.node_id(node), "max_minutes": 30, "accept_sst": True}
    wait_ready(scene, options)
    run = scene.console.run_planned("node_maintenance", **options)
    assert run["state"] == "succeeded", describe(run)
    lab, donor = scene.stack.lab, Donor(scene, source)
    log = lab.paths.log(node)
    begins = log.stat().st_size
    lab.stop(node)
    wait_stage(scene, node, "away", 40)
    assert absence(scene, node)["verdict"] == "ist"
    left, filled = donor.number("last_committed"), donor.filled()

    with bulk(scene, source) as write:
        while donor.number("local_cached_downto") <= left + 1:
            write()
        taken = donor.filled() - filled
        wait_for(
            lambda: absence(scene, node)["verdict"] == "sst", "the console to say that an SST is needed", pause_s=0.5
        )

    assert maintenance(scene, node)["time_left"]["seconds"] == 0, "nothing is left, and said before the node starts"
    assert abs(taken / donor.size - 1) < 0.02, f"{taken:,} bytes of write-sets in a gcache of {donor.size:,}"
    lab.start(node)
    wait_stage(scene, node, "ended", 180)
    found = maintenance(scene, node)
    assert found["result"] == "sst", found["sentence"]
    assert re.search(r"by SST, by the rule: .* Not contradicted", found["sentence"]), found["sentence"]
    written = log.read_bytes()[begins:].decode(errors="replace")
    assert "SST completed on joiner" in written, "the server's own log says otherwise"
    scene.judge()
