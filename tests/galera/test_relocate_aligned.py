"""Relocate on the `aligned` lab, under load of both sides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from deploy.lab.load.control import Order
from tests.galera import relocate
from tests.galera.scene import Scene

VARIANT = "aligned"


@pytest.fixture(scope="module")
def load() -> Order:
    """Both sites write, DDL now and then."""
    return Order(writers=2, rate=20.0, ddl_every=45.0, seconds=3000)


@pytest.mark.parametrize(
    "play",
    [relocate.replica_lost, relocate.both_lost, pytest.param(relocate.planned_move, marks=pytest.mark.whole)],
    ids=lambda play: play.__name__,
)
def test_relocate__under_load_of_both_sides__every_write_exactly_once(
    scene: Scene, play: Callable[[Scene], None]
) -> None:
    """Nothing lost, nothing doubled, nodes identical, whatever the hint says."""
    scene.wait_writes()
    scene.look_again()
    play(scene)
