"""Settings with which rows are lost or errors skipped: told while all is well, and no plan uses such a node."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.galera.console import Json, assert_refused
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

WAITS_FOR_ALL = 15
"""wsrep_sync_wait of every kind of statement, SHOW included."""


@contextmanager
def configured(scene: Scene, node: str, line: str) -> Iterator[None]:
    """The node restarted with one more line in its configuration, and without it afterwards."""
    config = next(scene.stack.lab.paths.home.rglob(f"{node}.cnf"))
    original = config.read_text()
    config.write_text(f"{original}\n[mysqld]\n{line}\n")
    try:
        _restart(scene, node)
        yield
    finally:
        config.write_text(original)
        if scene.is_up(node):
            _restart(scene, node)


def _restart(scene: Scene, node: str) -> None:
    scene.stack.lab.stop(node)
    scene.stack.lab.start(node)


def told(link: Json, code: str, node: str) -> Json | None:
    """The finding of a node on the link's page."""
    return next((one for one in link["findings"] if one["code"] == code and one["facts"].get("node") == node), None)


@pytest.mark.whole
def test_log_filter__on_the_next_source__told_before_the_loss_and_the_other_node_taken(scene: Scene) -> None:
    """The last groups stand in a schema that the log of the next source by name leaves out."""
    source, _ = scene.pair()
    filtered = scene.other(source)
    with configured(scene, filtered, "binlog_ignore_db=app2"):
        link = scene.wait_link(lambda now: told(now, "log_filter_set", filtered), "the filter to be told")
        assert "binlog_ignore_db=app2" in told(link, "log_filter_set", filtered)["message"]  # type: ignore[index]
        assert_refused(scene.console.plan(source_node=scene.console.node_id(filtered)), "log_filter_set", filtered)
        scene.sql(source, "CREATE DATABASE app2")
        scene.sql(source, "CREATE TABLE app2.t (id INT PRIMARY KEY)")
        for number in range(8):
            scene.sql(source, f"INSERT INTO app2.t VALUES ({number})")
        scene.kill(source)
        plan = scene.console.plan()
        assert plan["target"]["source_name"] not in (source, filtered), plan["findings"]
        scene.console.run(plan)
        replica = plan["target"]["replica_name"]
        wait_for(lambda: scene.sql(replica, "SELECT COUNT(*) AS n FROM app2.t")[0]["n"] == 8, "all rows to arrive")
    scene.judge()


@pytest.mark.whole
def test_replica_that_skips_errors__told_and_never_a_candidate(scene: Scene) -> None:
    """IDEMPOTENT on the next replica, then on the present one."""
    _, replica = scene.pair()
    other = scene.other(replica)
    scene.sql(other, "SET GLOBAL slave_exec_mode=IDEMPOTENT")
    try:
        scene.wait_link(lambda now: told(now, "errors_skipped", other), "the setting to be told")
        assert_refused(scene.console.plan(replica_node=scene.console.node_id(other)), "errors_skipped", other)
    finally:
        scene.sql(other, "SET GLOBAL slave_exec_mode=STRICT")
    scene.sql(replica, "SET GLOBAL slave_exec_mode=IDEMPOTENT")
    try:
        link = scene.wait_link(lambda now: now["state"] == "degraded", "the link to be degraded")
        assert f"{replica} has slave_exec_mode=IDEMPOTENT." in link["sentence"]
        scene.look_again(other)
        plan = scene.console.plan(replica_node=scene.console.node_id(other))
        assert "present_replica_setting" in [finding["code"] for finding in plan["findings"]]
        scene.console.run(plan)
    finally:
        scene.sql(replica, "SET GLOBAL slave_exec_mode=STRICT")
    scene.judge()


@pytest.mark.whole
def test_global_sync_wait__node_behind_a_lock__not_hung_and_no_failover_offered(scene: Scene) -> None:
    """Each SHOW of such a node waits until it has applied all that its cluster committed."""
    source, _ = scene.pair()
    held = scene.other(source)
    site = [name for name in scene.nodes() if name.startswith(held[:4])]
    for node in site:
        scene.sql(node, f"SET GLOBAL wsrep_sync_wait={WAITS_FOR_ALL}")
    seen: set[str] = set()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            seen.add(scene.reach(held))

    watcher = threading.Thread(target=watch)
    try:
        scene.look_again()
        with scene.stack.lab.admin(held) as connection:
            connection.cursor().execute("FLUSH TABLES WITH READ LOCK")
            watcher.start()
            for _ in range(4):
                link = scene.look_again(held)
            connection.cursor().execute("UNLOCK TABLES")
    finally:
        done.set()
        if watcher.ident is not None:
            watcher.join()
        for node in site:
            scene.sql(node, "SET GLOBAL wsrep_sync_wait=0")
    assert seen == {"up"}
    assert link["readiness"]["failover"]["state"] != "ready"
    scene.judge()
