"""Both sides wrote the same key: the row is shown, fixed as shown, and the channel started, under load."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

import pytest

from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

STOPPED = 1062


@pytest.mark.parametrize(("code", "name"), [("keep_source_row", "from the source"), ("keep_replica_row", "by hand")])
def test_same_key_on_both_sides__mended_as_shown__started_and_every_node_alike(
    scene: Scene, code: str, name: str
) -> None:
    source, replica = scene.pair()
    number = 1 if code == "keep_source_row" else 2
    scene.sql(source, "CREATE TABLE IF NOT EXISTS bank.clash (id INT PRIMARY KEY, name VARCHAR(20))")
    wait_for(lambda: scene.sql(replica, "SHOW TABLES IN bank LIKE 'clash'"), "the table to arrive")
    for node in (source, replica):
        scene.sql(node, "GRANT SELECT ON bank.* TO hawser_operator")
    with scene.stack.lab.admin(replica) as session:
        cursor = session.cursor()
        cursor.execute("SET SESSION sql_log_bin=0")
        cursor.execute(f"INSERT INTO bank.clash VALUES ({number}, 'by hand')")
    scene.sql(source, f"INSERT INTO bank.clash VALUES ({number}, 'from the source')")
    scene.wait_link(
        lambda now: any(f["facts"].get("errno") == STOPPED for f in now["findings"]), "the channel to stop on it"
    )

    error = scene.console.get(f"/links/{scene.console.link_id}/channel-error?direction=forward")
    assert error["state"] == "row_in_the_way", error
    assert (error["row"]["after"]["name"], error["row"]["replica"][0]["name"]) == ("from the source", "by hand")
    way = next(way for way in error["ways"] if way["code"] == code)
    fix = [one for one in way["statements"] if one["node"] != source]
    send(scene, fix)
    assert scene.console.get(f"/links/{scene.console.link_id}/channel-error")["state"] == "passes_now"

    run = scene.console.run_planned("start_channel", attest_error_over=True)

    assert run["state"] == "succeeded", describe(run)
    send(scene, [one for one in way["statements"] if one["node"] == source])
    # The row in the way was not logged on the replica, and was on its neighbours.
    wait_for(lambda: is_told(scene, "not logged"), "the write without a log to be told")
    scene.settle_settings()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    # The other direction then reads the log of a neighbour.
    scene.console.relocate(replica_node=scene.console.node_id(scene.other(replica)))
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    asked = f"SELECT name FROM bank.clash WHERE id = {number}"
    for node in scene.nodes():
        wait_for(lambda node=node: [row["name"] for row in scene.sql(node, asked)] == [name], f"{name} on {node}")
    scene.judge()


def is_told(scene: Scene, variable: str) -> bool:
    """Whether that is to be settled."""
    told = scene.console.get(f"/links/{scene.console.link_id}/unaccounted")["unsafe_settings"]
    return any(one["variable"] == variable for one in told)


def send(scene: Scene, statements: list[dict[str, str]]) -> None:
    """As a person does it: those of one node in one session."""
    for node, those in groupby(statements, key=itemgetter("node")):
        with scene.stack.lab.admin(node) as session:
            for one in those:
                cursor = session.cursor()
                cursor.execute(one["sql"])
                cursor.close()
            session.commit()
