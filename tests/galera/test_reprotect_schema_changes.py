"""A migration ran on the lost side alone: it is replayed or reverted, and both sites are equal."""

from __future__ import annotations

import pytest

from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.galera.sites import begin, fail_over, fence_and_list, lose_site, reprotect, restart_site, switch

TABLE = "bank.migrated"
MIGRATION = (
    f"ALTER TABLE {TABLE} ADD COLUMN author VARCHAR(20) NOT NULL DEFAULT 'unknown', ADD UNIQUE KEY body_u (body)",
    f"INSERT INTO {TABLE} (id, body, author) VALUES (2, 'second', 'ann')",
    f"UPDATE {TABLE} SET author = 'bob' WHERE id = 1",
    f"CREATE TABLE {TABLE}_notes (id INT PRIMARY KEY, note TEXT)",
    f"INSERT INTO {TABLE}_notes VALUES (1, 'a note')",
)
BEFORE, AFTER = [{"id": 1, "body": "first"}], [(1, "first", "bob"), (2, "second", "ann")]


@pytest.mark.parametrize("way", ["replay", pytest.param("undo", marks=pytest.mark.whole)])
def test_reprotect__migration_among_the_orphans__both_sites_have_it_or_neither(scene: Scene, way: str) -> None:
    begin(scene)
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.stop_writes()
    source, replica = scene.pair()
    scene.sql(source, f"DROP TABLE IF EXISTS {TABLE}, {TABLE}_notes")
    scene.sql(source, f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, body VARCHAR(40) NOT NULL)")
    scene.sql(source, f"INSERT INTO {TABLE} VALUES (1, 'first')")
    scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] == 0, "the standby to have everything")
    for name in (source, replica):
        scene.sql(name, "GRANT CREATE, ALTER, INDEX, DROP ON bank.* TO hawser_operator")
    scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] == 0, "the standby to have everything")
    scene.sql(replica, "STOP SLAVE IO_THREAD")
    for statement in MIGRATION:
        scene.sql(source, statement)
    lose_site(scene, lost)
    fail_over(scene, lost, accept_loss=True)
    restart_site(scene)
    fence_and_list(scene)

    run = reprotect(scene, orphans=way)
    assert run["state"] == "succeeded", describe(run)
    for name in scene.nodes():
        rows = scene.sql(name, f"SELECT * FROM {TABLE} ORDER BY id")
        notes = scene.sql(name, "SHOW TABLES FROM bank LIKE 'migrated_notes'")
        if way == "replay":
            assert [(int(row["id"]), row["body"], row["author"]) for row in rows] == AFTER, name
            assert len(notes) == 1, name
        else:
            assert [{"id": int(row["id"]), "body": row["body"]} for row in rows] == BEFORE, name
            assert set(rows[0]) == {"id", "body"}, name
            assert not notes, name
    switch(scene, "failback", allow_long_transactions=True)
    scene.judge()
