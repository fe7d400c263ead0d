"""The console's own record does not answer in the middle of a run: no verdict on a step, a successor looks again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from backend.core.runner import StepStarted, Transition
from tests.core.builders.examples import moments
from tests.core.builders.situations import SITUATIONS, Situation, situation
from tests.core.runner.walks import MANY, assert_restored, assert_verified, channel_shapes, unbroken
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway


@pytest.mark.parametrize("one", SITUATIONS, ids=lambda s: s.name)
def test_record__silent_at_any_question__nothing_failed_and_a_successor_reaches_the_same_end(one: Situation) -> None:
    expected, _, _ = unbroken(one)
    for asked in moments(MANY, SITUATIONS.index(one), one_in=3):
        silent_at = asked + 1
        world, plan = one.build()
        memory, gateway = Memory(plan), FakeGateway(world)
        walker = Walker(world, gateway, memory, silent_at=silent_at)
        walker.run()
        if walker.asks < silent_at:
            assert silent_at > len(plan.steps), "hardly anything was asked"
            return
        assert (memory.end, memory.failures, memory.undoing) == (None, [], None)
        Walker(world, gateway, memory).run()
        assert_verified(world, memory, expected)


def abort_behind_the_second_statement(memory: Memory) -> Callable[[Transition], None]:
    """A person asks at the step that follows it."""

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, StepStarted) and len(memory.statements) == 2:
            memory.request_abort()

    return on_transition


def test_record__silent_while_a_run_takes_itself_back__a_successor_takes_back_the_rest() -> None:
    for silent_at in count(1):
        world, plan = situation("move_both").build()
        before, memory, gateway = channel_shapes(world), Memory(plan), FakeGateway(world)
        ask = abort_behind_the_second_statement(memory)
        walker = Walker(world, gateway, memory, silent_at=silent_at, on_transition=ask)
        walker.run()
        if walker.asks >= silent_at:
            assert (memory.end, memory.failures) == (None, [])
            Walker(world, gateway, memory, on_transition=ask).run()
        assert memory.ended.state == "aborted"
        assert_restored(world, before)
        if walker.asks < silent_at:
            return
