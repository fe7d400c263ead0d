"""What one node of a side executed, or logged, alone: told by the statements between two transactions of all nodes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.galera.console import Json, assert_refused
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported
DIFFER, OTHERS = "rows_may_differ", "bank.others"
ALONE, LACKED = "logged what the other nodes of its side did not", "did not log what the other nodes of its side logged"
REPLICATED = (
    "CREATE DATABASE {0}",
    "CREATE TABLE {0}.t (id INT PRIMARY KEY AUTO_INCREMENT, v INT, KEY (v))",
    "INSERT INTO {0}.t (v) VALUES (1), (2), (3)",
    "CREATE TABLE {0}.copied AS SELECT * FROM {0}.t",
    "CREATE TABLE {0}.like_it LIKE {0}.t",
    "CREATE OR REPLACE TABLE {0}.like_it (id INT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS {0}.like_it (id INT)",
    "DROP TABLE IF EXISTS {0}.absent",
    "CREATE TEMPORARY TABLE {0}.passing (id INT)",
    "CREATE VIEW {0}.seen AS SELECT * FROM {0}.t",
    "CREATE TRIGGER {0}.fires BEFORE INSERT ON {0}.t FOR EACH ROW SET NEW.v = NEW.v + 1",
    "CREATE PROCEDURE {0}.runs() INSERT INTO {0}.t (v) VALUES (7)",
    "CALL {0}.runs()",
    "CREATE FUNCTION {0}.counts() RETURNS INT DETERMINISTIC RETURN 1",
    "CREATE EVENT {0}.happens ON SCHEDULE EVERY 1 HOUR DISABLE DO DELETE FROM {0}.t WHERE id = 0",
    "ALTER EVENT {0}.happens COMMENT 'x'",
    "CREATE SEQUENCE {0}.numbers INCREMENT BY 0 CACHE 3",
    "SELECT NEXT VALUE FOR {0}.numbers",
    "ALTER TABLE {0}.t ADD COLUMN w INT DEFAULT 3, ADD KEY (w)",
    "ALTER TABLE {0}.t ENGINE=InnoDB",
    "ALTER TABLE {0}.t RENAME COLUMN w TO x",
    "RENAME TABLE {0}.copied TO {0}.renamed",
    "CREATE INDEX again ON {0}.t (x)",
    "ANALYZE TABLE {0}.t",
    "OPTIMIZE TABLE {0}.t",
    "CHECK TABLE {0}.t",
    "REPAIR TABLE {0}.t",
    "FLUSH TABLES {0}.t",
    "FLUSH TABLES",
    "FLUSH PRIVILEGES",
    "FLUSH STATUS",
    "FLUSH LOCAL TABLES",
    "FLUSH BINARY LOGS",
    "TRUNCATE {0}.t",
    "CREATE USER passing@localhost IDENTIFIED BY 'x-3-y-Z'",
    "GRANT SELECT ON {0}.* TO passing@localhost",
    "SET PASSWORD FOR passing@localhost = PASSWORD('x-4-y-Z')",
    "CREATE ROLE passing_role",
    "GRANT passing_role TO passing@localhost",
    "RENAME USER passing@localhost TO passing2@localhost",
    "DROP ROLE passing_role",
    "DROP USER passing2@localhost",
    "DROP VIEW {0}.seen",
    "DROP TABLE {0}.renamed, {0}.like_it",
    "DROP SEQUENCE {0}.numbers",
    "DELETE FROM {0}.t WHERE id = -1",
    "INSERT INTO {0}.t (v) VALUES (8)",
)
"""Statements that are logged alike on each node of a cluster."""
OF_ONE_NODE = ("FLUSH SSL", "FLUSH HOSTS", "FLUSH ENGINE LOGS", "FLUSH USER_RESOURCES")
"""Logged where they are executed, some of them there alone; none changes a row."""
WAYS = {
    "wsrep_on": (True, ALONE, "SET SESSION wsrep_on=OFF", "TRUNCATE {0}"),
    "wsrep_on_beside_it": (False, ALONE, "SET SESSION wsrep_on=OFF", "ALTER TABLE {0} ADD COLUMN w INT DEFAULT 4"),
    "rsu": (False, ALONE, "SET SESSION wsrep_OSU_method=RSU", "ALTER TABLE {0} ADD COLUMN r INT DEFAULT 5"),
    "sql_log_bin": (True, LACKED, "SET SESSION sql_log_bin=0", "TRUNCATE {0}"),
    "sql_log_bin_of_rows": (False, LACKED, "SET SESSION sql_log_bin=0", "INSERT INTO {0} VALUES (77, 1)"),
    "other_engine": (
        *(False, ALONE),
        "CREATE OR REPLACE TABLE {0}_aria (id INT) ENGINE=Aria",
        "INSERT INTO {0}_aria VALUES (1)",
    ),
}
"""Whether on the source, what is told, and the statements of one session."""


@pytest.fixture(autouse=True)
def table(scene: Scene) -> Iterator[str]:
    """On every node; dropped and settled afterwards: the next scenario begins with a sound link."""
    name, source = "bank.alone", scene.pair()[0]
    scene.sql(source, f"CREATE TABLE {name} (id INT PRIMARY KEY, v INT)")
    scene.sql(source, f"INSERT INTO {name} VALUES (1, 1)")
    scene.sql(source, f"CREATE TABLE {OTHERS} (id INT AUTO_INCREMENT PRIMARY KEY)")
    wait_for(
        lambda: all(scene.sql(node, "SHOW TABLES FROM bank LIKE 'others'") for node in scene.nodes()),
        "the tables to be everywhere",
    )
    go_on(scene)
    yield name
    scene.sql(source, f"DROP TABLE IF EXISTS {name}, {name}_aria, {OTHERS}")
    scene.sql(source, "DROP DATABASE IF EXISTS everything")
    scene.settle_settings()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")


def go_on(scene: Scene) -> None:
    """Some transactions on rows that are the same everywhere, and polls that see them."""
    for _ in range(3):
        scene.sql(scene.pair()[0], f"INSERT INTO {OTHERS} VALUES ()")
        scene.look_again()


def execute(scene: Scene, node: str, *statements: str) -> None:
    """In one session."""
    with scene.stack.lab.admin(node) as session:
        cursor = session.cursor()
        for statement in statements:
            cursor.execute(statement)
        session.commit()


def told(scene: Scene, text: str) -> None:
    """The page tells it once others follow, and a switchover is refused for it."""

    def found(link: Json) -> bool:
        return any(one["code"] == DIFFER and text in one["message"] for one in link["findings"])

    go_on(scene)
    link = scene.wait_link(found, f"{text!r} to be told")
    assert link["state"] == "degraded", link["state"]
    assert_refused(scene.console.plan("switchover"), DIFFER, text)


def test_statements_of_every_kind__logged_alike__nothing(scene: Scene) -> None:
    for statement in REPLICATED:
        execute(scene, scene.pair()[0], statement.format("everything"))
    for statement in OF_ONE_NODE:
        execute(scene, scene.other(scene.pair()[0]), statement)
    go_on(scene)
    unsafe = scene.console.get(f"/links/{scene.console.link_id}/unaccounted")["unsafe_settings"]
    assert unsafe == [], unsafe


@pytest.mark.parametrize("way", WAYS)
def test_statement_of_one_node__told_of_that_node(scene: Scene, table: str, way: str) -> None:
    source, _ = scene.pair()
    is_source, text, *statements = WAYS[way]
    node = source if is_source else scene.other(source)
    execute(scene, node, *(str(one).format(table) for one in statements))
    told(scene, f"{node} {text}: ")
