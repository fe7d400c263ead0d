"""A move behind which both sides hold the same."""

from __future__ import annotations

from typing import Any

from tests.galera.console import describe, sentences
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.support.record_log_contents import made
from tests.support.waiting import wait_for


def contents(scene: Scene, node: str) -> dict[str, list[str]]:
    """Every row of what the kind has made."""
    lab = scene.stack.lab
    return {name: sorted(map(repr, lab.sql(node, f"SELECT * FROM bank.{name}"))) for name, _ in made(lab, node)}


def move(scene: Scene, plan: dict[str, Any], replica: str) -> None:
    """The plan is ready and carried out; nothing is missing or doubled."""
    assert plan["state"] == "ready", sentences(plan)
    run = scene.console.run(plan)
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    new, holder = scene_pair(run)
    assert holder == replica
    wait_for(lambda: contents(scene, replica) == contents(scene, new), "both sides to hold the same")
    scene.write_on()
    scene.judge()
