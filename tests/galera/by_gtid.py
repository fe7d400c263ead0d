"""What scenarios on the `gtid` lab set and look at."""

from __future__ import annotations

from typing import Any

from tests.galera.scene import Scene
from tests.galera.stack import Stack
from tests.support.waiting import wait_for


def set_strict(stack: Stack, value: str) -> None:
    """gtid_strict_mode on every running node; one that restarts returns as configured (OFF)."""
    for name in (node.name for node in stack.lab.nodes):
        if stack.lab.state(name) == "running":
            stack.lab.sql(name, f"SET GLOBAL gtid_strict_mode={value}")


def channels(scene: Scene) -> list[tuple[str, dict[str, Any]]]:
    """Every channel of every living node, with its node."""
    names = filter(scene.is_up, scene.nodes())
    return [(name, channel) for name in names for channel in scene.sql(name, "SHOW ALL SLAVES STATUS")]


def runs(channel: dict[str, Any]) -> bool:
    """Both threads."""
    return bool(channel["Slave_IO_Running"] == channel["Slave_SQL_Running"] == "Yes")


def assert_by_gtid(scene: Scene, strict: str = "OFF") -> None:
    """Both channels are still in GTID mode, and strict mode of the nodes that hold them is what it was.

    A returned holder has the new one's server_id: until it was cleaned, each threw the other out at the source.
    """
    wait_for(lambda: [runs(channel) for _, channel in channels(scene)] == [True, True], "two channels to run")
    for name, channel in channels(scene):
        assert channel["Using_Gtid"] == "Slave_Pos", channel
        assert scene.sql(name, "SELECT @@gtid_strict_mode AS s")[0]["s"] == int(strict == "ON")
