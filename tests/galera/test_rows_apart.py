"""Rows that come to differ by a column that one node lacks, a session without Galera, or an ALTER with UUID()."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.galera.console import Json, assert_refused
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported
TABLE, DIFFER = "bank.apart", "rows_may_differ"


@pytest.fixture(autouse=True)
def table(scene: Scene) -> Iterator[None]:
    """Of two columns, on every node; dropped and settled afterwards: the next scenario begins with a sound link."""
    scene.sql(scene.pair()[0], f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, v INT)")
    scene.sql(scene.pair()[0], f"INSERT INTO {TABLE} VALUES (1, 1)")
    wait_for(lambda: all(value(scene, node, 1) == 1 for node in scene.nodes()), "the table to be everywhere")
    scene.look_again()
    yield
    scene.sql(scene.pair()[0], f"DROP TABLE {TABLE}")
    scene.settle_settings()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")


def value(scene: Scene, node: str, number: int) -> int | None:
    """That of the row with this number; None where it has none, or there is no table yet."""
    if not scene.sql(node, "SHOW TABLES FROM bank LIKE 'apart'"):
        return None
    rows = scene.sql(node, f"SELECT * FROM {TABLE} WHERE id = {number}")
    return rows[0].get("v") if rows else None


def alone(scene: Scene, node: str, *statements: str, logged: bool = False) -> None:
    """In a session without Galera."""
    with scene.stack.lab.admin(node) as session:
        cursor = session.cursor()
        cursor.execute(f"SET SESSION wsrep_on=OFF, sql_log_bin={int(logged)}")
        for statement in statements:
            cursor.execute(statement)
        session.commit()


def side_of(scene: Scene, node: str) -> list[str]:
    return [name for name in scene.nodes() if name.startswith(node[:4])]


def told(scene: Scene, text: str) -> Json:
    """The link's page, once it tells so."""

    def found(link: Json) -> bool:
        return any(one["code"] == DIFFER and text in one["message"] for one in link["findings"])

    link = scene.wait_link(found, f"{text!r} to be told")
    assert link["state"] == "degraded", link["state"]
    assert_refused(scene.console.plan("switchover"), DIFFER, text)
    return link


def test_table_of_the_standby_lacks_a_column__told_with_the_first_row(scene: Scene) -> None:
    """MariaDB drops the value of a last column that the replica lacks, without an error."""
    source, replica = scene.pair()
    for node in side_of(scene, replica):
        alone(scene, node, f"ALTER TABLE {TABLE} DROP COLUMN v")
    scene.sql(source, f"INSERT INTO {TABLE} VALUES (2, 2)")
    told(scene, f"Tables have other columns on {replica} than elsewhere: {TABLE}.")
    for node in side_of(scene, replica):
        alone(scene, node, f"ALTER TABLE {TABLE} ADD COLUMN v INT", f"UPDATE {TABLE} SET v = id")
    scene.sql(source, f"INSERT INTO {TABLE} VALUES (3, 3)")
    wait_for(lambda: all(value(scene, node, 3) == 3 for node in scene.nodes()), "the row to be everywhere")


def test_table_of_one_neighbour_has_a_column_more__told_of_that_node(scene: Scene) -> None:
    """A schema change node by node that was left half done."""
    source, _ = scene.pair()
    changed = scene.other(source)
    alone(scene, changed, f"ALTER TABLE {TABLE} ADD COLUMN w INT DEFAULT 7")
    for number in (2, 3):
        scene.sql(source, f"INSERT INTO {TABLE} (id, v) VALUES ({number}, 2)")
        scene.look_again()
    told(scene, f"Tables have other columns on {changed} than elsewhere: {TABLE}.")
    alone(scene, changed, f"ALTER TABLE {TABLE} DROP COLUMN w")


def test_row_of_a_session_without_galera__told_of_its_node(scene: Scene) -> None:
    """It stands in the log of that node alone; a channel that reads there would bring it to the other side alone."""
    source, _ = scene.pair()
    written = scene.other(source)
    alone(scene, written, f"INSERT INTO {TABLE} VALUES (9, 9)", logged=True)
    told(scene, f"{written} had wsrep_on=OFF in a session")
    assert [value(scene, node, 9) for node in side_of(scene, source)].count(9) == 1
    alone(scene, written, f"DELETE FROM {TABLE} WHERE id = 9")


def test_column_that_each_node_fills_for_itself__told_of_the_node_that_added_it(scene: Scene) -> None:
    source, _ = scene.pair()
    scene.sql(source, f"ALTER TABLE {TABLE} ADD COLUMN u CHAR(36) DEFAULT (UUID())")
    told(scene, f"A column was added on {source} with DEFAULT (UUID())")
    wait_for(
        lambda: all(scene.sql(node, f"SHOW COLUMNS FROM {TABLE} LIKE 'u'") for node in scene.nodes()),
        "the column to be everywhere",
    )
    assert len({scene.sql(node, f"SELECT u FROM {TABLE} WHERE id = 1")[0]["u"] for node in scene.nodes()}) > 1
