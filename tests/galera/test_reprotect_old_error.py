"""The returned side's own channel stopped on an error before the reprotect: that error is over once its cause is."""

from __future__ import annotations

import pytest

from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.galera.sites import begin, fail_over, fence_and_list, lose_site, reprotect, restart_site, switch
from tests.support.waiting import wait_for

SCHEMA, NAME = "bank", "written_on_both_sides"
TABLE = f"{SCHEMA}.{NAME}"
DUPLICATE_KEY = 1062


@pytest.mark.parametrize("way", ["undo", pytest.param("replay", marks=pytest.mark.whole)])
def test_reprotect__returned_channel_stopped_on_an_orphans_key__started_once_the_orphan_is_undone(
    scene: Scene, way: str
) -> None:
    """An orphan's key was written on the survivor, too: the old channel stops on 1062 as the side returns."""
    begin(scene)
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.stop_writes()
    source, replica = scene.pair()
    scene.sql(source, f"CREATE TABLE IF NOT EXISTS {TABLE} (id CHAR(8) PRIMARY KEY, site CHAR(1))")
    wait_for(lambda: scene.sql(replica, f"SHOW TABLES IN {SCHEMA} LIKE '{NAME}'"), "the standby to have the table")
    scene.sql(replica, "STOP SLAVE IO_THREAD")
    scene.sql(source, f"INSERT INTO {TABLE} VALUES ('{way}', 'a')")
    lose_site(scene, lost)
    fail_over(scene, lost, accept_loss=True)
    scene.sql(replica, f"INSERT INTO {TABLE} VALUES ('{way}', 'b')")
    restart_site(scene)
    wait_for(lambda: DUPLICATE_KEY in sql_errors(scene, lost), "the returned side's channel to stop")
    fence_and_list(scene)

    run = reprotect(scene, orphans=way, **({"skip_conflicts": True} if way == "replay" else {}))
    assert run["state"] == "succeeded", describe(run)
    assert sql_errors(scene, lost) <= {0}
    for name in scene.nodes():
        assert scene.sql(name, f"SELECT site FROM {TABLE} WHERE id = '{way}'")[0]["site"] == "b"
    switch(scene, "failback", allow_long_transactions=True)
    scene.judge()


def sql_errors(scene: Scene, names: list[str]) -> set[int]:
    """`Last_SQL_Errno` of every channel of these nodes."""
    return {int(row["Last_SQL_Errno"]) for name in names for row in scene.sql(name, "SHOW ALL SLAVES STATUS")}
