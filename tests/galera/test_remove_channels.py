"""Replication of a link ends under load: no channel is left, and the recorded positions bring back every write."""

from __future__ import annotations

from typing import Any

from tests.galera.console import Json, assert_refused, describe
from tests.galera.scene import Scene
from tests.support.waiting import wait_for


def channels(scene: Scene) -> list[tuple[str, dict[str, Any]]]:
    """Every channel of every node, with its node."""
    return [(name, row) for name in scene.nodes() for row in scene.sql(name, "SHOW ALL SLAVES STATUS")]


def set_up(scene: Scene, node: str, like: dict[str, Any], file: str, position: int) -> None:
    """A channel by hand, at a position, with the options of another; not started."""
    account = scene.stack.lab.accounts["replication"]
    scene.sql(
        node,
        f"CHANGE MASTER TO MASTER_HOST='{like['Master_Host']}', MASTER_PORT={like['Master_Port']}, "
        f"MASTER_USER='{account.user}', MASTER_PASSWORD='{account.password}', MASTER_CONNECT_RETRY=2, "
        f"MASTER_HEARTBEAT_PERIOD=2, IGNORE_SERVER_IDS=({like['Replicate_Ignore_Server_Ids'].replace(' ', '')}), "
        f"MASTER_LOG_FILE='{file}', MASTER_LOG_POS={position}, MASTER_USE_GTID=no",
    )


def set_up_again(scene: Scene, removed: list[Json], before: dict[str, dict[str, Any]]) -> None:
    """Both channels at the positions that the result of the run has."""
    for channel in removed:
        set_up(scene, channel["node"], before[channel["node"]], channel["file"], channel["position"])
        scene.sql(channel["node"], "START SLAVE")
    scene.wait_link(lambda now: now["state"] == "protected", "the channels set up by hand to replicate")


def test_remove__under_load_with_a_stray_channel__none_left_and_every_write_arrives_once_set_up_again(
    scene: Scene,
) -> None:
    source, replica = scene.pair()
    before = dict(channels(scene))
    assert set(before) == {source, replica}
    third = scene.other(replica)
    set_up(scene, third, before[replica], before[replica]["Relay_Master_Log_File"], 4)
    scene.wait_link(lambda now: any(c["stray"] for c in now["channels"]), "the stray channel to be seen")

    run = scene.console.run_planned("remove_channels")

    assert run["state"] == "succeeded", describe(run)
    assert channels(scene) == []
    removed = run["verification"]["removed_channels"]
    assert {(c["direction"], c["node"], c["source_name"]) for c in removed} == {
        ("forward", replica, source),
        ("reverse", source, replica),
        ("forward", third, source),
    }
    ended = [row for row in scene.console.get("/audit?limit=100")["results"] if row["action"] == "worker:run:succeeded"]
    assert ended[0]["facts"]["removed_channels"] == removed

    # The load goes on: both sides diverge, and nothing offers to move a channel that does not exist.
    scene.wait_writes()
    link = scene.wait_link(lambda now: not now["channels"], "the link to have no channel")
    assert link["primary_action"]["kind"] == "create_channels", link["primary_action"]
    assert_refused(scene.console.plan("remove_channels"), "no_channel_to_remove")
    assert_refused(scene.console.plan("relocate"), "channel_unknown")
    verdict = scene.stack.lab.verify(seconds=5)
    assert verdict.faults["lost"], "the sides did not diverge"

    set_up_again(scene, [c for c in removed if c["node"] != third], before)
    wait_for(lambda: all(c["gap_transactions"] == 0 for c in scene.console.link()["channels"]), "both to catch up")
    scene.judge()
