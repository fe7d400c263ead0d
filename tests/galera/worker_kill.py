"""kill -9 of the worker at a boundary of a run, and the successor that carries it to its end."""

from __future__ import annotations

import signal

from tests.galera.console import Json, describe, sentences
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

READING = ("step-start", "step-end")
STATEMENT = ("before-intent", "after-intent", "after-sql", "after-outcome")
MANY = ("replay", "undo_orphans")
DEATHS_IN_MANY = 3


def boundaries(plan: Json) -> list[str]:
    """Every boundary of the first step of each code, as `boundary:code`; the others of a code are walked the same."""
    firsts: dict[str, Json] = {}
    for step in plan["steps"]:
        firsts.setdefault(step["code"], step)
    return [
        f"{name}:{code}" for code, step in firsts.items() for name in (*READING, *(STATEMENT if step["sql"] else ()))
    ]


def started(scene: Scene, kind: str, **options: object) -> tuple[Json, Json]:
    """Plan and confirm; a plan overtaken by the facts is made again. The plan and its run."""
    for _ in range(5):
        plan = scene.console.plan(kind, **options)
        assert plan["state"] == "ready", sentences(plan)
        answer = scene.console.start(plan)
        if answer.status != 409 or answer.body["code"] != "facts_changed":
            break
    assert answer.status == 202, answer
    return plan, answer.body


def dies_at(scene: Scene, boundary: str, kind: str, **options: object) -> Json:
    """A run whose first worker is killed at `boundary:code` and whose successor ends it; it must succeed.

    The last step of a code is taken: an earlier one may find its deed done and send nothing (a
    returned replica's channel already stands where it is to be pointed).
    """
    plan, run = started(scene, kind, **options)
    name, wanted = boundary.split(":")
    index = max(step["index"] for step in plan["steps"] if step["code"] == wanted)
    kill_worker(scene, run["id"], f"{name}:{index}")
    wait_for(lambda: carried_on(scene, run["id"]), f"the {kind} after {boundary}")
    ended = scene.console.wait_run(run["id"])
    assert ended["state"] == "succeeded", f"{kind} {boundary}: {describe(ended)}"
    assert ended["verification"]["verdict"] == "verified", f"{kind} {boundary}"
    return ended


def kill_worker(scene: Scene, run_id: str, boundary: str) -> None:
    """A worker takes the run and is killed at `boundary:step`.

    One whose record did not answer lets go and leaves with 0 (a busy file on a machine of two lanes): it is sent again.
    """
    for _ in range(3):
        code = scene.stack.drive(run_id, f"{boundary}:kill")
        if code == -signal.SIGKILL:
            return
        run = scene.console.get(f"/runs/{run_id}")
        if run["state"] not in ("queued", "running"):
            break
    raise AssertionError(f"the worker left with {code} instead of dying at {boundary}: {describe(run)}")


def carried_on(scene: Scene, run_id: str) -> bool:
    """Drive the run again; whether it is over."""
    scene.stack.drive(run_id)
    return bool(scene.console.get(f"/runs/{run_id}")["state"] != "running")


def dies_all_along(scene: Scene, boundary: str, kind: str, **options: object) -> list[int]:
    """A run whose workers die one after the other, each at the next step that passes the boundary; it must succeed.

    A step of many transactions has three workers killed in it. The steps they were killed in.
    """
    plan, run = started(scene, kind, **options)
    killed_in: list[int] = []
    while not _is_over(scene, run["id"]):
        code = scene.stack.drive(run["id"], f"{boundary}:{_next(plan, killed_in)}+:kill")
        if code == -signal.SIGKILL:
            killed_in.append(_current(scene.console.get(f"/runs/{run['id']}")))
        assert len(killed_in) <= len(plan["steps"]) * DEATHS_IN_MANY, f"{boundary}: {killed_in}"
    ended = scene.console.get(f"/runs/{run['id']}")
    assert ended["state"] == "succeeded", f"{kind} {boundary}, killed in {killed_in}: {describe(ended)}"
    assert ended["verification"]["verdict"] == "verified", f"{kind} {boundary}"
    return killed_in


def _is_over(scene: Scene, run_id: str) -> bool:
    return scene.console.get(f"/runs/{run_id}")["state"] not in ("queued", "running")


def _next(plan: Json, killed_in: list[int]) -> int:
    """The step the next worker is to die in, at the earliest."""
    if not killed_in:
        return 0
    is_repeated = plan["steps"][killed_in[-1]]["code"] in MANY and killed_in.count(killed_in[-1]) < DEATHS_IN_MANY
    return killed_in[-1] if is_repeated else killed_in[-1] + 1


def _current(run: Json) -> int:
    """The step a dead worker left under way."""
    return max(step["index"] for step in run["steps"] if step["state"] != "pending")
