"""Settings with which rows are lost or errors skipped: told while all is well, and no plan uses such a node."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.galera.console import Json, assert_refused, describe
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene, restart_with
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

WAITS_FOR_ALL = 15
"""wsrep_sync_wait of every kind of statement, SHOW included."""


@contextmanager
def configured(scene: Scene, node: str, *lines: str) -> Iterator[None]:
    """The node restarted with more lines in its configuration, and without them afterwards."""
    was = restart_with(scene, node, *lines)
    try:
        wait_for(lambda: scene.reach(node) == "up", f"{node} to be back")
        yield
    finally:
        scene.stack.lab.paths.config(node).write_text(was)
        scene.stack.lab.stop(node)
        scene.stack.lab.start(node)


def told(link: Json, code: str, node: str) -> Json | None:
    """The finding of a node on the link's page."""
    return next((one for one in link["findings"] if one["code"] == code and one["facts"].get("node") == node), None)


def codes(plan: Json) -> list[str]:
    """Those of all its findings."""
    return [finding["code"] for finding in plan["findings"]]


def ready_plan(scene: Scene, **options: str) -> Json:
    """Once the cluster has expelled a node that was killed."""
    plan: Json = {}

    def is_ready() -> bool:
        plan.update(scene.console.plan(**options))
        return bool(plan["state"] == "ready")

    wait_for(is_ready, "a plan to be ready", seen=lambda _: plan["findings"])
    return plan


def test_log_filter__on_the_next_source__told_before_the_loss_and_the_other_node_taken(scene: Scene) -> None:
    """The last groups stand in a schema that the log of the next source by name leaves out."""
    source, _ = scene.pair()
    filtered = scene.other(source)
    node_id = scene.console.node_id(filtered)
    with configured(scene, filtered, "binlog_ignore_db=app2"):
        link = scene.wait_link(lambda now: told(now, "log_filter_set", filtered), "the filter to be told")
        finding = told(link, "log_filter_set", filtered)
        assert finding is not None
        assert f"{filtered} has binlog_ignore_db=app2" in finding["message"]
        assert "Remove binlog_ignore_db from the configuration" in finding["remedy"]
        assert_refused(scene.console.plan(source_node=node_id), "log_filter_set", filtered)

        scene.sql(source, "CREATE DATABASE app2")
        scene.sql(source, "CREATE TABLE app2.t (id INT PRIMARY KEY)")
        for number in range(8):
            scene.sql(source, f"INSERT INTO app2.t VALUES ({number})")
        scene.kill(source)
        plan = ready_plan(scene)
        assert plan["target"]["source_name"] not in (source, filtered), plan["findings"]
        run = scene.console.run(plan)
        assert run["verification"]["verdict"] == "verified", describe(run)
        replica = scene_pair(run)[1]
        wait_for(lambda: scene.sql(replica, "SELECT COUNT(*) AS n FROM app2.t")[0]["n"] == 8, "all rows to arrive")
        scene.stack.lab.start(source)
    scene.wait_link(lambda now: not told(now, "log_filter_set", filtered), "the remedy to be seen")
    scene.settle_settings()
    scene.heal()
    scene.console.relocate(source_node=node_id)
    scene.sql(filtered, "DROP DATABASE app2")
    scene.judge()


def test_replica_that_skips_errors__told_and_never_a_candidate(scene: Scene) -> None:
    """From its configuration on the next replica, by a statement on the present one."""
    _, replica = scene.pair()
    other = scene.other(replica)
    node_id = scene.console.node_id(other)
    with configured(scene, other, "slave_skip_errors=1032,1062", "slave_exec_mode=IDEMPOTENT"):
        link = scene.wait_link(lambda now: told(now, "errors_skipped", other), "the settings to be told")
        said = [one["message"] for one in link["findings"] if one["code"] == "errors_skipped"]
        assert any(f"{other} has slave_exec_mode=IDEMPOTENT" in message for message in said), said
        assert any(f"{other} has slave_skip_errors=1032,1062" in message for message in said), said
        assert_refused(scene.console.plan(replica_node=node_id), "errors_skipped", other)
    scene.look_again(other)
    scene.sql(replica, "SET GLOBAL slave_exec_mode=IDEMPOTENT")
    try:
        link = scene.wait_link(lambda now: now["state"] == "degraded", "the link to be degraded")
        assert f"{replica} has slave_exec_mode=IDEMPOTENT." in link["sentence"]
        plan = ready_plan(scene, replica_node=node_id)
        assert "present_replica_setting" in codes(plan)
        run = scene.console.run(plan)
        assert run["verification"]["verdict"] == "verified", describe(run)
    finally:
        scene.sql(replica, "SET GLOBAL slave_exec_mode=STRICT")
    scene.settle_settings()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    scene.judge()


MAY_DIFFER = "rows_may_differ"


@pytest.fixture
def table(scene: Scene) -> Iterator[str]:
    """A table on all nodes, without the load's writes in between."""
    scene.stop_writes()
    source, _ = scene.pair()
    scene.sql(source, "CREATE DATABASE app4")
    scene.sql(source, "CREATE TABLE app4.t (id INT PRIMARY KEY)")
    scene.sql(source, "CREATE TABLE app4.other (id INT PRIMARY KEY)")
    wait_for(lambda: all(are_there(scene, node) for node in scene.nodes()), "the tables to be everywhere")
    scene.look_again()
    yield "app4.t"
    scene.sql(scene.pair()[0], "DROP DATABASE app4")


def are_there(scene: Scene, node: str) -> bool:
    """Whether both tables stand on the node."""
    listed = scene.sql(node, "SELECT COUNT(*) AS n FROM information_schema.tables WHERE table_schema='app4'")
    return bool(listed[0]["n"] == 2)


def numbers(scene: Scene, node: str) -> list[int]:
    """Those of the table."""
    return [row["id"] for row in scene.sql(node, "SELECT id FROM app4.t ORDER BY id")]


def brought_in(scene: Scene, node: str, *statements: str) -> None:
    """By hand on that node alone, in no log, as the remedy says."""
    with scene.stack.lab.admin(node) as session, session.cursor() as cursor:
        for statement in ("SET SESSION wsrep_on=OFF, sql_log_bin=0", *statements):
            cursor.execute(statement)
        session.commit()


def told_until_settled(scene: Scene, node: str, variable: str, repair: Callable[[], None]) -> None:
    """The setting is right again: no side is in sync until the rows were compared and a person said so."""
    link = scene.wait_link(
        lambda now: told(now, MAY_DIFFER, node) and now["state"] == "degraded", f"{variable} of {node} to be told"
    )
    finding = told(link, MAY_DIFFER, node)
    assert finding is not None
    assert finding["facts"]["variable"] == variable
    assert "in sync" not in link["sentence"]
    assert_refused(scene.console.plan("switchover"), MAY_DIFFER, node)
    elsewhere = scene.console.node_id(scene.other(scene.pair()[0]))
    assert told(scene.console.plan("relocate", source_node=elsewhere), MAY_DIFFER, node)
    repair()
    scene.settle_settings()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    assert scene.console.settled_plan("switchover")["state"] == "ready"
    assert len({tuple(numbers(scene, name)) for name in scene.nodes()}) == 1


def test_log_filter_of_a_neighbour__taken_back__what_it_kept_is_asked_for(scene: Scene, table: str) -> None:
    source, _ = scene.pair()
    filtered = scene.other(source)
    with configured(scene, filtered, "binlog_ignore_db=app4"):
        scene.wait_link(lambda now: told(now, "log_filter_set", filtered), "the filter to be told")
        with scene.stack.lab.admin(filtered) as session, session.cursor() as cursor:
            cursor.execute("USE app4")
            cursor.execute(f"INSERT INTO {table} VALUES (1)")
            session.commit()
    having = {node for node in scene.nodes() if numbers(scene, node) == [1]}
    assert filtered in having
    assert len(having) < len(scene.nodes()), having

    def repair() -> None:
        for node in set(scene.nodes()) - having:
            brought_in(scene, node, f"INSERT INTO {table} VALUES (1)")

    told_until_settled(scene, filtered, "binlog_ignore_db", repair)
    scene.judge()


def test_galera_off_for_a_while__what_was_written_there_is_asked_for(scene: Scene, table: str) -> None:
    source, _ = scene.pair()
    alone = scene.other(source)
    scene.sql(alone, "SET GLOBAL wsrep_on=OFF")
    try:
        scene.wait_link(lambda now: told(now, "wsrep_off", alone), "wsrep_on to be told")
        scene.sql(alone, f"INSERT INTO {table} VALUES (2)")
    finally:
        scene.sql(alone, "SET GLOBAL wsrep_on=ON")
    assert {node for node in scene.nodes() if numbers(scene, node)} == {alone}

    def repair() -> None:
        for node in set(scene.nodes()) - {alone}:
            brought_in(scene, node, f"INSERT INTO {table} VALUES (2)")

    told_until_settled(scene, alone, "wsrep_on", repair)
    scene.judge()


def test_errors_skipped_within_a_transaction__taken_back__the_rest_is_asked_for(scene: Scene, table: str) -> None:
    source, replica = scene.pair()
    site = [name for name in scene.nodes() if name.startswith(replica[:4])]
    for node in site:
        brought_in(scene, node, f"INSERT INTO {table} VALUES (12)")
    with configured(scene, replica, "slave_skip_errors=1062"):
        scene.wait_link(lambda now: told(now, "errors_skipped", replica), "the option to be told")
        with scene.stack.lab.admin(source) as session, session.cursor() as cursor:
            cursor.execute(f"INSERT INTO {table} VALUES (11), (12), (13)")
            cursor.execute("INSERT INTO app4.other VALUES (1)")
            session.commit()
        wait_for(lambda: scene.sql(replica, "SELECT id FROM app4.other"), "the rest of it to arrive")
    assert 13 not in numbers(scene, replica)

    def repair() -> None:
        for node in site:
            missing = {11, 12, 13} - set(numbers(scene, node))
            brought_in(scene, node, *(f"INSERT INTO {table} VALUES ({number})" for number in sorted(missing)))

    told_until_settled(scene, replica, "slave_skip_errors", repair)
    scene.judge()


class Watch:
    """What the link's page said of the nodes and its state, over and over, until it is left."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.reach: set[str] = set()
        self.states: set[str] = set()
        self.actions: set[str] = set()

    def _look(self) -> None:
        while not self._done.wait(0.2):
            link = self._scene.console.link()
            self.reach |= {node["reach"] for side in link["clusters"].values() for node in side["nodes"]}
            self.states.add(link["state"])
            self.actions |= {link["primary_action"]["kind"]} if link["primary_action"] else set()

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def test_global_sync_wait__lock_and_long_alter__no_node_hung_and_no_failover_offered(scene: Scene) -> None:
    """Each SHOW of such a node waits until it has applied all that its cluster committed."""
    source, _ = scene.pair()
    held = scene.other(source)
    site = [name for name in scene.nodes() if name.startswith(held[:4])]
    scene.sql(source, "CREATE DATABASE app3")
    scene.sql(source, "CREATE TABLE app3.t (id INT PRIMARY KEY, pad CHAR(200))")
    scene.sql(source, "INSERT INTO app3.t SELECT seq, REPEAT('x', 200) FROM app3.seq_1_to_200")
    for node in site:
        scene.sql(node, f"SET GLOBAL wsrep_sync_wait={WAITS_FOR_ALL}")
    try:
        scene.look_again()
        with Watch(scene) as watch:
            with scene.stack.lab.admin(held) as connection:
                connection.cursor().execute("FLUSH TABLES WITH READ LOCK")
                for _ in range(4):
                    scene.look_again(held)
                connection.cursor().execute("UNLOCK TABLES")
            slow = "CHECK (SHA2(REPEAT(pad, 20000), 512) <> '')"  # some 20 ms a row, on each node
            with scene.stack.lab.admin(source, 300) as connection:
                connection.cursor().execute(f"ALTER TABLE app3.t ADD CONSTRAINT {slow}, ALGORITHM=COPY")
            scene.look_again()
        assert_refused(scene.console.plan("failover"), "active_site_lives")
    finally:
        for node in site:
            scene.sql(node, "SET GLOBAL wsrep_sync_wait=0")
    assert watch.reach == {"up"}
    assert watch.states <= {"protected", "degraded"}
    assert watch.actions == set()
    scene.sql(source, "DROP DATABASE app3")
    scene.judge()
