"""Connections that are cut off where nothing is changed: asked again over a new one, and the run goes on."""

from __future__ import annotations

import pytest

from tests.core.builders.examples import moments
from tests.core.builders.situations import SITUATIONS, Situation
from tests.core.runner.walks import (
    EXHAUSTED,
    MANY,
    assert_restored,
    assert_verified,
    channel_shapes,
    drive_to_end,
    unbroken,
)
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway, Fault

CASES: list[tuple[Situation, dict[int, Fault]]] = [(one, {}) for one in SITUATIONS] + [
    (one, {1: Fault.LOST_AFTER}) for one in EXHAUSTED
]


@pytest.mark.parametrize(("one", "lost"), CASES, ids=[f"{one.name}-{len(lost)}_lost" for one, lost in CASES])
def test_connection__cut_off_once_at_any_question__same_end_and_nobody_is_asked(
    one: Situation, lost: dict[int, Fault]
) -> None:
    """Who a session reached, and the end of one whose statement was lost."""
    expected, _, _ = unbroken(one)
    for ordinal in moments(MANY, SITUATIONS.index(one), one_in=3):
        world, plan = one.build()
        gateway, memory = FakeGateway(world, dict(lost), cut={ordinal + 1}), Memory(plan)
        Walker(world, gateway, memory).run()
        assert_verified(world, memory, expected)
        if gateway.asked <= ordinal:
            return


@pytest.mark.parametrize("one", EXHAUSTED, ids=lambda s: s.name)
def test_connection__cut_off_twice__taken_back_or_resumed(one: Situation) -> None:
    expected, _, _ = unbroken(one)
    for ordinal in moments(MANY, SITUATIONS.index(one), one_in=3):
        world, plan = one.build()
        before = channel_shapes(world)
        gateway, memory = FakeGateway(world, cut={ordinal + 1, ordinal + 2}), Memory(plan)
        Walker(world, gateway, memory).run()
        if memory.ended.state == "failed":
            assert_restored(world, before)
        elif memory.ended.state == "needs_operator":
            memory.end = None
            drive_to_end(world, memory, gateway)
            assert_verified(world, memory, expected)
        if gateway.asked <= ordinal + 1:
            return
