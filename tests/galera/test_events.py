"""Events of the event scheduler at a switchover and at a failover: they run on one node, of the active side."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.galera.console import Json, describe, refusals
from tests.galera.scene import Scene, granted
from tests.galera.sites import fail_over, lose_site, reprotect, restart_site, switch
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported
EVENT = "bank.tick"
PRIVILEGES = "EVENT, SET USER"


@pytest.fixture
def scheduled(scene: Scene) -> Iterator[Scene]:
    """Schedulers run everywhere, and one event writes each second on the source; its definer is another account."""
    source, replica = scene.pair()
    for node in scene.nodes():
        scene.sql(node, "SET GLOBAL event_scheduler = ON")
    scene.sql(source, "CREATE TABLE IF NOT EXISTS bank.ticks (id BIGINT AUTO_INCREMENT PRIMARY KEY, node INT)")
    scene.sql(source, "GRANT INSERT, EVENT ON bank.* TO 'ticker'@'%' IDENTIFIED BY 'a-Password-of-31'")
    scene.sql(
        source,
        f"CREATE OR REPLACE DEFINER='ticker'@'%' EVENT {EVENT} ON SCHEDULE EVERY 1 SECOND"
        " DO INSERT INTO bank.ticks (node) VALUES (@@server_id)",
    )
    wait_for(lambda: scene.sql(replica, "SHOW EVENTS IN bank LIKE 'tick'"), "the event to arrive")
    yield scene
    for node in filter(scene.is_up, scene.nodes()):
        scene.sql(node, "SET GLOBAL event_scheduler = OFF")
    scene.sql(scene.pair()[0], f"DROP EVENT IF EXISTS {EVENT}")


def statuses(scene: Scene) -> dict[str, str]:
    """Of the event, on every node that runs."""
    asked = "SELECT status, definer FROM mysql.event WHERE db = 'bank' AND name = 'tick'"
    rows = {node: scene.sql(node, asked)[0] for node in scene.nodes() if scene.is_up(node)}
    assert {row["definer"] for row in rows.values()} == {"ticker@%"}
    return {node: str(row["status"]) for node, row in rows.items()}


def runs_alone(scene: Scene, node: str) -> bool:
    """Whether it is enabled on that node and on no other."""
    return {name for name, status in statuses(scene).items() if status == "ENABLED"} == {node}


def finding(found: Json, code: str) -> Json | None:
    """The finding of that code."""
    return next((one for one in found["findings"] if one["code"] == code), None)


def test_active_side_changes__event_runs__on_one_node_of_the_active_side_or_shown_until_it_does(
    scheduled: Scene,
) -> None:
    scene = scheduled
    source, replica = scene.pair()
    left = finding(scene.console.plan("switchover"), "events_left")
    assert left is not None
    assert "SET USER" in left["message"]
    switched(scene, replica)
    left_and_enabled_by_hand(scene, source)
    scene.stop_writes()
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    with granted(scene, replica, PRIVILEGES):
        lose_site(scene, lost)
        fail_over(scene, lost, events="switch", accept_loss=True)
    wait_for(lambda: runs_alone(scene, replica), f"the event to run on {replica} alone", seen=lambda _: statuses(scene))
    restart_site(scene)
    attached_again(scene)
    wait_for(lambda: runs_alone(scene, replica), "it to run on no returned node", seen=lambda _: statuses(scene))
    scene.write_on()
    scene.judge()


def switched(scene: Scene, replica: str) -> None:
    """The run lets it run on the other side: what it writes there comes back by the channel."""
    source, _ = scene.pair()
    with granted(scene, source, PRIVILEGES):
        wait_for(lambda: not refusals(scene.console.plan("switchover", events="switch")), "the privileges to arrive")
        run = scene.console.run_planned("switchover", events="switch")
    assert run["state"] == "succeeded", describe(run)
    assert finding(scene.console.get(f"/plans/{run['plan_id']}"), "events_switched")
    wait_for(lambda: runs_alone(scene, replica), f"the event to run on {replica} alone", seen=lambda _: statuses(scene))
    ticks = f"SELECT COUNT(*) AS n FROM bank.ticks WHERE node = {server_id(scene, replica)}"
    wait_for(lambda: scene.sql(source, ticks)[0]["n"] > 0, "what it writes to come to the other side")
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")


def left_and_enabled_by_hand(scene: Scene, node: str) -> None:
    """Left as it is, it runs on no node of the active side; the statement that the link shows lets it."""
    switch(scene, "failback", events="leave")
    link = scene.wait_link(lambda now: finding(now, "events_not_enabled"), "the link to show what runs nowhere", 120)
    shown = finding(link, "events_not_enabled")
    assert shown is not None
    assert shown["facts"]["node"] == node
    scene.sql(node, shown["remedy"].split(": ", 1)[1].split("; ")[0])
    wait_for(lambda: runs_alone(scene, node), f"it to run on {node} alone", seen=lambda _: statuses(scene))
    scene.wait_link(lambda now: not finding(now, "events_not_enabled"), "the link to show it no more", 120)


def attached_again(scene: Scene) -> None:
    """What the event wrote in the last moment, and nobody received, is undone."""
    run = scene.console.run_planned("reprotect", orphans="fence")
    assert run["state"] == "succeeded", describe(run)
    is_owed = "orphans_found" in refusals(scene.console.plan("reprotect"))
    reprotect(scene, **({"orphans": "undo"} if is_owed else {}))


def server_id(scene: Scene, node: str) -> int:
    """The node's id."""
    return int(scene.sql(node, "SELECT @@server_id AS id")[0]["id"])
