"""What a failover is said to have cost: counted once the relay log was applied, beside the bound of its plan."""

from __future__ import annotations

from deploy.lab.server.database import rows
from tests.galera.console import Json, describe, sentences
from tests.galera.scene import Scene
from tests.galera.sites import begin, lose_site, reprotect, restart_site, switch
from tests.support.waiting import wait_for

TABLE = "bank.owed_by_the_relay_log"
OWED = 60


def test_failover__what_was_owed_stood_in_the_relay_log__bound_planned_and_nothing_lost(scene: Scene) -> None:
    begin(scene)
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.stop_writes()
    source, replica = scene.pair()
    scene.sql(source, f"CREATE TABLE IF NOT EXISTS {TABLE} (id INT PRIMARY KEY)")
    arrived = f"SELECT 1 FROM information_schema.TABLES WHERE CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) = '{TABLE}'"
    wait_for(lambda: scene.sql(replica, arrived), "the table to arrive")
    scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] == 0, "the standby to have everything")
    with scene.stack.lab.admin(replica, 90) as reading:
        rows(reading, f"LOCK TABLES {TABLE} READ")  # the channel waits behind it, as behind a long query
        for number in range(OWED):
            scene.sql(source, f"INSERT INTO {TABLE} VALUES ({number})")
        scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] == OWED, "the gap to be counted")
        lose_site(scene, lost)
        fenced = [scene.console.node_id(name) for name in lost]
        plan = scene.console.plan("failover", attest_fenced=fenced, accept_loss=True)
        assert plan["loss"]["transactions"] == OWED, sentences(plan)
        started = scene.console.start(plan)
        assert started.status == 202, started
    run = scene.console.wait_run(started.body["id"])
    assert run["state"] == "succeeded", describe(run)
    assert scene.sql(replica, f"SELECT COUNT(*) AS n FROM {TABLE}")[0]["n"] == OWED
    scene.wait_link(lambda now: now["state"] == "failed_over", "the failover to be seen")
    loss = scene.console.link()["divergence"]["loss"]
    assert (loss["transactions"], loss["planned_transactions"]) == (0, OWED), loss
    (step,) = [step for step in run["steps"] if step["code"] == "record_divergence"]
    assert f"a loss of at most {OWED:,} transactions; after the drain 0 known transactions were lost" in step["outcome"]

    restart_site(scene)
    scene.wait_link(_is_fenced, "the returned side to be fenced")
    reprotect(scene)
    switch(scene, "failback")
    scene.sql(source, f"DROP TABLE {TABLE}")


def _is_fenced(link: Json) -> bool:
    """Whether the console has fenced what returned, by a run of its own."""
    return bool((link["divergence"]["returned"] or {}).get("fenced_at"))
