"""Both sites live through a split and write the same rows: the returned side's old channel overwrites its orphans'."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.galera.sites import begin, fence_and_list, fences, reprotect, switch

TABLE = "bank.overwritten"
SAMPLED_S = 20
"""Beyond the 15 s that a plan looks back where its sample is a little old."""
ROWS = ("text", "counter", "removed", "alone")


@pytest.mark.parametrize("way", ["replay", pytest.param("undo", marks=pytest.mark.whole)])
def test_reprotect__old_channel_overwrote_orphans_rows__done_and_every_row_as_the_survivor_has_it(
    scene: Scene, way: str
) -> None:
    """`counter` is the same on both sides by chance: only the log tells that the survivor's change came last.

    The returned side's log lacks that change. While the channel moves, a plan cannot ask rows, so it waits until the
    monitor's samples lie behind it; the run itself asks them (tests/gateway/test_missing_groups.py).
    """
    begin(scene)
    scene.stop_writes()
    source, replica = scene.pair()
    scene.sql(source, f"CREATE TABLE IF NOT EXISTS {TABLE} (id CHAR(8) PRIMARY KEY, n INT, site CHAR(1))")
    scene.sql(source, f"REPLACE INTO {TABLE} VALUES " + ", ".join(f"('{name}', 1, '-')" for name in ROWS))
    scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] == 0, "the standby to have everything")
    scene.stack.lab.cut("a-b")
    try:
        scene.wait_link(lambda now: now["state"] == "broken", "the cut to show")
        for name in ("text", "removed", "alone"):
            scene.sql(source, f"UPDATE {TABLE} SET site = 'a' WHERE id = '{name}'")
        scene.sql(source, f"UPDATE {TABLE} SET n = n + 1 WHERE id = 'counter'")
        run = scene.console.run_planned("failover", accept_loss=True, override_partition=True, fence_on_return=False)
        assert run["state"] == "succeeded", describe(run)
        assert {value for name, value in fences(scene).items() if name.startswith("db-a")} == {"1"}
        scene.sql(replica, f"UPDATE {TABLE} SET site = 'b' WHERE id = 'text'")
        scene.sql(replica, f"UPDATE {TABLE} SET n = n + 1 WHERE id = 'counter'")
        scene.sql(replica, f"DELETE FROM {TABLE} WHERE id = 'removed'")
    finally:
        scene.stack.lab.heal()
    scene.wait_link(lambda now: now["channels"][0]["io_running"] == "Yes", "the sites to see each other again")
    scene.wait_link(lambda now: (now["primary_action"] or {}).get("kind") == "reprotect", "reprotect to be offered")
    sampled = datetime.now(UTC) + timedelta(seconds=SAMPLED_S)
    fence_and_list(scene)
    scene.wait_link(lambda now: datetime.fromisoformat(now["observed_at"]) > sampled, "samples from behind the move")

    run = reprotect(scene, orphans=way, **({"skip_conflicts": True} if way == "replay" else {}))
    assert run["state"] == "succeeded", describe(run)
    alone = "a" if way == "replay" else "-"
    for name in scene.nodes():
        found = {row["id"]: (int(row["n"]), row["site"]) for row in scene.sql(name, f"SELECT * FROM {TABLE}")}
        assert found == {"text": (1, "b"), "counter": (2, "-"), "alone": (1, alone)}, name
    switch(scene, "failback", allow_long_transactions=True)
    scene.judge()
