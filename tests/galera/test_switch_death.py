"""kill -9 of the worker while the active side changes: it ends as an unbroken run, and one side takes writes.

Walked with HAWSER_WHOLE=1 only: some thirty deaths, each with a lease to run out.
"""

from __future__ import annotations

import signal

from tests.galera.console import Json, describe, sentences
from tests.galera.scene import Scene
from tests.galera.sites import begin, fences
from tests.galera.stack import wait_for

READING = ("step-start", "step-end")
STATEMENT = ("before-intent", "after-intent", "after-sql", "after-outcome")


def boundaries(plan: Json) -> list[str]:
    """Every boundary of the first step of each code: the others of a code are walked the same way."""
    firsts: dict[str, Json] = {}
    for step in plan["steps"]:
        firsts.setdefault(step["code"], step)
    return [
        f"{name}:{step['index']}"
        for step in firsts.values()
        for name in (*READING, *(STATEMENT if step["sql"] else ()))
    ]


def ready_switch(scene: Scene) -> Json:
    """A plan to the side that stands by."""
    plan = scene.console.plan("switchover")
    assert plan["state"] == "ready", sentences(plan)
    return plan


def settled(scene: Scene) -> None:
    """Both channels run again under the roles of the moment."""
    scene.wait_link(lambda now: now["state"] == "protected", 30, "the link to be protected")


def test_switchover__worker_killed_at_every_kind_of_boundary__one_side_takes_writes(scene: Scene) -> None:
    """There and back, dying each time somewhere else."""
    begin(scene)
    run = scene.console.run_planned("switchover")
    assert run["state"] == "succeeded", describe(run)
    settled(scene)
    whole = boundaries(ready_switch(scene))
    assert len(whole) > 20, whole
    with scene.stack.paused_worker():
        for boundary in whole:
            plan = ready_switch(scene)
            before = scene.console.link()
            started = scene.console.start(plan)
            if started.status == 409 and started.body["code"] == "facts_changed":
                plan = ready_switch(scene)
                started = scene.console.start(plan)
            assert started.status == 202, started
            run_id = started.body["id"]
            assert scene.stack.drive(run_id, f"{boundary}:kill") == -signal.SIGKILL, boundary
            wait_for(
                lambda run_id=run_id: (
                    scene.stack.drive(run_id) == 0 and scene.console.get(f"/runs/{run_id}")["state"] != "running"
                ),
                40,
                f"the run after {boundary}",
            )
            run = scene.console.wait_run(run_id)
            assert run["state"] == "succeeded", f"{boundary}: {describe(run)}"
            after = scene.wait_link(
                lambda now, old=before: now["active_cluster"]["id"] == old["standby_cluster"]["id"], 10, "the roles"
            )
            letter = "a" if after["active_cluster"]["name"] == "milan" else "b"
            closed = {name for name, fenced in fences(scene).items() if fenced == "1"}
            assert closed == {name for name in scene.nodes() if not name.startswith(f"db-{letter}")}, boundary
            settled(scene)
    scene.judge()
