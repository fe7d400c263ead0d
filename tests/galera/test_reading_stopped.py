"""A row larger than the replica accepts: the variable is named, and nothing is offered before it is set."""

from __future__ import annotations

import pytest

from tests.galera.console import Json, describe, refusals
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported
TOO_LARGE, SMALL, LARGEST = 1153, 1_048_576, 1_073_741_824
ROW_BYTES = 3_000_000


def io_thread(scene: Scene, node: str) -> tuple[str, int]:
    row = scene.sql(node, "SHOW ALL SLAVES STATUS")[0]
    return str(row["Slave_IO_Running"]), int(row["Last_IO_Errno"])


def reads(scene: Scene, node: str) -> bool:
    return io_thread(scene, node) == ("Yes", 0)


def test_row_larger_than_the_replica_accepts__named_and_started_once_the_variable_is_set(scene: Scene) -> None:
    source, replica = scene.pair()
    side = [name for name in scene.nodes() if name[:4] == replica[:4]]
    for node in side:
        scene.sql(node, f"SET GLOBAL slave_max_allowed_packet={SMALL}")
    scene.stop_channel(replica)
    scene.start_channel(replica)
    scene.sql(source, "CREATE TABLE IF NOT EXISTS bank.large (id INT PRIMARY KEY, v LONGBLOB)")
    scene.sql(source, f"INSERT INTO bank.large VALUES (1, REPEAT('x', {ROW_BYTES}))")
    wait_for(lambda: io_thread(scene, replica)[1] == TOO_LARGE, "the replica to stop reading")
    link = scene.wait_link(lambda now: now["state"] == "broken", "the link to be broken")
    assert link["primary_action"] is None, link["primary_action"]
    assert link["readiness"]["start_channel"]["state"] == "blocked", link["readiness"]
    assert link["readiness"]["relocate"]["state"] == "blocked", link["readiness"]
    (finding,) = [one for one in link["findings"] if one["code"] == "channel_broken"]
    assert f"slave_max_allowed_packet={LARGEST} on {replica}" in finding["remedy"], finding

    for kind in ("start_channel", "relocate"):
        plan = scene.console.plan(kind)
        assert "reading_would_stop_again" in refusals(plan), plan["findings"]
    assert reads(scene, source), "the reverse channel was touched"

    scene.stop_channel(source)
    link = scene.wait_link(is_start_offered, "the start of the reverse channel to be offered")
    assert link["primary_action"]["url_options"] == {"direction": "reverse"}, link["primary_action"]
    run = scene.console.run_planned("start_channel", direction="reverse")
    assert run["state"] == "succeeded", describe(run)
    assert reads(scene, source)
    assert scene.console.link()["primary_action"] is None, "the answer after a run shows what it changed"
    attested = {"source_node": scene.console.node_id(source), "replica_node": scene.console.node_id(replica)}
    refused = scene.console.plan("relocate", attest_error_over=True, **attested)
    assert refusals(refused) == ["replica_packet_smaller"], refused["findings"]
    assert reads(scene, source), "the reverse channel was touched"

    for node in side:
        scene.sql(node, f"SET GLOBAL slave_max_allowed_packet={LARGEST}")
    scene.wait_link(is_start_offered, "the start to be offered")
    run = scene.console.run_planned("start_channel")

    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    assert scene.console.link()["state"] == "protected", "the answer after a run shows what it changed"
    asked = "SELECT LENGTH(v) n FROM bank.large"
    for node in scene.nodes():
        wait_for(lambda node=node: [row["n"] for row in scene.sql(node, asked)] == [ROW_BYTES], f"the row on {node}")
    scene.judge()


def is_start_offered(link: Json) -> bool:
    return (link["primary_action"] or {}).get("kind") == "start_channel"
