"""A move behind one transaction of 4.6 GB, which ends beyond what the dump protocol can name.

Four nodes and 35 GB of disk at the most. The transaction rewrites 32 rows of 1 MB again and again, so that it is large
in the logs and small in the tables. Galera takes it in fragments only.
`HAWSER_LAB_SERVER=mariadb-11.8` runs this on that release.
"""

from __future__ import annotations

import shutil
import threading
import time
from typing import Any

import pytest

from tests.galera.console import Json, assert_refused, refusals, sentences
from tests.galera.moved_contents import move
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.whole, pytest.mark.timeout(2700)]
VARIANT = "classic"
PASSES, ROWS, ROW_BYTES = 72, 32, 10**6
"""An UPDATE logs each row before and after it."""
DISK_BYTES = 40 * 10**9
PATIENCE_S = 1200
FRAGMENT = 16 * 2**20
RELAXED = {
    "wsrep_trx_fragment_size": FRAGMENT,
    "innodb_flush_log_at_trx_commit": 0,
    "innodb_log_file_size": 2**29,
    "innodb_compression_level": 1,
    "sync_binlog": 0,
}
FRAGMENTS_COMPRESSED = (
    "SET SESSION wsrep_on = OFF",
    "SET SESSION sql_log_bin = 0",
    "ALTER TABLE mysql.wsrep_streaming_log PAGE_COMPRESSED = 1",
)
TABLES = (
    "CREATE TABLE bank.k_huge (id INT PRIMARY KEY, n INT NOT NULL, v LONGTEXT)",
    "CREATE TABLE bank.k_small (id INT PRIMARY KEY)",
    f"INSERT INTO bank.k_huge SELECT seq, 0, REPEAT('h', {ROW_BYTES}) FROM bank.seq_1_to_{ROWS}",
)


def carry_out(scene: Scene, node: str, *statements: str) -> None:
    """In one session; a huge one may take its time."""
    with scene.stack.lab.admin(node, PATIENCE_S) as connection:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)


def replicated(scene: Scene, node: str) -> int:
    """Write-sets that the node has sent."""
    return int(scene.sql(node, "SHOW GLOBAL STATUS LIKE 'wsrep_replicated'")[0]["Value"])


def write_huge(scene: Scene, node: str) -> None:
    """One transaction of 4.6 GB; a small one of the node alone joins its group commit, and so its file."""
    scene.sql(node, "SET GLOBAL binlog_commit_wait_count = 2")
    scene.sql(node, "SET GLOBAL binlog_commit_wait_usec = 600000000")
    carry = ["UPDATE bank.k_huge SET n = n + 1"] * PASSES
    with scene.stack.lab.admin(node, PATIENCE_S) as connection:
        cursor = connection.cursor()
        for statement in (f"SET SESSION wsrep_trx_fragment_size = {FRAGMENT}", "START TRANSACTION", *carry):
            cursor.execute(statement)
        before = replicated(scene, node)

        def follow() -> None:
            wait_for(lambda: replicated(scene, node) > before, "the last fragment to be sent", PATIENCE_S)
            time.sleep(5)  # it waits for company in the group commit
            carry_out(scene, node, "SET SESSION wsrep_on = OFF", "INSERT INTO bank.k_small VALUES (1)")

        follower = threading.Thread(target=follow)
        follower.start()
        cursor.execute("COMMIT")
        follower.join()
    scene.sql(node, "SET GLOBAL binlog_commit_wait_count = 0")


def applied(scene: Scene, node: str) -> bool:
    """Whether the node holds the huge transaction, once."""
    rows = scene.sql(node, "SELECT COUNT(*) AS c, MIN(n) AS least, MAX(n) AS most FROM bank.k_huge")
    return bool(rows == [{"c": ROWS, "least": PASSES, "most": PASSES}])


def longest_file(scene: Scene, node: str) -> dict[str, Any]:
    """The file of the node's log that is longest."""
    return max(scene.sql(node, "SHOW BINARY LOGS"), key=lambda file: int(file["File_size"]))


def prepare(scene: Scene, replica: str) -> None:
    """The replica's side has one node left; fragments are kept compressed, on every node.

    The channel's thread takes the size of fragments as it starts: one that ran already stops at 2 GiB, with no error.
    """
    for name in [name for name in scene.nodes() if name.startswith(replica[:4]) and name != replica]:
        scene.stack.lab.stop(name)
    for name in filter(scene.is_up, scene.nodes()):
        carry_out(scene, name, *FRAGMENTS_COMPRESSED)
        for option, value in RELAXED.items():
            scene.sql(name, f"SET GLOBAL {option} = {value}")
    channel = scene.sql(replica, "SHOW ALL SLAVES STATUS")[0]["Connection_name"]
    carry_out(scene, replica, f"STOP SLAVE '{channel}'", f"START SLAVE '{channel}'")


def plan_onto(scene: Scene, source: str, replica: str) -> Json:
    """A plan for these nodes, made again while a busy machine leaves one of them unread."""
    ids = {"source_node": scene.console.node_id(source), "replica_node": scene.console.node_id(replica)}

    def settled() -> Json | None:
        plan = scene.console.plan(**ids)
        return None if "channels_unknown" in refusals(plan) else plan

    return dict(wait_for(settled, "all channels to be read", 120))


def test_relocate__behind_a_transaction_of_4_6_gb__next_file_or_refused_by_name(scene: Scene) -> None:
    if shutil.disk_usage(scene.stack.lab.paths.home).free < DISK_BYTES:
        pytest.skip(f"needs {DISK_BYTES // 10**9} GB of disk")
    source, replica = scene.pair()
    candidate = scene.other(source)
    third = scene.other(source, than=(candidate,))
    scene.stack.is_given_up = True
    scene.stop_writes()
    prepare(scene, replica)
    carry_out(scene, source, *TABLES)
    write_huge(scene, candidate)
    wait_for(lambda: applied(scene, replica), "the replica to apply it", PATIENCE_S, pause_s=1)
    assert all(longest_file(scene, name)["File_size"] > 2**32 for name in (source, candidate, third, replica))
    scene.wait_link(lambda now: now["state"] == "degraded", "two nodes down to be all that is wrong", 300)
    scene.kill(source)

    followed = plan_onto(scene, candidate, replica)
    assert_refused(followed, "position_beyond_4_gib", "another transaction follows")

    plan = plan_onto(scene, third, replica)
    assert plan["state"] == "ready", sentences(plan)
    forward = next(position for position in plan["positions"] if position["node_name"] == third)
    assert forward["position"] == 4, forward
    move(scene, plan, replica)
