"""A third server that feeds one side, and channels by addresses that no node has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.galera.console import Json, describe, refusals, sentences
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.third_server import SERVER_ID, forwarder, third_server, writing
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported


def channel_of(scene: Scene, node: str) -> dict[str, Any]:
    """The link's channel of a node, as its server shows it."""
    (row,) = [row for row in scene.sql(node, "SHOW ALL SLAVES STATUS") if not row["Connection_name"]]
    return dict(row)


def ignored_by(scene: Scene, node: str) -> set[int]:
    """What that channel ignores."""
    return {int(text) for text in channel_of(scene, node)["Replicate_Ignore_Server_Ids"].split(",")}


def ignore(scene: Scene, node: str, *server_ids: int) -> None:
    """As an administrator: the channel ignores these as well from now on."""
    listed = ",".join(map(str, sorted({*ignored_by(scene, node), *server_ids})))
    for statement in ("STOP SLAVE", f"CHANGE MASTER TO IGNORE_SERVER_IDS=({listed})", "START SLAVE"):
        scene.sql(node, statement)


def is_named(link: Json) -> bool:
    """Whether the link is well, and says whose transactions it has besides."""
    return link["state"] == "protected" and any(f["code"] == "foreign_origin" for f in link["findings"])


def rows_of(scene: Scene, node: str) -> int:
    """What a node has of the third server."""
    return int(scene.sql(node, "SELECT COUNT(*) AS n FROM third.entry")[0]["n"])


def redirect(scene: Scene, node: str, host: str, port: int) -> None:
    """As an administrator: the channel reads from another address, at the place where it is."""
    scene.sql(node, "STOP SLAVE")
    row = channel_of(scene, node)
    scene.sql(
        node,
        f"CHANGE MASTER TO MASTER_HOST='{host}', MASTER_PORT={port}, MASTER_LOG_FILE='{row['Relay_Master_Log_File']}', "
        f"MASTER_LOG_POS={row['Exec_Master_Log_Pos']}",
    )
    scene.sql(node, "START SLAVE")


def test_channels__by_a_forwarder__shown_and_nothing_beside_them_until_they_name_their_node(scene: Scene) -> None:
    scene.stop_writes()
    source, replica = scene.pair()
    ports = {name: scene.stack.lab.node(name) for name in (source, replica)}
    with (
        forwarder(ports[source].host, ports[source].port) as to_source,
        forwarder(ports[replica].host, ports[replica].port) as to_replica,
    ):
        redirect(scene, replica, "127.0.0.1", to_source)
        redirect(scene, source, "127.0.0.1", to_replica)
        link = scene.wait_link(lambda now: now["state"] == "unknown", "the channels to be shown as what they are")
        assert f"127.0.0.1:{to_source}" in link["sentence"], link["sentence"]
        assert link["primary_action"] is None
        found = {f["facts"]["node"]: f for f in link["findings"] if f["code"] == "channel_source_unregistered"}
        assert set(found) == {source, replica}
        for kind in ("create_channels", "relocate", "start_channel", "switchover"):
            assert scene.console.plan(kind)["state"] == "refused", kind
        assert "channel_source_unregistered" in refusals(scene.console.plan("create_channels"))
        scene.write_on()
        scene.judge()
        scene.stack.lab.load_stop()
        # the remedy: the registered address, at the place where it is
        redirect(scene, replica, ports[source].host, ports[source].port)
        redirect(scene, source, ports[replica].host, ports[replica].port)
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    scene.write_on()
    run = scene.console.relocate(source_node=scene.console.node_id(scene.other(source)))
    assert run["state"] == "succeeded", (describe(run), sentences(run))
    scene.judge()


def test_relocate__third_server_writes_to_the_active_side__kept_out_of_what_comes_home_and_arrives_once(
    scene: Scene, tmp_path: Path
) -> None:
    scene.stack.is_given_up = True  # its id stays in the logs of every node
    source, replica = scene.pair()
    ignore(scene, source, SERVER_ID)
    feeder = scene.other(source)
    with third_server(scene, tmp_path) as third:
        third.sql("CREATE DATABASE third")
        third.sql("CREATE TABLE third.entry (id INT AUTO_INCREMENT PRIMARY KEY)")
        third.feed(feeder)
        with writing(third):
            wait_for(lambda: scene.sql(replica, "SHOW DATABASES LIKE 'third'"), "the third server to reach site b")
            scene.wait_link(is_named, "it to be named on the page of a link that is well")
            new = scene.other(source, than=(feeder,)), scene.other(replica)
            run = scene.console.relocate(
                source_node=scene.console.node_id(new[0]), replica_node=scene.console.node_id(new[1])
            )
            assert scene_pair(run) == new
            assert SERVER_ID in ignored_by(scene, new[0])
            assert SERVER_ID not in ignored_by(scene, new[1])
            plan = scene.console.get(f"/plans/{run['plan_id']}")
            named = [f["facts"] for f in plan["findings"] if f["code"] == "foreign_origin"]
            assert {(one["direction"], one["way"]) for one in named} == {
                ("forward", "by_the_other_side"),
                ("reverse", "ignored"),
            }
        written = int(third.sql("SELECT COUNT(*) AS n FROM third.entry")[0]["n"])
        assert written
        for name in scene.nodes():
            wait_for(lambda name=name: rows_of(scene, name) == written, f"{name} to have what the third server wrote")
        scene.judge()
        errors = [row["Last_SQL_Errno"] for name in scene.nodes() for row in scene.sql(name, "SHOW ALL SLAVES STATUS")]
        assert set(errors) == {0}
