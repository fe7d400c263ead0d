"""A side is lost after a transaction of it was passed over by the channel: it comes back with a proof all the same."""

from __future__ import annotations

import pytest

from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.galera.sites import begin, fail_over, lose_site, restart_site, switch
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported
VARIANT = "gtid"
TABLE = "bank.passed_over"


def numbers(scene: Scene, node: str) -> list[int]:
    """Those of the table, which has no key."""
    if not scene.sql(node, "SHOW TABLES FROM bank LIKE 'passed_over'"):
        return []
    return [row["n"] for row in scene.sql(node, f"SELECT n FROM {TABLE} ORDER BY n")]


def pass_over(scene: Scene, number: int) -> None:
    """A row that the channel is led past by hand, and one behind it that arrives."""
    source, replica = scene.pair()
    scene.stop_channel(replica)
    before = scene.sql(source, "SELECT @@gtid_binlog_pos AS p")[0]["p"]
    scene.sql(source, f"INSERT INTO {TABLE} VALUES ({number})")
    after = set(scene.sql(source, "SELECT @@gtid_binlog_pos AS p")[0]["p"].split(",")) - set(before.split(","))
    moved = {gtid.split("-")[0]: gtid for gtid in after}
    known = {gtid.split("-")[0]: gtid for gtid in scene.sql(replica, "SELECT @@gtid_slave_pos AS p")[0]["p"].split(",")}
    scene.sql(replica, f"SET GLOBAL gtid_slave_pos='{','.join((known | moved).values())}'")
    scene.start_channel(replica)
    scene.sql(source, f"INSERT INTO {TABLE} VALUES ({number + 1})")
    wait_for(lambda: number + 1 in numbers(scene, replica), "what follows to arrive")


def settle(scene: Scene, number: int) -> None:
    """The row is brought in on each node that lacks it, in no log, and a person says so."""
    for node in (name for name in scene.nodes() if scene.is_up(name) and number not in numbers(scene, name)):
        with scene.stack.lab.admin(node) as session, session.cursor() as cursor:
            cursor.execute("SET SESSION wsrep_on=OFF, sql_log_bin=0")
            cursor.execute(f"INSERT INTO {TABLE} VALUES ({number})")
            session.commit()
    scene.settle_transactions()


@pytest.mark.parametrize("when", ["before", "after"])
def test_side_lost_after_a_transaction_was_passed_over__comes_back_proven(scene: Scene, when: str) -> None:
    begin(scene)
    scene.stop_writes()
    source, replica = scene.pair()
    scene.sql(source, f"CREATE TABLE {TABLE} (n INT)")
    wait_for(lambda: scene.sql(replica, "SHOW TABLES FROM bank LIKE 'passed_over'"), "the table to arrive")
    scene.look_again()
    pass_over(scene, 1)
    scene.wait_link(lambda _: scene.not_on_both_sides(), "what was passed over to be named")
    if when == "before":
        settle(scene, 1)
    scene.look_again()
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    lose_site(scene, lost)
    fail_over(scene, lost, accept_loss=True)
    restart_site(scene)
    run = scene.console.run_planned("reprotect", orphans="fence")
    assert run["state"] == "succeeded", describe(run)
    scanned = scene.console.call("POST", f"/links/{scene.console.link()['id']}/orphans/scan", {}).body
    assert scanned["state"] == "none", scanned
    assert ("but for 1 transaction that its channel passed" in scanned["detail"]) is (when == "after"), scanned
    run = scene.console.run_planned("reprotect", limit_s=400)
    assert (run["state"], run["verification"]["verdict"]) == ("succeeded", "verified"), run["verification"]
    if when == "after":
        scene.wait_link(lambda now: now["state"] == "degraded", "the link to be attached")
        settle(scene, 1)
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    switch(scene, "failback")
    assert {tuple(numbers(scene, name)) for name in scene.nodes()} == {(1, 2)}
    scene.sql(scene.pair()[0], f"DROP TABLE {TABLE}")
    scene.judge()
