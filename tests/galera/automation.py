"""The automation of the scene's link, by its API."""

from __future__ import annotations

from tests.galera.console import Json
from tests.galera.scene import Scene


def call(scene: Scene, method: str, what: str, body: Json | None = None) -> Json:
    """A call below the link that must succeed."""
    answer = scene.console.call(method, f"/links/{scene.console.link_id}/{what}", body)
    assert answer.status in (200, 201), answer
    return answer.body


def allow(scene: Scene, mode: str) -> None:
    """Allow it from now on; what it did before is acknowledged."""
    call(scene, "PUT", "automation", {"mode": mode, "loss_for_s": 5, "block_s": 3600})
    call(scene, "POST", "automation/acknowledge", {"comment": "scenario"})
