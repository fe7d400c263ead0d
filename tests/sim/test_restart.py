"""A node of the model that was away holds, once it is back, what its cluster committed meanwhile."""

from __future__ import annotations

import pytest

from backend.core.topology import Reach
from tests.fakes.world import FakeWorld


@pytest.mark.parametrize("is_expelled", [False, True])
@pytest.mark.parametrize("reach", [Reach.HUNG, Reach.DOWN])
def test_restart__cluster_wrote_meanwhile_and_is_idle_now__the_node_has_it(reach: Reach, is_expelled: bool) -> None:
    world = FakeWorld.classic()
    world.kill("b2", reach=reach, is_expelled=is_expelled)
    written = world.write("b1")
    world.restart("b2")
    assert world.node("b2").log.placed[-1].txn == written
