"""Rows with other values: each transaction's rows are compared between both sides, and between the nodes of each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.galera.console import Json, assert_refused
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported
TABLE, DIFFER = "bank.valued", "rows_may_differ"
KINDS = (
    "INSERT INTO {0}.plain VALUES (1, 'one', 1.5), (2, NULL, NULL), (3, 'ä€😀', -0.1)",
    "UPDATE {0}.plain SET name = CONCAT(name, '!'), amount = amount * 2",
    "REPLACE INTO {0}.plain VALUES (1, 'again', 2), (9, 'new', 3)",
    "INSERT INTO {0}.plain VALUES (2, 'dup', 4) ON DUPLICATE KEY UPDATE name = 'dup', amount = 7",
    "INSERT IGNORE INTO {0}.plain VALUES (1, 'ignored', 0), (10, 'ten', 10)",
    "DELETE FROM {0}.plain WHERE id = 3",
    "INSERT INTO {0}.keyless VALUES (1, 'x'), (1, 'x'), (2, 'y')",
    "DELETE FROM {0}.keyless WHERE id = 1 LIMIT 1",
    (
        "INSERT INTO {0}.typed VALUES (1, b'10101', 'b', 'a,c', '{{\"k\": [1]}}', ST_GeomFromText('POINT(1 2)'), "
        "'2026-02-03 04:05:06.789', '2026-02-03 04:05:06', '12:13:14.5', 2026, 12345.6789, 1.25, REPEAT('t', 9000), "
        "REPEAT('c', 300), x'00ff00', 18446744073709551615)"
    ),
    "UPDATE {0}.typed SET long_text = REPEAT('u', 70000), bits = b'1', tags = 'b'",
    "INSERT INTO {0}.derived (id, a) VALUES (1, 5), (2, 6)",
    "UPDATE {0}.derived SET a = a + 1",
    "DELETE FROM {0}.derived WHERE id = 2",
    "INSERT INTO {0}.versioned VALUES (1, 1), (2, 2)",
    "UPDATE {0}.versioned SET v = v + 1",
    "DELETE FROM {0}.versioned WHERE id = 2",
    "INSERT INTO {0}.numbered (v) SELECT NEXT VALUE FOR {0}.numbers FROM {0}.plain",
    "INSERT INTO {0}.parents VALUES (1), (2)",
    "INSERT INTO {0}.children VALUES (1, 1), (2, 2)",
    "DELETE FROM {0}.parents WHERE id = 1",
    "INSERT INTO {0}.watched VALUES (1, 1)",
    "UPDATE {0}.watched SET v = 2",
    "UPDATE {0}.plain p JOIN {0}.children c ON p.id >= c.id SET p.amount = 99, c.parent = NULL",
    "CREATE TABLE {0}.copied AS SELECT * FROM {0}.plain",
    "ALTER TABLE {0}.copied ADD COLUMN more INT DEFAULT 3, MODIFY amount DOUBLE",
    "UPDATE {0}.copied SET more = 4",
    "INSERT INTO {0}.parted SELECT seq, seq FROM {0}.sequences",
    "ALTER TABLE {0}.parted EXCHANGE PARTITION low WITH TABLE {0}.swapped",
    "UPDATE {0}.parted SET v = 1",
    "TRUNCATE {0}.keyless",
    "INSERT INTO {0}.wide SELECT seq, REPEAT(CHAR(65 + seq MOD 26), 2000) FROM {0}.sequences",
    "UPDATE {0}.wide SET v = CONCAT(v, 'z')",
)
"""Statements whose rows are the same everywhere."""
TABLES = (
    "CREATE DATABASE {0}",
    "CREATE TABLE {0}.plain (id INT PRIMARY KEY, name VARCHAR(40), amount DOUBLE) CHARACTER SET utf8mb4",
    "CREATE TABLE {0}.keyless (id INT, v VARCHAR(10))",
    (
        "CREATE TABLE {0}.typed (id INT PRIMARY KEY, bits BIT(11), one ENUM('a', 'b'), tags SET('a', 'b', 'c'), "
        "data JSON, place POINT, at DATETIME(3), seen TIMESTAMP, span TIME(1), y YEAR, price DECIMAL(12, 4), f FLOAT, "
        "long_text LONGTEXT, packed VARCHAR(1000) COMPRESSED, raw VARBINARY(9), big BIGINT UNSIGNED)"
    ),
    "CREATE TABLE {0}.derived (id INT PRIMARY KEY, a INT, b INT AS (a * 2) VIRTUAL, c INT AS (a * 3) PERSISTENT)",
    "CREATE TABLE {0}.versioned (id INT PRIMARY KEY, v INT) WITH SYSTEM VERSIONING",
    "CREATE SEQUENCE {0}.numbers INCREMENT BY 0 CACHE 3",
    "CREATE TABLE {0}.numbered (id INT AUTO_INCREMENT PRIMARY KEY, v BIGINT, at TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)",
    "CREATE TABLE {0}.parents (id INT PRIMARY KEY)",
    (
        "CREATE TABLE {0}.children (id INT PRIMARY KEY, parent INT, "
        "FOREIGN KEY (parent) REFERENCES {0}.parents (id) ON DELETE CASCADE ON UPDATE CASCADE)"
    ),
    "CREATE TABLE {0}.watched (id INT PRIMARY KEY, v INT)",
    "CREATE TABLE {0}.noted (id INT AUTO_INCREMENT PRIMARY KEY, v INT, by_whom VARCHAR(80) DEFAULT USER())",
    "CREATE TRIGGER {0}.note AFTER UPDATE ON {0}.watched FOR EACH ROW INSERT INTO {0}.noted (v) VALUES (NEW.v)",
    "CREATE TABLE {0}.sequences AS SELECT seq FROM {0}.seq_1_to_200",
    (
        "CREATE TABLE {0}.parted (id INT PRIMARY KEY, v INT) PARTITION BY RANGE (id) "
        "(PARTITION low VALUES LESS THAN (50), PARTITION high VALUES LESS THAN MAXVALUE)"
    ),
    "CREATE TABLE {0}.swapped (id INT PRIMARY KEY, v INT)",
    "CREATE TABLE {0}.wide (id INT PRIMARY KEY, v TEXT)",
)


@pytest.fixture(autouse=True)
def table(scene: Scene) -> Iterator[None]:
    """On every node; dropped and settled afterwards: the next scenario begins with a sound link."""
    scene.sql(scene.pair()[0], f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, v INT)")
    scene.sql(scene.pair()[0], f"INSERT INTO {TABLE} VALUES (1, 1)")
    wait_for(lambda: all(value(scene, node) == 1 for node in scene.nodes()), "the table to be everywhere")
    wait_compared(scene)
    yield
    scene.sql(scene.pair()[0], f"DROP TABLE {TABLE}")
    scene.settle_settings()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")


def value(scene: Scene, node: str, number: int = 1) -> int | None:
    """That of the row with this number; None where it has none, or there is no table yet."""
    if not scene.sql(node, "SHOW TABLES FROM bank LIKE 'valued'"):
        return None
    rows = scene.sql(node, f"SELECT v FROM {TABLE} WHERE id = {number}")
    return rows[0]["v"] if rows else None


def accounts(scene: Scene) -> Json:
    found: Json = scene.console.get(f"/links/{scene.console.link_id}/unaccounted")
    return found


def wait_compared(scene: Scene) -> None:
    """Until the rows of a transaction that is written now are compared."""
    before = accounts(scene)["forward"]["compared"]

    def is_compared() -> bool:
        scene.sql(scene.pair()[0], f"REPLACE INTO {TABLE} VALUES (0, 0)")
        return bool(accounts(scene)["forward"]["compared"] > before)

    wait_for(is_compared, "rows to be compared", pause_s=1.0)


def alone(scene: Scene, node: str, statement: str) -> None:
    """In a session without Galera and without a log."""
    with scene.stack.lab.admin(node) as session:
        cursor = session.cursor()
        cursor.execute("SET SESSION wsrep_on=OFF, sql_log_bin=0")
        cursor.execute(statement)
        session.commit()


def told(scene: Scene, node: str) -> None:
    text = f"Rows that {node} logged are others than those of the same transaction elsewhere: {TABLE} ("

    def found(link: Json) -> bool:
        return any(one["code"] == DIFFER and text in one["message"] for one in link["findings"])

    link = scene.wait_link(found, f"{text!r} to be told")
    assert link["state"] == "degraded", link["state"]
    assert_refused(scene.console.plan("switchover"), DIFFER, text)


def test_value_of_the_standby_is_another__told_with_the_next_change_of_its_row(scene: Scene) -> None:
    source, replica = scene.pair()
    for node in scene.nodes():
        if node[:4] == replica[:4]:
            alone(scene, node, f"UPDATE {TABLE} SET v = 77 WHERE id = 1")
    scene.sql(source, f"UPDATE {TABLE} SET v = 2 WHERE id = 1")
    told(scene, replica)
    assert [value(scene, node) for node in scene.nodes()] == [2] * len(scene.nodes())


def test_value_of_one_neighbour_is_another__told_of_that_node(scene: Scene) -> None:
    source, _ = scene.pair()
    changed = scene.other(source)
    alone(scene, changed, f"UPDATE {TABLE} SET v = 77 WHERE id = 1")
    scene.sql(source, f"UPDATE {TABLE} SET v = 3 WHERE id = 1")
    told(scene, changed)


@pytest.fixture
def kinds(scene: Scene) -> Iterator[str]:
    """A database of that name, dropped afterwards."""
    yield "kinds"
    scene.sql(scene.pair()[0], "DROP DATABASE IF EXISTS kinds")


def test_rows_of_every_kind_of_statement__compared_and_the_same(scene: Scene, kinds: str) -> None:
    source, _ = scene.pair()
    scene.stop_writes()  # the load changes a definition now and then, too
    before = accounts(scene)["forward"]
    for statement in (*TABLES, *KINDS):
        scene.sql(source, statement.format(kinds))
    wait_compared(scene)
    scene.look_again()
    after = accounts(scene)
    assert after["unsafe_settings"] == []
    assert after["forward"]["transactions"] == []
    assert after["forward"]["since"] == before["since"]
    without_rows = [one for one in (*TABLES, *KINDS) if one.startswith(("CREATE", "ALTER", "TRUNCATE"))]
    most = uncompared(before) + len(without_rows)
    wait_for(
        lambda: uncompared(accounts(scene)["forward"]) <= most,
        f"the rows of all but {most} to be compared",
        seen=lambda _: accounts(scene)["forward"],
    )


def uncompared(account: Json) -> int:
    """Transactions that were found on both sides, and whose rows were not compared, or not yet."""
    return int(account["groups"] - account["compared"])
