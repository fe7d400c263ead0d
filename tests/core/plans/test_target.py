"""Which nodes a move takes when no operator names them."""

from __future__ import annotations

import pytest

from backend.core.plans.target import choose_pair, is_reforming
from tests.fakes.world import FakeWorld

REFUSAL = "1236: could not find first log file"


def chosen(world: FakeWorld) -> tuple[str, str]:
    pair = choose_pair(world.facts(), None, None)
    return pair.active_node_id.removeprefix("n_"), pair.standby_node_id.removeprefix("n_")


def refused(*replicas: str) -> FakeWorld:
    """The sources of these nodes' channels no longer have what is asked for."""
    world = FakeWorld.classic()
    for name in replicas:
        for channel in world.node(name).channels.values():
            channel.io, channel.io_error = "No", REFUSAL
    return world


@pytest.mark.parametrize(
    ("replicas", "pair"),
    [((), ("a1", "b1")), (("b1",), ("a2", "b1")), (("a1",), ("a1", "b2")), (("a1", "b1"), ("a2", "b2"))],
)
def test_choose_pair__a_source_lacks_the_place__another_node_of_its_side(
    replicas: tuple[str, ...], pair: tuple[str, str]
) -> None:
    assert chosen(refused(*replicas)) == pair


def test_choose_pair__the_only_node_that_serves_lacks_the_place__that_one_all_the_same() -> None:
    world = refused("b1")
    for name in ("a2", "a3"):
        world.kill(name)
    assert chosen(world) == ("a1", "b1")


def test_is_reforming__no_node_that_answers_is_fit__only_then() -> None:
    world = FakeWorld.classic()
    assert not is_reforming(world.facts())
    world.kill("b1")
    assert not is_reforming(world.facts()), "its neighbours are fit"
    for name in ("b2", "b3"):
        world.node(name).cluster_status = "non-Primary"
    assert is_reforming(world.facts())
    for name in ("b2", "b3"):
        world.kill(name)
    assert not is_reforming(world.facts()), "a side that does not answer at all agrees on nothing"
