"""kill -9 of worker after worker while a returned side is replayed, undone or attached as a copy.

Each cycle loses the active site under load and fails over; its reprotect loses a worker in every step, always at the
same boundary. HAWSER_WHOLE=1 walks all six boundaries of all three ways.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.rebuild import DONOR, judge_exactly, lose_and_fail_over, rebuild
from tests.galera.relocate import IS_WHOLE
from tests.galera.scene import Scene
from tests.galera.sites import begin, fence_and_list, open_side, orphaned_site, switch
from tests.galera.worker_kill import READING, STATEMENT, dies_all_along

VARIANT = "shared-id"

SENDING, READ_ONLY = 6, 5
"""Steps of the shortest of these runs that send something, and further ones that only read."""

Cycle = Callable[[Scene, str], list[int]]


def replayed(scene: Scene, boundary: str) -> list[int]:
    """What only the lost side has comes to the survivor once, however often the worker is killed: nothing is lost."""
    orphaned_site(scene)
    assert fence_and_list(scene)
    killed_in = reprotected(scene, boundary, orphans="replay")
    at_home(scene)
    scene.judge()
    return killed_in


def undone(scene: Scene, boundary: str) -> list[int]:
    """What only the lost side has is removed from it, and nothing else is."""
    gone = orphaned_site(scene)
    scene.stack.stated_losses |= fence_and_list(scene)
    killed_in = reprotected(scene, boundary, orphans="undo")
    at_home(scene)
    judge_exactly(scene, gone)
    return killed_in


def copied(scene: Scene, boundary: str) -> list[int]:
    """A copy is attached where its backup was taken, while the survivor is written to."""
    gone = lose_and_fail_over(scene)
    position, _ = rebuild(scene)
    chosen = {"backup_position": position, "accept_loss": True, "source_node": scene.console.node_id(DONOR)}
    killed_in = reprotected(scene, boundary, orphans="rebuild", **chosen)
    at_home(scene)
    judge_exactly(scene, gone)
    return killed_in


def reprotected(scene: Scene, boundary: str, **options: object) -> list[int]:
    """The steps in which a worker was killed; the demo's own keeps still meanwhile."""
    with scene.stack.paused_worker():
        return dies_all_along(scene, boundary, "reprotect", **options)


def at_home(scene: Scene) -> None:
    """One side took writes until now; the roles turn back."""
    assert open_side(scene) == {"b"}
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    switch(scene, "failback", allow_long_transactions=True)
    assert open_side(scene) == {"a"}


WALKED = [(cycle, boundary) for cycle in (replayed, undone, copied) for boundary in (*READING, *STATEMENT)]
TELLING = [(replayed, "after-sql")]


@pytest.mark.parametrize(("cycle", "boundary"), WALKED if IS_WHOLE else TELLING)
def test_reprotect__a_worker_killed_in_every_step__ends_as_unbroken(scene: Scene, cycle: Cycle, boundary: str) -> None:
    begin(scene)
    killed_in = cycle(scene, boundary)
    assert len(set(killed_in)) >= (SENDING if boundary in STATEMENT else SENDING + READ_ONLY), killed_in
