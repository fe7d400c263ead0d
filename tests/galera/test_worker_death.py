"""kill -9 of the worker at boundaries of a relocate: it ends as an unbroken one, nothing is sent twice."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter

import pytest

from tests.galera.console import Json, describe
from tests.galera.relocate import CHANGING_STEPS, IS_WHOLE, STEPS, plan_to_others
from tests.galera.scene import Scene
from tests.galera.worker_kill import READING, STATEMENT, carried_on, kill_worker
from tests.support.waiting import wait_for

# The second step of a code is walked as the first one is. A successor knows least of a statement whose intent alone is
# stored: sent or not, it looks the same. The core walks every transition; HAWSER_WHOLE=1 kills at all 68 here, too.
FIRSTS = (0, 1, 3, 5, 7, 9, 11, 13)
WALKED = tuple(range(STEPS)) if IS_WHOLE else FIRSTS
AT_STEPS = READING if IS_WHOLE else READING[:1]
AT_STATEMENTS = STATEMENT if IS_WHOLE else ("after-intent", "after-sql")
BOUNDARIES = [f"{b}:{step}" for step in WALKED for b in AT_STEPS if IS_WHOLE or step not in CHANGING_STEPS] + [
    f"{b}:{step}" for step in CHANGING_STEPS if step in WALKED for b in AT_STATEMENTS
]
PER_SCENE = 13
PORTIONS = [BOUNDARIES[i : i + PER_SCENE] for i in range(0, len(BOUNDARIES), PER_SCENE)]


def killed_at(scene: Scene, boundary: str) -> Json:
    """A run whose first worker is killed at the boundary and whose second one carries it to its end."""
    plan = plan_to_others(scene)
    scene.watch_statements()
    started = scene.console.start(plan)
    assert started.status == 202, started
    run_id = started.body["id"]
    kill_worker(scene, run_id, boundary)
    wait_for(lambda: carried_on(scene, run_id), f"the run after {boundary}")
    return scene.console.wait_run(run_id)


@pytest.mark.parametrize("boundaries", PORTIONS, ids=lambda portion: f"{portion[0]}..{portion[-1]}")
def test_run__worker_killed_at_boundary__ends_as_unbroken(scene: Scene, boundaries: list[str]) -> None:
    """Same end, each planned statement seen by the servers exactly once, every write exactly once."""
    with scene.stack.paused_worker():
        for boundary in boundaries:
            run = killed_at(scene, boundary)
            assert run["state"] == "succeeded", f"{boundary}: {describe(run)}"
            assert run["verification"]["verdict"] == "verified"
            assert scene.pair_now() == (run["target"]["source_name"], run["target"]["replica_name"])
            planned = Counter(
                (step["node"], " ".join(s["sql"].split()[:3])) for step in run["steps"] for s in step["statements"][-1:]
            )
            assert Counter(scene.seen_statements()) == planned, boundary
    scene.judge()


def test_run__celery_worker_killed_whole__another_takes_over(scene: Scene) -> None:
    """The real worker's whole process group is killed in the middle; the demo starts another, which goes on."""
    plan = plan_to_others(scene)
    started = scene.console.start(plan)
    run_id = started.body["id"]
    wait_for(lambda: scene.console.get(f"/runs/{run_id}")["state"] != "queued", "the run to begin", pause_s=0.01)
    pid = scene.stack.worker_pid()
    os.killpg(os.getpgid(pid), signal.SIGKILL)
    run = scene.console.wait_run(run_id, 60)
    assert run["state"] == "succeeded", describe(run)
    scene.judge()


def test_run__worker_sleeps_past_its_lease__its_statement_is_refused(scene: Scene) -> None:
    """SIGSTOP after the intent: the successor ends its session; awake again it changes nothing."""
    plan = plan_to_others(scene)
    with scene.stack.paused_worker():
        scene.watch_statements()
        run_id = scene.console.start(plan).body["id"]
        sleeper = scene.stack.drive_in_background(run_id, "after-intent:7:stop")
        wait_for(lambda: scene.stack.is_stopped(sleeper), "the worker to fall asleep")
        time.sleep(4.5)  # its lease of 4 s runs out
        assert scene.stack.drive(run_id) == 0
        run = scene.console.wait_run(run_id)
        sleeper.send_signal(signal.SIGCONT)
        assert sleeper.wait(timeout=30) is not None
    assert run["state"] == "succeeded", describe(run)
    current = scene.console.get(f"/runs/{run_id}")
    assert current["state"] == "succeeded"
    points = [what for _, what in scene.seen_statements() if what.startswith("CHANGE MASTER")]
    assert len(points) == 2
    scene.judge()
