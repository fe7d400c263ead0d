"""kill -9 of the worker while sides change: each run ends as an unbroken one, and one side accepts writes, never two.

A cycle loses the active site, fails over, attaches the site again and fails back; each of the three
runs is interrupted once. HAWSER_WHOLE=1 walks every boundary of every kind of step.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.galera.console import Json
from tests.galera.relocate import IS_WHOLE
from tests.galera.scene import Scene
from tests.galera.sites import begin, lose_site, open_side, restart_site
from tests.galera.worker_kill import boundaries, dies_at

PORTIONS, PER_PORTION = 12, 4
TELLING = (
    ("after-sql:unfence", "after-intent:change_source", "after-sql:fence"),
    ("step-end:swap_roles", "step-end:reconcile", "after-intent:unfence"),
)
"""Where a death would hurt most, in the failover, the reprotect and the failback of a cycle."""


def preview(scene: Scene, kind: str, **options: object) -> list[str]:
    """Boundaries of the run that would be made now."""
    return boundaries(scene.console.plan(kind, **options))


class Cycle:
    """Site a is lost and fails back; each of the three runs is interrupted at one boundary, the next on its list."""

    def __init__(self, scene: Scene, number: int) -> None:
        self._scene, self._number = scene, number
        self.lengths: list[int] = []

    def _choose(self, index: int, kind: str, **options: object) -> str:
        if not IS_WHOLE:
            return TELLING[self._number][index]
        known = preview(self._scene, kind, **options)
        self.lengths.append(len(known))
        return known[self._number % len(known)]

    def run(self) -> None:
        """One cycle under load, then the judge."""
        scene = self._scene
        lost = [name for name in scene.nodes() if name.startswith("db-a")]
        scene.stop_writes()
        scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] == 0, "the standby to have everything")
        for name in set(scene.nodes()) - set(lost):
            scene.sql(name, "SET GLOBAL read_only=ON")  # a passive standby: the failover has something to open
        lose_site(scene, lost)
        fenced: dict[str, object] = {"attest_fenced": [scene.console.node_id(name) for name in lost]}
        fenced["fence_on_return"] = False  # no worker would carry that run: each of the three runs has its own
        self._die(0, "failover", **fenced)
        assert open_side(scene) == {"b"}
        scene.stack.lab.load_start(replace(scene.load, sites=("b",)))
        restart_site(scene)
        self._die(1, "reprotect")
        assert open_side(scene) == {"b"}
        scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
        self._die(2, "failback", allow_long_transactions=True)
        assert open_side(scene) == {"a"}
        scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected at home")
        scene.judge()

    def _die(self, index: int, kind: str, **options: object) -> Json:
        return dies_at(self._scene, self._choose(index, kind, **options), kind, **options)


@pytest.mark.parametrize("portion", range(PORTIONS if IS_WHOLE else len(TELLING)))
def test_site__worker_killed_in_failover_reprotect_and_failback__ends_as_unbroken(scene: Scene, portion: int) -> None:
    begin(scene)
    with scene.stack.paused_worker():
        if not IS_WHOLE:
            Cycle(scene, portion).run()
            return
        number = portion * PER_PORTION
        while number < (portion + 1) * PER_PORTION or portion == PORTIONS - 1:
            cycle = Cycle(scene, number)
            cycle.run()
            number += 1
            if number >= max(cycle.lengths):
                return
