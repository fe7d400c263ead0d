"""A move whose seam is made of one kind of content: proven at the right place, or refused by name.

Each kind is described in tests/support/log_contents.py, and docs/reference/binary-log-contents.md shows the results.
`HAWSER_LAB_SERVER=mariadb-11.8` runs them on that release.
"""

from __future__ import annotations

import contextlib
import itertools
import secrets
import threading
import time
from collections.abc import Iterator
from typing import Any

import MySQLdb
import pytest

from tests.galera.console import assert_refused
from tests.galera.moved_contents import move
from tests.galera.scene import Scene, restart_with
from tests.support.log_contents import KINDS, By, Kind
from tests.support.record_log_contents import drop_all, run_load
from tests.support.waiting import patience, wait_for

pytestmark = pytest.mark.whole
LANE = "others"
WRITTEN = 50
PLAIN = next(kind for kind in KINDS if kind.key == "plain-candidate")
VARIANT = "classic"


def roles_of(scene: Scene) -> tuple[dict[By, str], str]:
    """Who plays which part now, and the replica."""
    source, replica = scene.pair()
    candidate = scene.other(source)
    third = scene.other(source, than=(candidate,))
    return {By.SOURCE: source, By.CANDIDATE: candidate, By.THIRD: third}, replica


@contextlib.contextmanager
def written(scene: Scene, kind: Kind, node: str) -> Iterator[None]:
    """The load runs on until the body ends, so that the seam lies within it.

    Where writes had ended, the position history alone shows that nothing came since, and no content is compared.
    """
    is_over = threading.Event()
    begun: list[int] = []

    def numbers() -> Iterator[int]:
        for number in itertools.takewhile(lambda _: not is_over.is_set(), itertools.count(100)):
            begun.append(number)
            yield number

    def write() -> None:
        with contextlib.suppress(MySQLdb.Error):
            run_load(scene.stack.lab, kind, node, numbers())

    writer = threading.Thread(target=write)
    writer.start()
    try:
        wait_for(lambda: len(begun) > WRITTEN or not writer.is_alive(), "the load to write", seen=lambda _: begun)
        scene.look_again()
        yield
    finally:
        is_over.set()
        writer.join(60)
        if scene.is_up(node):
            for statement in kind.restore:
                scene.sql(node, statement)


def plan_off(scene: Scene, roles: dict[By, str], kind: Kind, node: str) -> dict[str, Any]:
    """The source fails while this is written through a node; the plan that moves its channels to the candidate."""
    with written(scene, kind, node):
        scene.kill(roles[By.SOURCE])
    return scene.console.plan(source_node=scene.console.node_id(roles[By.CANDIDATE]))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_relocate__this_at_the_seam__proven_or_refused_by_name(scene: Scene, kind: Kind) -> None:
    roles, replica = roles_of(scene)
    scene.stop_writes()
    for statement in kind.tables:
        scene.sql(roles[By.SOURCE], statement)
    try:
        plan = plan_off(scene, roles, kind, roles[kind.by])
        if kind.outcome:
            assert plan["state"] == "refused", [(p["node_name"], p["evidence"]) for p in plan["positions"]]
            assert_refused(plan, kind.outcome, *kind.says)
        else:
            move(scene, plan, replica)
    finally:
        drop_all(scene.stack.lab, roles[By.CANDIDATE])


def test_relocate__enough_behind_a_rolling_schema_upgrade__proven_again(scene: Scene) -> None:
    """What stands on one node alone refuses a move only as long as it is among the groups that are compared."""
    roles, replica = roles_of(scene)
    scene.stop_writes()
    upgrade = next(kind for kind in KINDS if kind.key == "rolling_schema_upgrade-source")
    for statement in upgrade.tables:
        scene.sql(roles[By.SOURCE], statement)
    try:
        run_load(scene.stack.lab, upgrade, roles[By.SOURCE], range(1))
        move(scene, plan_off(scene, roles, PLAIN, roles[By.THIRD]), replica)
    finally:
        drop_all(scene.stack.lab, roles[By.CANDIDATE])


def test_relocate__binary_logs_encrypted__proven(scene: Scene) -> None:
    roles, replica = roles_of(scene)
    keys = scene.stack.home / "keys.txt"
    keys.write_text(f"1;{secrets.token_hex(32)}\n")
    keyed = ("plugin_load_add = file_key_management", f"file_key_management_filename = {keys}")
    were = {name: restart_with(scene, name, *keyed, "encrypt_binlog = ON") for name in (roles[By.CANDIDATE], replica)}
    try:
        scene.wait_link(lambda now: now["state"] == "protected", "the channels to run again")
        scene.stop_writes()
        scene.sql(roles[By.SOURCE], PLAIN.tables[0])
        assert scene.sql(roles[By.CANDIDATE], "SELECT @@encrypt_binlog AS e") == [{"e": 1}]
        move(scene, plan_off(scene, roles, PLAIN, roles[By.CANDIDATE]), replica)
    finally:
        drop_all(scene.stack.lab, roles[By.CANDIDATE])
        for name, was in were.items():  # the key stays: a server cannot recover without reading its last log
            scene.stack.lab.paths.config(name).write_text("\n".join((was, *keyed, "")))


HUGE_ROWS = 60_000
"""Of 4 kB: 240 MB, in fragments of 8 MB; a binary log file is of 64 MB."""


def test_relocate__huge_transaction_in_fragments__crossed_and_proven(scene: Scene) -> None:
    """A transaction is never split over files: it makes one of its own size, on every node."""
    roles, replica = roles_of(scene)
    scene.stop_writes()
    lab = scene.stack.lab
    for statement in (*PLAIN.tables, "CREATE TABLE bank.k_huge (id INT PRIMARY KEY, v TEXT)"):
        lab.sql(roles[By.SOURCE], statement)
    for name in scene.nodes():
        lab.sql(name, "SET GLOBAL wsrep_trx_fragment_size = 8388608")
    try:
        with lab.admin(roles[By.CANDIDATE], 300) as connection:
            cursor = connection.cursor()
            cursor.execute("SET SESSION wsrep_trx_fragment_size = 8388608")
            cursor.execute(f"INSERT INTO bank.k_huge SELECT seq, REPEAT('h', 4000) FROM bank.seq_1_to_{HUGE_ROWS}")
            connection.commit()
        query = "SELECT COUNT(*) AS n FROM bank.k_huge"
        wait_for(lambda: lab.sql(replica, query) == [{"n": HUGE_ROWS}], "the replica to apply it", 240, pause_s=1)
        began = time.monotonic()
        plan = plan_off(scene, roles, PLAIN, roles[By.THIRD])
        assert time.monotonic() - began < 60 * patience()
        move(scene, plan, replica)
    finally:
        for name in scene.nodes():
            if scene.is_up(name):
                lab.sql(name, "SET GLOBAL wsrep_trx_fragment_size = 0")
        drop_all(lab, roles[By.CANDIDATE])


def test_relocate__large_commit_in_a_file_of_its_own__crossed_and_proven(scene: Scene) -> None:
    """Since 11.7 a large cache becomes a file; with Galera only that of a session with wsrep_on=OFF does (11.8.9)."""
    roles, replica = roles_of(scene)
    lab, candidate = scene.stack.lab, roles[By.CANDIDATE]
    if not lab.sql(candidate, "SHOW VARIABLES LIKE 'binlog_large_commit_threshold'"):
        pytest.skip("this release has no binlog_large_commit_threshold")
    scene.stop_writes()
    for statement in (*PLAIN.tables, "CREATE TABLE bank.k_large (id INT PRIMARY KEY, v LONGTEXT)"):
        lab.sql(roles[By.SOURCE], statement)
    lab.sql(candidate, "SET GLOBAL binlog_large_commit_threshold = 10485760")
    try:
        run_load(lab, PLAIN, candidate, range(5))
        before = len(lab.sql(candidate, "SHOW BINARY LOGS"))
        with lab.admin(candidate, 60) as connection:
            cursor = connection.cursor()
            cursor.execute("SET SESSION wsrep_on = OFF")
            cursor.execute("INSERT INTO bank.k_large SELECT seq, REPEAT('l', 4000000) FROM bank.seq_1_to_5")
            cursor.execute("DELETE FROM bank.k_large")
            connection.commit()
        files = [row["Log_name"] for row in lab.sql(candidate, "SHOW BINARY LOGS")]
        assert len(files) > before
        assert not [name for name in files if not name.startswith("binlog.0") or name.endswith(".idx")]
        move(scene, plan_off(scene, roles, PLAIN, roles[By.THIRD]), replica)
    finally:
        drop_all(lab, candidate)
        scene.settle_settings()
