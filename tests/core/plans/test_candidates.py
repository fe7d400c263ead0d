"""A relocate that names no node takes the pair that is proven, and says why others were left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.plan import Plan
from backend.core.plans import candidates
from tests.fakes.plans import plan_relocate, sound
from tests.fakes.world import FakeWorld


def lost_source() -> FakeWorld:
    """The source of the link is down; a2 would be taken, and a3."""
    world = FakeWorld.classic()
    world.kill("a1")
    return world


def left_out(plan: Plan) -> list[tuple[str, ...]]:
    """Of each pair that was left, its nodes and the codes that refuse it."""
    found = (f.facts for f in plan.findings if f.code == "candidate_left_out")
    return [(str(f["source_node"]), str(f["replica_node"]), *f["codes"]) for f in found]  # type: ignore[misc]


def purge(world: FakeWorld, name: str) -> None:
    """Its logs begin after the place."""
    log = world.node(name).log
    log.rotate()
    log.purge(len(log.retained))


def write_locally(world: FakeWorld, name: str) -> None:
    """A write with wsrep_on=OFF under an id of its side, among the last groups."""
    world.write_local(name)
    world.write("a3")


def differ_in_filters(world: FakeWorld, name: str) -> None:
    """Another replicate_do_db."""
    world.node(name).variables["replicate_do_db"] = "shop"


def write_locally_again_and_again(world: FakeWorld, name: str) -> None:
    """Such a write before each of the last groups."""
    for _ in range(3):
        write_locally(world, name)
        world.tick()


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (purge, "position_not_proven"),
        (differ_in_filters, "filters_differ"),
        (write_locally_again_and_again, "position_not_proven"),
    ],
)
def test_relocate__the_first_does_not_fit__the_next_is_proposed_and_the_first_named(
    spoil: Callable[[FakeWorld, str], None], code: str
) -> None:
    world = FakeWorld.classic()
    spoil(world, "a2")
    world.kill("a1")
    plan = sound(plan_relocate(world))
    assert plan.target["source_name"] == "a3"
    assert left_out(plan) == [("n_a2", "n_b1", code)]


def test_relocate__the_new_replica_does_not_fit__another_one_is_proposed() -> None:
    world = FakeWorld.classic()
    world.kill("b1")
    differ_in_filters(world, "b2")
    plan = plan_relocate(world)
    assert (plan.target["source_name"], plan.target["replica_name"]) == ("a1", "b3")
    assert left_out(plan) == [("n_a1", "n_b2", "filters_differ"), ("n_a2", "n_b2", "filters_differ")]


def test_relocate__first_pair_sound__no_other_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(candidates, "_left_out", fail)
    plan = plan_relocate(lost_source())
    assert plan.target["source_name"] == "a2"
    assert not left_out(plan)


def test_relocate__a_node_named__no_other_is_taken_for_it() -> None:
    world = lost_source()
    purge(world, "a2")
    plan = plan_relocate(world, "a2")
    assert plan.is_refused
    assert plan.target["source_name"] == "a2"
    assert {source for source, *_ in left_out(plan)} == {"n_a2"}


def test_relocate__no_pair_is_sound__the_best_placed_is_refused_and_each_other_named() -> None:
    world = lost_source()
    purge(world, "a2")
    differ_in_filters(world, "a3")
    plan = plan_relocate(world)
    assert plan.is_refused
    assert plan.target["source_name"] == "a2"
    assert len(left_out(plan)) == candidates.MOST_PAIRS - 1
    assert ("n_a3", "n_b1", "filters_differ") in left_out(plan)


def test_relocate__nothing_to_move__no_other_pair_is_proposed() -> None:
    plan = plan_relocate(FakeWorld.classic())
    assert plan.is_refused
    assert not left_out(plan)


def test_relocate__refused_for_the_link__no_other_pair_is_looked_at() -> None:
    world = lost_source()
    purge(world, "a2")
    world.node("b3").server_id = 11
    plan = plan_relocate(world)
    assert plan.is_refused
    assert not left_out(plan)


def test_further_pairs__nearest_to_the_first_first() -> None:
    world = lost_source()
    link = world.facts()
    first = candidates.Pair("n_a2", "n_b1")
    assert [(p.active_node_id, p.standby_node_id) for p in candidates.further_pairs(link, first, None, None)] == [
        ("n_a3", "n_b1"),
        ("n_a2", "n_b2"),
        ("n_a3", "n_b2"),
        ("n_a2", "n_b3"),
        ("n_a3", "n_b3"),
    ]
