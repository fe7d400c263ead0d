"""The recipe of 2014 on the `aligned` lab: it agrees while the counters are level, and is refused once they drift.

Only the active side is written to where the hint is to agree: every write of the standby's own moves its counter.
Walked with HAWSER_WHOLE=1 only: bringing counters level needs statements that bear the other side's server_id, and
where they come last in a stream its position is refused, rightly.
"""

from __future__ import annotations

from typing import Any

import pytest

from deploy.lab.load.control import Order
from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

VARIANT = "aligned"
COUNTERS_DIFFER = False


@pytest.fixture(scope="module")
def load() -> Order:
    """The active side writes, as in the recipe; no DDL, which carries no Xid to look up."""
    return Order(writers=2, rate=20.0, ddl_every=3000.0, seconds=3000, sites=("a",))


def hint_of(plan: dict[str, Any]) -> dict[str, Any]:
    """What the aligned family says of the forward position."""
    return next(e for e in plan["positions"][0]["evidence"] if e["family"] == "aligned_seqno")


def relocate_with(scene: Scene) -> dict[str, Any]:
    """Plan and run; the plan, once its run succeeded."""
    run = scene.console.run_planned("relocate")
    assert run["state"] == "succeeded", describe(run)
    return scene.console.get(f"/plans/{run['plan_id']}")


def counters(scene: Scene) -> list[int]:
    """Both clusters' wsrep_last_committed, on nodes that live."""
    nodes = [next(n for n in scene.nodes() if n.startswith(site) and scene.is_up(n)) for site in ("db-a", "db-b")]
    return [int(scene.sql(n, "SHOW STATUS LIKE 'wsrep_last_committed'")[0]["Value"]) for n in nodes]


def align_counters(scene: Scene) -> None:
    """Bring the lower counter up by statements that stay on their side; what was under way may still move one."""
    wait_for(lambda: is_level(scene), "the counters to come level", pause_s=0.5, seen=lambda _: counters(scene))


def is_level(scene: Scene) -> bool:
    """Whether both counters stood level; if not, as many statements follow as one is behind the other."""
    low, high = counters(scene)
    sites = ("db-a1", "db-b1") if low < high else ("db-b1", "db-a1")
    other = scene.sql(sites[1], "SELECT @@server_id AS id")[0]["id"]
    with scene.stack.lab.admin(sites[0]) as connection, connection.cursor() as cursor:
        cursor.execute(f"SET SESSION server_id={other}")
        for _ in range(abs(high - low)):
            cursor.execute("FLUSH TABLES bank.markers")
    return low == high


def test_relocate__counters_level__the_recipe_names_the_place_that_content_proves(scene: Scene) -> None:
    """The 2014 recipe literally, with writes going on: accepted, because the groups there are the same."""
    scene.stop_writes()
    align_counters(scene)
    scene.write_on()
    scene.look_again()
    source, _ = scene.pair()
    scene.kill(source)
    plan = relocate_with(scene)
    hint = hint_of(plan)
    assert hint["agrees"] is True, hint
    assert hint["facts"]["accepted"] is True
    assert hint["facts"]["seqno"] == plan["positions"][0]["seqno"]
    scene.judge()


def test_relocate__counters_drifted__the_hint_is_refused_by_name_and_the_move_still_proven(
    scene: Scene,
) -> None:
    """Three total-order statements on one side: the recipe would leave three transactions out."""
    scene.stop_writes()
    align_counters(scene)
    source, replica = scene.pair()
    source_id = scene.sql(source, "SELECT @@server_id AS id")[0]["id"]
    with scene.stack.lab.admin(replica) as connection, connection.cursor() as cursor:
        cursor.execute(f"SET SESSION server_id={source_id}")
        for _ in range(3):
            cursor.execute("FLUSH TABLES bank.markers")
    scene.write_on()
    scene.look_again()
    scene.kill(source)
    plan = relocate_with(scene)
    hint = hint_of(plan)
    assert hint["agrees"] is None, hint
    assert hint["facts"]["accepted"] is False
    assert hint["facts"]["drift"] == 3
    assert "drifted by +3" in hint["detail"]
    assert plan["positions"][0]["proven"] is True
    scene.judge()
