"""A fenced standby that takes writes again: named with its run, offered to be fenced, not fought over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.galera.console import Json, describe
from tests.galera.scene import Scene
from tests.galera.sites import begin, fences, switch, write_on_both_sides

pytestmark = pytest.mark.reported


def told(link: Json) -> Json | None:
    return next((one for one in link["findings"] if one["code"] == "standby_accepts_writes"), None)


def test_fenced_node__killed_and_started_writable__found_fenced_again_and_not_fought_over(scene: Scene) -> None:
    begin(scene)
    scene.stop_writes()
    run = switch(scene, "switchover")
    write_on_both_sides(scene, is_on=False)
    scene.write_on(replace(scene.load, sites=("b",)))
    side = [name for name in scene.nodes() if name.startswith("db-a")]
    opened = scene.other(scene.pair()[1])
    scene.kill(opened)
    scene.stack.lab.start(opened)
    assert fences(scene)[opened] == "0"

    link = scene.wait_link(told, "the open node to be found")
    finding = told(link)
    assert finding is not None
    assert finding["facts"]["nodes"] == [opened]
    assert f"Run {run['id']} (switchover) had fenced it at" in finding["message"]
    assert f"{opened} was restarted since" in finding["message"]
    assert link["state"] == "degraded"
    offered = scene.wait_link(lambda now: now["primary_action"], "the fence to be offered")
    assert offered["primary_action"]["kind"] == "fence_standby"

    closing = scene.console.run_planned("fence_standby")
    assert closing["state"] == "succeeded", describe(closing)
    assert {name: fences(scene)[name] for name in side} == dict.fromkeys(side, "1")
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")

    scene.sql(opened, "SET GLOBAL read_only=OFF")
    scene.wait_link(told, "the open node to be found again")
    contested = scene.wait_link(
        lambda now: now["readiness"]["fence_standby"]["state"] == "blocked", "the other program to be told"
    )
    assert contested["primary_action"] is None, contested["primary_action"]
    assert "Another program undoes the fence" in str(told(contested))
    scene.sql(opened, "SET GLOBAL read_only=ON")
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    scene.judge()
