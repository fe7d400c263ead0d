"""A channel whose transactions lose a conflict with writes on a neighbour: told by the counters, and started again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import MySQLdb
import pytest

from deploy.lab.server.database import rows
from tests.galera.console import Json, describe
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

TABLE = "bank.contended"
RETRIES = "SET GLOBAL slave_transaction_retries = {}"


def test_channel_lost_a_conflict__certification_named_and_no_state_transfer__started_again(scene: Scene) -> None:
    source, replica = scene.pair()
    scene.sql(source, f"CREATE TABLE IF NOT EXISTS {TABLE} (id INT PRIMARY KEY, of_source BIGINT, of_neighbour BIGINT)")
    scene.sql(source, f"INSERT IGNORE INTO {TABLE} VALUES (1, 0, 0)")
    neighbour = scene.other(replica)
    wait_for(lambda: scene.sql(neighbour, "SHOW TABLES IN bank LIKE 'contended'"), "the table to arrive")
    wait_for(lambda: scene.sql(neighbour, f"SELECT * FROM {TABLE}"), "its row to arrive")
    retries = scene.sql(replica, "SELECT @@global.slave_transaction_retries AS n")[0]["n"]
    scene.sql(replica, RETRIES.format(0))
    try:
        with changed_again(scene, source, "of_source"), changed_again(scene, neighbour, "of_neighbour"):
            scene.wait_link(is_stopped, "the channel to lose a conflict", 120)
    finally:
        scene.sql(replica, RETRIES.format(retries))

    scene.look_again(replica)
    plan = scene.console.plan("start_channel")
    (cause,) = [one["message"] for one in plan["findings"] if one["code"] == "channel_stop_cause"]
    assert "conflict with a write on another node" in cause, cause
    assert "A state transfer may have stopped the channel." not in cause, cause
    scene.look_again()
    passed = scene.not_on_both_sides()  # the server may stop behind the transaction that lost, and never apply it
    run = scene.console.run_planned("start_channel")
    if run["state"] != "succeeded":  # both clients changed the row: it may differ at the very place
        assert "the transactions at the resume position differ on" in run["outcome"], describe(run)
        assert scene.console.change("POST", f"/runs/{run['id']}/abort").status == 200
        run = scene.console.wait_run(run["id"])
    assert not any(is_stopped_on(one) for one in scene.console.link()["channels"]), describe(run)
    assert [one["gtid"] for _, one in scene.not_on_both_sides()] == [one["gtid"] for _, one in passed]
    scene.settle_transactions()  # later changes of that row bring what it had set
    scene.settle_settings()  # both clients changed that row: a transaction of it was applied on other values
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    scene.sql(source, f"DROP TABLE {TABLE}")
    scene.judge()


def is_stopped(link: Json) -> bool:
    return any(one["direction"] == "forward" and is_stopped_on(one) for one in link["channels"])


def is_stopped_on(channel: Json) -> bool:
    return bool(channel["sql_running"] == "No")


@contextmanager
def changed_again(scene: Scene, node: str, column: str) -> Iterator[None]:
    """One row, again and again, by a client of that node; a conflict that the client loses is its own."""
    stop = threading.Event()

    def change() -> None:
        with scene.stack.lab.admin(node) as session:
            while not stop.wait(0.005):
                try:
                    rows(session, f"UPDATE {TABLE} SET {column} = {column} + 1 WHERE id = 1")
                    session.commit()
                except MySQLdb.Error:
                    session.rollback()

    client = threading.Thread(target=change)
    client.start()
    try:
        yield
    finally:
        stop.set()
        client.join()
