"""A release that may end when its channels are read while one changes: the console asks nothing of them meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from deploy.lab.server.database import rows
from tests.galera.console import describe, sentences
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

SERVER = "mariadb-11.4"
COUNTERS_DIFFER = False
TABLE = "bank.held"
POLLS, READS = "AS now_s", "SHOW ALL SLAVES STATUS"


@pytest.mark.whole
def test_relocate__stop_waits_for_its_applier__polls_go_on_and_nothing_reads_the_channels(scene: Scene) -> None:
    """The stop waits for an applier that waits for a table: without the rule each poll of a second falls into it."""
    source, replica = scene.pair()
    scene.sql(source, f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, v INT)")
    scene.sql(source, f"INSERT INTO {TABLE} VALUES (1, 1)")
    scene.stop_writes()
    assert scene.sql(replica, f"SELECT v FROM {TABLE}") == [{"v": 1}]
    scene.watch_statements()
    wait_for(lambda: READS in scene.statement_log(replica), "the channels to be read while nothing changes them")
    target = scene.other(replica)
    with table_held(scene, replica):
        scene.sql(source, f"UPDATE {TABLE} SET v = 2")
        wait_for(lambda: waits_for_the_table(scene, replica), "the applier to wait for the table", pause_s=0.1)
        plan = scene.console.plan("relocate", replica_node=scene.console.node_id(target))
        assert plan["state"] == "ready", sentences(plan)
        answer = scene.console.start(plan)
        assert answer.status == 202, answer
        wait_for(lambda: stop_runs(scene, replica), "the stop to wait", pause_s=0.05)
        before = len(scene.statement_log(replica))
        wait_for(lambda: scene.statement_log(replica)[before:].count(POLLS) >= 3, "three polls meanwhile", pause_s=0.1)
        assert stop_runs(scene, replica), "the stop did not wait"
        assert READS not in scene.statement_log(replica)[before:]
    run = scene.console.wait_run(answer.body["id"])
    assert run["state"] == "succeeded", describe(run)
    assert scene_pair(run) == (source, target)
    scene.write_on()
    scene.judge()


@contextmanager
def table_held(scene: Scene, node: str) -> Iterator[None]:
    """A client has locked it. A stop ends an applier that waits for a row, and waits for one that waits for a table."""
    with scene.stack.lab.admin(node, 600) as session:
        rows(session, f"LOCK TABLES {TABLE} WRITE")
        try:
            yield
        finally:
            rows(session, "UNLOCK TABLES")


def waits_for_the_table(scene: Scene, node: str) -> bool:
    waiting = "SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for table metadata%'"
    return bool(scene.sql(node, waiting)[0]["n"])


def stop_runs(scene: Scene, node: str) -> bool:
    under_way = "SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE INFO REGEXP '^(BEGIN|STOP).*SLAVE'"
    return bool(scene.sql(node, under_way)[0]["n"])
