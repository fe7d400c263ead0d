"""Relocate scenarios on the `gtid` lab, under load, with strict mode off and on, judged transaction by transaction."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from tests.galera import relocating
from tests.galera.console import describe, refusals, sentences
from tests.galera.scene import Scene
from tests.galera.stack import Stack, wait_for


@pytest.fixture(scope="module")
def variant() -> str:
    """This module's lab."""
    return "gtid"


def set_strict(stack: Stack, value: str) -> None:
    """gtid_strict_mode on every running node; one that restarts comes back as configured (OFF)."""
    for name in (node.name for node in stack.lab.nodes):
        if stack.lab.state(name) == "running":
            stack.lab.sql(name, f"SET GLOBAL gtid_strict_mode={value}")


def channels(scene: Scene) -> list[tuple[str, dict[str, Any]]]:
    """Every channel of every living node, with its node."""
    names = filter(scene.lives, scene.nodes())
    return [(name, channel) for name in names for channel in scene.sql(name, "SHOW ALL SLAVES STATUS")]


def runs(channel: dict[str, Any]) -> bool:
    """Both threads."""
    return bool(channel["Slave_IO_Running"] == channel["Slave_SQL_Running"] == "Yes")


def assert_by_gtid(scene: Scene, strict: str = "OFF") -> None:
    """Both channels are still in GTID mode, and strict mode of the nodes that hold them is what it was.

    A returned holder has the new one's server_id: until it was cleaned, each threw the other out at the source.
    """
    wait_for(lambda: [runs(channel) for _, channel in channels(scene)] == [True, True], 20, "two channels to run")
    for name, channel in channels(scene):
        assert channel["Using_Gtid"] == "Slave_Pos", channel
        assert scene.sql(name, "SELECT @@gtid_strict_mode AS s")[0]["s"] == int(strict == "ON")


@pytest.mark.parametrize(
    ("strict", "play"),
    [
        ("OFF", relocating.source_lost),
        ("OFF", relocating.planned_move),
        ("ON", relocating.replica_lost),
        ("ON", relocating.both_lost),
        ("ON", relocating.planned_move),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_relocate__by_gtid_under_load__every_write_exactly_once(
    scene: Scene, strict: str, play: Callable[[Scene], None]
) -> None:
    """Nothing lost, nothing doubled, nodes identical; channels follow GTIDs as before, strict mode is as it was."""
    set_strict(scene.stack, strict)
    play(scene)
    assert_by_gtid(scene, strict)


def test_relocate__ddl_last__every_write_exactly_once(scene: Scene) -> None:
    """The last group is DDL: no Xid, but a GTID."""
    set_strict(scene.stack, "OFF")
    relocating.ddl_last(scene)
    assert_by_gtid(scene)


def test_relocate__gtid_slave_pos_differs_on_a_neighbour__refused_by_name_then_mended(scene: Scene) -> None:
    """A node that says it applied more than its cluster holds (as after a failed DDL) stops the move."""
    set_strict(scene.stack, "OFF")
    source, replica = scene.pair()
    scene.quiet()
    neighbour = scene.other(replica)
    kept = scene.sql(neighbour, "SELECT @@GLOBAL.gtid_slave_pos AS p")[0]["p"]
    domain, server, seq = next(g for g in kept.split(",") if g.startswith("100-")).split("-")
    scene.sql(neighbour, f"SET GLOBAL gtid_slave_pos='{domain}-{server}-{int(seq) + 5}'")
    scene.kill(source)
    plan = scene.console.plan()
    assert "gtid_slave_pos_differs" in refusals(plan), plan["findings"]
    assert f"{neighbour}: {domain}-{server}-{int(seq) + 5}" in sentences(plan)

    scene.sql(neighbour, f"SET GLOBAL gtid_slave_pos='{kept}'")
    scene.console.relocate()
    scene.stack.lab.load_start(scene.load)
    scene.judge()


def test_run__worker_killed_around_gtid_position__ends_as_unbroken(scene: Scene) -> None:
    """kill -9 before and after SET GLOBAL gtid_slave_pos: the successor looks at the server first."""
    set_strict(scene.stack, "ON")
    with scene.stack.paused_worker():
        for boundary, nth in (("after-intent", 0), ("after-sql", 0), ("after-outcome", 1)):
            source, replica = scene.pair_now()
            plan = scene.console.plan(
                source_node=scene.console.node_id(scene.other(source)),
                replica_node=scene.console.node_id(scene.other(replica)),
            )
            step = [s["index"] for s in plan["steps"] if s["code"] == "gtid_position"][nth]
            run_id = scene.console.start(plan).body["id"]
            assert scene.stack.drive(run_id, f"{boundary}:{step}:kill") == -signal.SIGKILL
            wait_for(lambda run_id=run_id: ended(scene, run_id), 60, f"the run after {boundary}:{step}")
            run = scene.console.wait_run(run_id)
            assert run["state"] == "succeeded", describe(run)
            assert run["verification"]["verdict"] == "verified"
            assert_by_gtid(scene, "ON")
    scene.judge()


def ended(scene: Scene, run_id: str) -> bool:
    """Drive the run once more; whether it is over."""
    scene.stack.drive(run_id)
    return bool(scene.console.get(f"/runs/{run_id}")["state"] != "running")
