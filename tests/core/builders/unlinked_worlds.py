"""Two clusters without a channel between them."""

from __future__ import annotations

from tests.fakes.world import FakeWorld


def not_linked() -> FakeWorld:
    """Both sides hold the same rows, and no node has a channel."""
    world = FakeWorld.classic()
    world.converge()
    for node in world.nodes:
        node.channels.clear()
    world.recorded.clear()
    return world
