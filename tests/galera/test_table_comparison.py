"""Rows that no log tells of are found while both sites write, on the node that has them, and nothing else is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle

import pytest
from MySQLdb import OperationalError

from tests.galera.console import Json
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported
TABLE = "bank.compared"
ROWS = 3_000
VALUES = (
    "seq, CONCAT('Ä', seq), seq / 3, seq / 7, IF(seq % 5, NULL, seq), FROM_UNIXTIME(1700000000 + seq), UUID_SHORT()"
)


@pytest.fixture(autouse=True)
def table(scene: Scene) -> Iterator[None]:
    """Of many types, on every node."""
    source, _ = scene.pair()
    scene.sql(
        source,
        f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, t VARCHAR(40), f FLOAT, d DOUBLE, n INT, s TIMESTAMP, u BIGINT)",
    )
    scene.sql(source, f"INSERT INTO {TABLE} SELECT {VALUES} FROM bank.seq_1_to_{ROWS}")
    wait_for(lambda: all(count(scene, node) == ROWS for node in scene.nodes()), "the rows to be everywhere")
    yield
    scene.sql(source, f"DROP TABLE {TABLE}")
    scene.settle_settings()


def count(scene: Scene, node: str) -> int:
    """Rows of the table there."""
    if not scene.sql(node, "SHOW TABLES FROM bank LIKE 'compared'"):
        return 0
    return int(scene.sql(node, f"SELECT COUNT(*) AS n FROM {TABLE}")[0]["n"])


def unseen(scene: Scene, node: str, *statements: str) -> None:
    """In a session of which no log and no other node learns."""
    with scene.stack.lab.admin(node) as session:
        cursor = session.cursor()
        cursor.execute("SET SESSION wsrep_on=OFF, sql_log_bin=0, time_zone='+00:00', sql_mode=''")
        for statement in statements:
            cursor.execute(statement)
        session.commit()


def compared(scene: Scene, **given: object) -> Json:
    """A comparison at its end."""
    path = f"/links/{scene.console.link_id}/table-comparisons"
    begun = scene.console.call("POST", path, {"busy_percent": 90, **given})
    assert begun.status == 201, begun
    return wait_for(lambda: ended(scene, begun.body["id"]), "the comparison to end", 300 * scene.stack.patience)


def ended(scene: Scene, comparison: str) -> Json | None:
    """The comparison, once it has ended."""
    now: Json = scene.console.get(f"/table-comparisons/{comparison}")
    return None if now["state"] == "running" else now


def told(scene: Scene, comparison: Json) -> Json:
    """The rows that differ."""
    rows: Json = scene.console.get(f"/table-comparisons/{comparison['id']}/differences?limit=200")["results"]
    return rows


def named(rows: Json) -> set[tuple[str, str, str, int]]:
    """Table, node, how, and id of each."""
    return {(one["table"], one["node"], one["apart"], one["key"]["id"]) for one in rows}


def test_rows_that_no_log_tells_of__found_on_their_node_and_mended_by_what_is_exported(scene: Scene) -> None:
    source, replica = scene.pair()
    neighbour, far = scene.other(source), scene.other(replica)
    unseen(scene, neighbour, f"UPDATE {TABLE} SET f = f + 1 WHERE id = 17")
    unseen(scene, far, f"DELETE FROM {TABLE} WHERE id = {ROWS}", f"UPDATE {TABLE} SET t = 'a' WHERE id = 1500")
    unseen(scene, replica, f"INSERT INTO {TABLE} (id, t) VALUES (-4, 'ß')")
    found = compared(scene, every_node=True)
    assert found["state"] == "finished", found
    reference = found["nodes"][0]["name"]
    wanted = {(TABLE, far, "missing", ROWS), (TABLE, far, "different", 1500), (TABLE, replica, "extra", -4)}
    if reference == neighbour:  # then it is the others that differ from it
        wanted |= {(TABLE, node, "different", 17) for node in scene.nodes() if node != neighbour}
    else:
        wanted.add((TABLE, neighbour, "different", 17))
    rows = told(scene, found)
    assert named(rows) == wanted
    assert all(one["is_confirmed"] for one in rows), rows
    [row] = [one["id"] for one in rows if one["key"] == {"id": 1500}]
    told_by_logs = scene.console.get(f"/table-comparisons/{found['id']}/row-writers?difference={row}")["results"]
    assert [(one["node"], one["is_as_logged"]) for one in told_by_logs] == [(reference, True), (far, False)], (
        told_by_logs
    )
    assert all(one["last"]["operation"] == "insert" and one["last"]["written_on"] for one in told_by_logs), told_by_logs
    sentence = f"A comparison of tables found other rows on {far} than on {reference}: {TABLE}."
    scene.wait_link(lambda link: any(sentence in one["message"] for one in link["findings"]), "the link to say so")
    mend(scene, found)
    assert not told(scene, compared(scene, every_node=True, only=[TABLE]))


def mend(scene: Scene, comparison: Json) -> None:
    """Run what is exported for each node, as its head says."""
    for node in comparison["nodes"][1:]:
        path = f"/table-comparisons/{comparison['id']}/differences/export?format=sql&node={node['id']}"
        lines = [
            line for line in scene.console.file(path).splitlines() if line.startswith(("INSERT", "UPDATE", "DELETE"))
        ]
        unseen(scene, node["name"], *(line.rstrip(";") for line in lines))


@contextmanager
def written(scene: Scene, node: str) -> Iterator[None]:
    """One row of the table after the other is changed there, as fast as it goes."""
    is_over, changed = threading.Event(), threading.Event()

    def write() -> None:
        with scene.stack.lab.admin(node) as session:
            session.autocommit(True)
            cursor = session.cursor()
            for number in cycle(range(1, ROWS + 1)):
                if is_over.is_set():
                    return
                with suppress(OperationalError):  # another row's lock, or a certification that failed
                    cursor.execute(f"UPDATE {TABLE} SET n = COALESCE(n, 0) + 1, t = CONCAT('w', n) WHERE id = {number}")
                changed.set()

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    wait_for(changed.is_set, "the first change")
    try:
        yield
    finally:
        is_over.set()
        writer.join()


def test_table_that_is_written_all_the_time__only_what_differs_is_told(scene: Scene) -> None:
    source, replica = scene.pair()
    unseen(scene, replica, f"INSERT INTO {TABLE} (id, t) VALUES (-4, 'ß')")
    with written(scene, source):
        found = compared(scene, every_node=True, only=[TABLE])
    assert named(told(scene, found)) == {(TABLE, replica, "extra", -4)}
    assert found["rows"] == ROWS
    unseen(scene, replica, f"DELETE FROM {TABLE} WHERE id = -4")
