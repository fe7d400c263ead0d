"""Whole sites in the `gtid` variant, under load; and kill -9 of the worker around SET GLOBAL gtid_slave_pos."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.by_gtid import assert_by_gtid, set_strict
from tests.galera.console import describe
from tests.galera.relocate import IS_WHOLE
from tests.galera.scene import Scene
from tests.galera.sites import ESSENTIAL_SITES, SITE_SCENARIOS, begin
from tests.galera.worker_kill import carried_on, kill_worker
from tests.support.waiting import wait_for

VARIANT = "gtid"
WALKED = SITE_SCENARIOS if IS_WHOLE else ESSENTIAL_SITES


@pytest.mark.parametrize("scenario", WALKED, ids=lambda scenario: scenario.__name__)
def test_site__under_load__every_write_exactly_once(scene: Scene, scenario: Callable[[Scene], None]) -> None:
    begin(scene)
    scenario(scene)


def test_run__worker_killed_around_gtid_position__ends_as_unbroken(scene: Scene) -> None:
    """kill -9 before and after SET GLOBAL gtid_slave_pos: the successor looks at the server first."""
    begin(scene)
    set_strict(scene.stack, "ON")
    with scene.stack.paused_worker():
        for boundary, nth in (("after-intent", 0), ("after-sql", 0), ("after-outcome", 1)):
            source, replica = scene.pair_now()
            plan = scene.console.plan(
                source_node=scene.console.node_id(scene.other(source)),
                replica_node=scene.console.node_id(scene.other(replica)),
            )
            step = [s["index"] for s in plan["steps"] if s["code"] == "set_gtid_position"][nth]
            run_id = scene.console.start(plan).body["id"]
            kill_worker(scene, run_id, f"{boundary}:{step}")
            wait_for(lambda run_id=run_id: carried_on(scene, run_id), f"the run after {boundary}:{step}")
            run = scene.console.wait_run(run_id)
            assert run["state"] == "succeeded", describe(run)
            assert run["verification"]["verdict"] == "verified"
            assert_by_gtid(scene, "ON")
    scene.judge()
