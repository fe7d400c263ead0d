"""What a failover is said to cost: at least so many before it is confirmed, exactly once the lost side returned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deploy.lab.server.database import rows
from tests.galera.console import Json, describe, refusals, sentences
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.sites import begin, fail_over, fence_and_list, lose_site, reprotect, restart_site, switch
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

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
    assert f"The plan counted {OWED:,} known transactions not applied. After the drain every known" in step["outcome"]

    restart_site(scene)
    scene.wait_link(_is_fenced, "the returned side to be fenced")
    reprotect(scene)
    switch(scene, "failback")
    scene.sql(source, f"DROP TABLE {TABLE}")


def test_failover__site_dies_under_load_its_source_first__lower_bound_then_exact_then_replayed(scene: Scene) -> None:
    """The replica has applied more than was read of the source: its relay log tells from where its neighbours count."""
    begin(scene)
    scene.stop_writes()
    scene.write_on(replace(scene.load, sites=("a",), ddl_every=100_000.0, writers=2, rate=6.0))
    scene.look_again()
    source, _ = scene.pair()
    scene.kill(source)
    link = scene.wait_link(lambda now: now["channels"][0]["gap_transactions"], "the gap to be counted under load")
    assert link["state"] == "broken", link["sentence"]
    rest = [name for name in scene.nodes() if name.startswith("db-a") and name != source]
    scene.wait_writes(30, site="a")
    scene.look_again(*rest)
    lose_site(scene, rest)
    scene.stack.lab.load_stop()
    scene.wait_link(lambda now: now["channels"][0]["gap_at_least"], "the lower bound")
    lost = [source, *rest]
    plan = scene.console.plan("failover", attest_fenced=[scene.console.node_id(name) for name in lost])
    assert refusals(plan) == ["loss_not_accepted"], sentences(plan)
    stated = plan["loss"]
    assert (stated["is_exact"], stated["counted_by"]) == (False, "logs_read"), stated
    assert stated["at_least"] > 20, stated
    assert stated["read_at"], stated

    run = fail_over(scene, lost, accept_loss=True)
    assert run["loss"]["sentence"].startswith("At least "), run["loss"]
    counted = scene.console.link()["divergence"]["loss"]
    assert not counted["is_exact"], counted
    restart_site(scene)
    fence_and_list(scene)
    known = scene.console.link()["divergence"]["loss"]
    assert known["is_exact"], known
    assert 0 < counted["at_least"] <= known["orphaned"] <= 2 * counted["at_least"], (stated, counted, known)
    reprotect(scene, orphans="replay")
    scene.judge()
    entry = scene.console.get(f"/history/{run['id']}")
    assert f"{known['orphaned']:,} orphaned transactions: {known['orphaned']:,} replayed, 0 lost" in entry["sentence"]
    switch(scene, "failback")
    scene.heal()


def test_relocate__source_dies_under_load__the_gap_is_a_number(scene: Scene) -> None:
    """It was unknown for as long as it lasted: the replica had applied more than was last read of the source."""
    source, replica = scene.pair()
    scene.kill(source)
    scene.wait_link(lambda now: now["channels"][0]["gap_transactions"], "the gap to be counted under load")
    first = scene.console.link()["channels"][0]["gap_transactions"]
    scene.wait_writes(20, site="a")
    scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] >= first + 20, "the gap to grow with the writes")
    run = scene.console.relocate()
    assert scene_pair(run)[1] == replica
    scene.judge()


def _is_fenced(link: Json) -> bool:
    """Whether the console has fenced what returned, by a run of its own."""
    return bool((link["divergence"]["returned"] or {}).get("fenced_at"))
