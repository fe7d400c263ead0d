"""A relocate is proven whatever the last groups do to how many tables, and whatever settings log them."""

from __future__ import annotations

import pytest

from tests.galera.console import sentences
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene, restart_with
from tests.support.waiting import wait_for

VARIANT = "classic"
TABLES = """
CREATE TABLE IF NOT EXISTS bank.orders (id INT PRIMARY KEY, note VARCHAR(600))
CREATE TABLE IF NOT EXISTS bank.order_log (id INT AUTO_INCREMENT PRIMARY KEY, order_id INT)
CREATE OR REPLACE TRIGGER bank.order_ai AFTER INSERT ON bank.orders FOR EACH ROW
 INSERT INTO bank.order_log (order_id) VALUES (NEW.id)
CREATE TABLE IF NOT EXISTS bank.parents (id INT PRIMARY KEY, v INT)
CREATE TABLE IF NOT EXISTS bank.children (id INT PRIMARY KEY, parent INT, v INT,
 FOREIGN KEY (parent) REFERENCES bank.parents (id) ON DELETE CASCADE)
""".replace("\n ", " ")
ROWS = 8


@pytest.fixture
def tables(scene: Scene) -> Scene:
    """Tables with a trigger and a cascade, with rows; the sites' own load stands."""
    scene.stop_writes()
    source, _ = scene.pair()
    for statement in TABLES.strip().splitlines():
        scene.sql(source, statement)
    for n in range(ROWS):
        scene.sql(source, f"REPLACE INTO bank.parents VALUES ({n}, 0)")
        scene.sql(source, f"REPLACE INTO bank.children VALUES ({n}, {n}, 0)")
    return scene


def write_everything(scene: Scene, node: str) -> None:
    """A trigger, a cascade, an update of two tables; again and again, so that they are the last groups."""
    first = 1 + scene.sql(node, "SELECT COALESCE(MAX(id), 0) AS n FROM bank.orders")[0]["n"]
    for n in range(ROWS):
        scene.sql(node, f"INSERT INTO bank.orders VALUES ({first + n}, REPEAT('x', 500))")
        scene.sql(node, "UPDATE bank.parents p, bank.children c SET p.v = p.v + 1, c.v = c.v + 1 WHERE c.parent = p.id")
        scene.sql(node, f"DELETE FROM bank.parents WHERE id = {n}")


def move_off(scene: Scene, *, candidates: tuple[str, ...] = ()) -> dict[str, object]:
    """The source of the forward channel fails; the move off it is proven and nothing is missing."""
    source, replica = scene.pair()
    write_everything(scene, scene.other(source, than=candidates))
    scene.wait_drained()
    scene.kill(source)
    plan = scene.console.plan(**{"source_node": scene.console.node_id(candidates[0])} if candidates else {})
    assert plan["state"] == "ready", sentences(plan)
    run = scene.console.run(plan)
    assert run["state"] == "succeeded", run["outcome"]
    assert run["verification"]["verdict"] == "verified", run["verification"]
    assert scene_pair(run)[1] == replica
    new = scene_pair(run)[0]
    for table in ("orders", "order_log", "parents", "children"):
        query = f"SELECT COUNT(*) AS n FROM bank.{table}"
        wait_for(lambda q=query: scene.sql(replica, q) == scene.sql(new, q), f"{table} to be the same")
    scene.write_on()
    scene.judge()
    return plan


@pytest.mark.parametrize("is_writer_the_new_source", [False, pytest.param(True, marks=pytest.mark.whole)])
def test_relocate__triggers_cascades_and_several_tables__proven(
    tables: Scene, *, is_writer_the_new_source: bool
) -> None:
    """An applier maps tables in the opposite order each time, and a cascade's child again."""
    source, _ = tables.pair()
    third = tables.other(source, than=(tables.other(source),))
    move_off(tables, candidates=() if is_writer_the_new_source else (third,))


@pytest.mark.whole
def test_relocate__settings_differ__said_before_and_proven(tables: Scene) -> None:
    """Row images, compression, metadata and statements' texts differ from node to node, as the sites grew."""
    source, replica = tables.pair()
    candidate = tables.other(source)
    odd = {
        candidate: ("binlog_row_image = MINIMAL", "binlog_row_metadata = FULL"),
        replica: ("log_bin_compress = ON", "replicate_annotate_row_events = OFF"),
    }
    were = {name: restart_with(tables, name, *options) for name, options in odd.items()}
    try:
        seen = tables.wait_link(lambda now: now["state"] == "protected", "the channels to run again")
        codes = {"row_image_partial", "log_compression_differs", "statement_text_dropped"}
        wait_for(lambda: codes <= {f["code"] for f in tables.console.link()["findings"]}, f"findings, not {seen}")
        plan = move_off(tables, candidates=(candidate,))
        assert codes <= {f["code"] for f in plan["findings"]}
    finally:
        for name, was in were.items():
            tables.stack.lab.paths.config(name).write_text(was)
            if tables.is_up(name):
                tables.stack.lab.stop(name)
                tables.stack.lab.start(name)
