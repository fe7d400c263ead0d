"""A reprotect stops behind its undo because its node is down: nothing but a reprotect may take over.

A relocate found the reverse place where the sides had diverged, in front of the orphans and of their undo, and carried
both to the survivor (reproduced in the simulation before other plans were made to wait).
"""

from __future__ import annotations

from tests.galera.console import describe, refusals, sentences
from tests.galera.rebuild import judge_exactly
from tests.galera.scene import Scene
from tests.galera.sites import begin, fence_and_list, orphaned_site, switch
from tests.galera.worker_kill import carried_on, kill_worker, started
from tests.support.waiting import wait_for


def test_reprotect__its_node_dies_behind_the_undo__another_reprotect_ends_it_and_no_orphan_comes_over(
    scene: Scene,
) -> None:
    begin(scene)
    gone = orphaned_site(scene)
    scene.stack.stated_losses |= fence_and_list(scene)
    with scene.stack.paused_worker():
        plan, run = started(scene, "reprotect", orphans="undo")
        point = next(step for step in plan["steps"] if step["code"] == "change_source")
        kill_worker(scene, run["id"], f"step-start:{point['index']}")
        dead = plan["target"]["replica_name"]
        dead = dead if dead.startswith("db-a") else plan["target"]["source_name"]
        scene.kill(dead)
        wait_for(lambda: scene.reach(dead) == "down", "its death to be seen")
        wait_for(lambda: carried_on(scene, run["id"]), "the run to stop", 120)
    stopped = scene.console.get(f"/runs/{run['id']}")
    assert stopped["state"] == "needs_operator", describe(stopped)
    link = scene.console.link()
    assert "side_not_attached" in {finding["code"] for finding in link["findings"]}, link["findings"]
    relocate = scene.console.plan("relocate")
    assert "reprotect_first" in refusals(relocate), sentences(relocate)
    second = scene.console.run_planned("reprotect", orphans="undo", limit_s=400)
    assert second["state"] == "succeeded", describe(second)
    assert second["verification"]["verdict"] == "verified", second["verification"]
    scene.heal()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    judge_exactly(scene, gone)
    switch(scene, "failback", allow_long_transactions=True)
