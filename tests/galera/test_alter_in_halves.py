"""ALTER statements that their server logs in two halves, and texts that servers log in different words."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import MySQLdb
import pytest

from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

TWO_PHASE = "SET GLOBAL binlog_alter_two_phase = {}"
SLOW = "LENGTH(SHA2(REPEAT('a', 15000000 + v), 512))"
"""Of each row copied: the statement lasts long enough to be met by a kill."""


@pytest.fixture
def halves(scene: Scene) -> Iterator[Scene]:
    """Every node logs ALTER in two halves; the load stands."""
    scene.stop_writes()
    for node in scene.nodes():
        scene.sql(node, TWO_PHASE.format("ON"))
    yield scene
    for node in filter(scene.is_up, scene.nodes()):
        scene.sql(node, TWO_PHASE.format("OFF"))


def test_source_dies_within_an_alter__first_half_arrived__executed_once_on_every_node(halves: Scene) -> None:
    """Before it: an ALTER that failed, which the neighbours do not log, and statements that they log in other words."""
    scene = halves
    source, replica = scene.pair()
    other = scene.other(source)
    scene.sql(source, "CREATE OR REPLACE TABLE bank.halves (id INT AUTO_INCREMENT PRIMARY KEY, v INT)")
    scene.sql(source, f"INSERT INTO bank.halves (v) VALUES {', '.join(['(1)'] * 25)}")
    with pytest.raises(MySQLdb.Error, match="Duplicate"):
        scene.sql(source, "ALTER TABLE bank.halves ADD UNIQUE (v), ALGORITHM=COPY")
    scene.sql(source, "CREATE OR REPLACE EVENT bank.halves_event ON SCHEDULE EVERY 1 HOUR DO SELECT 1")
    scene.sql(source, "ALTER EVENT bank.halves_event COMMENT 'without a definer'")
    scene.sql(source, "DROP EVENT bank.halves_event")
    scene.sql(source, "CREATE OR REPLACE TABLE bank.halves_dropped (id INT PRIMARY KEY)")
    scene.sql(source, "DROP TABLE bank.halves_dropped")
    scene.wait_drained()
    end = scene.log_end(replica)

    def first_half() -> bool:
        events = scene.sql(replica, f"SHOW BINLOG EVENTS IN '{end.file}' FROM {end.position}")
        return any("START ALTER" in row["Info"] for row in events)

    with ThreadPoolExecutor(1) as client:
        alter = f"ALTER TABLE bank.halves ADD COLUMN added INT DEFAULT ({SLOW}), ALGORITHM=COPY"
        running = client.submit(scene.sql, source, alter)
        wait_for(first_half, "the first half to arrive", pause_s=0.02)
        scene.kill(source)
        with pytest.raises(MySQLdb.Error):
            running.result()
    wait_for(lambda: has_column(scene, other), f"{other} to execute the statement whole")
    assert not has_column(scene, replica)

    run = scene.console.relocate()

    assert run["verification"]["verdict"] == "verified", run["verification"]
    for node in filter(scene.is_up, scene.nodes()):
        wait_for(lambda node=node: has_column(scene, node), f"the column on {node}")
    scene.sql(other, "INSERT INTO bank.halves (v, added) VALUES (2, 7)")
    for node in filter(scene.is_up, scene.nodes()):
        wait_for(lambda node=node: scene.sql(node, "SELECT 1 FROM bank.halves WHERE added = 7"), f"the row on {node}")
    scene.write_on()
    scene.judge()


def has_column(scene: Scene, node: str) -> bool:
    """Whether the statement took effect there."""
    return bool(scene.sql(node, "SHOW COLUMNS FROM bank.halves LIKE 'added'"))
