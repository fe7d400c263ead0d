"""A channel that stopped automatically: started where it stands, or moved where that place is not proven."""

from __future__ import annotations

import pytest

from tests.galera.console import describe, refusals
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

LEFT_CLUSTER = 1047


def offered(scene: Scene, kind: str, limit_s: float = 40) -> dict[str, object]:
    """The link once it offers that kind."""
    return scene.wait_link(
        lambda now: (now["primary_action"] or {}).get("kind") == kind, f"{kind} to be offered", limit_s
    )


def sql_thread(scene: Scene, node: str) -> tuple[str, int]:
    """Whether it runs, and its error."""
    row = scene.sql(node, "SHOW ALL SLAVES STATUS")[0]
    return str(row["Slave_SQL_Running"]), int(row["Last_SQL_Errno"])


def test_start__sql_thread_stands_without_an_error_after_a_neighbour_came_back__only_start_slave_is_sent(
    scene: Scene,
) -> None:
    """The state that a state transfer may leave: I/O Yes, SQL No, errno 0, no text (seen by others in 3 of 3)."""
    _, replica = scene.pair()
    neighbour = scene.other(replica)
    scene.kill(neighbour)
    scene.stack.lab.start(neighbour)
    scene.sql(replica, "STOP SLAVE SQL_THREAD")
    assert sql_thread(scene, replica) == ("No", 0)
    link = offered(scene, "start_channel")
    assert link["state"] == "broken"
    (finding,) = [f for f in link["findings"] if f["code"] == "channel_stopped"]  # type: ignore[attr-defined]
    assert f"{neighbour} was started" in finding["message"], finding
    scene.watch_statements()

    run = scene.console.run_planned("start_channel")

    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    assert {text.split()[0] for _, text in scene.seen_statements()} == {"START", "REPLACE"}
    assert sql_thread(scene, replica) == ("Yes", 0)
    scene.judge()


@pytest.mark.whole
def test_start__replica_left_its_cluster_and_is_back__nothing_is_applied_twice(scene: Scene) -> None:
    """It stops on 1047; in two of six cases its own place lay one transaction behind its data.

    There START SLAVE by hand, or wsrep_restart_slave=ON, ends in 1062, or doubles rows without a unique key.
    """
    _, replica = scene.pair()
    scene.sql(replica, "SET GLOBAL wsrep_provider_options='gmcast.isolate=1'")
    wait_for(lambda: sql_thread(scene, replica)[1] == LEFT_CLUSTER, "the SQL thread to meet the expulsion", 90)
    scene.sql(replica, "SET GLOBAL wsrep_provider_options='gmcast.isolate=0'")
    offered(scene, "start_channel", 90)
    plan = scene.console.plan("start_channel")
    if plan["state"] == "ready":
        run = scene.console.run_planned("start_channel")
    else:
        assert refusals(plan) == ["place_not_last_applied"], plan["findings"]
        run = scene.console.relocate()
    assert run["state"] == "succeeded", describe(run)
    scene.judge()
