"""A plan that grew old between its recheck and its first statement sends nothing, asleep or killed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.plan import PLAN_LIFETIME_S
from backend.core.runner import StepDone, Transition
from tests.core.builders.situations import situation
from tests.fakes.driver import Memory, Walker, run_to_end
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld


def _grow_old(world: FakeWorld) -> None:
    world.clock.time_s += PLAN_LIFETIME_S + 1


def _lose_its_target(world: FakeWorld) -> None:
    world.node("a2").local_state = 2


@pytest.mark.parametrize("change", [_grow_old, _lose_its_target])
def test_walk__worker_dies_behind_the_recheck_and_the_plan_holds_no_more__successor_sends_nothing(
    change: Callable[[FakeWorld], None],
) -> None:
    world, plan = situation("move_both").build()
    gateway = FakeGateway(world)
    memory = run_to_end(world, plan, gateway, dies_at=2)
    assert list(memory.done) == [0], "it did not die right behind the recheck"
    change(world)
    Walker(world, gateway, memory).run()
    assert memory.ended.state == "failed"
    assert gateway.sent == []


def test_walk__sleeps_between_the_recheck_and_its_first_statement__sends_nothing() -> None:
    world, plan = situation("move_both").build()
    memory, gateway = Memory(plan), FakeGateway(world)

    def sleep(transition: Transition) -> None:
        if isinstance(transition, StepDone) and transition.step.code == "recheck":
            _grow_old(world)

    Walker(world, gateway, memory, on_transition=sleep).run()
    assert "expired before its first statement" in memory.ended.sentence
    assert gateway.sent == []
