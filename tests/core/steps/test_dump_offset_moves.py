"""Moves behind a transaction of more than 4 GiB: at the next file's beginning, and never at an offset beyond."""

from __future__ import annotations

import pytest

from backend.core.positions import FilePosition
from backend.core.steps.channels import change_source
from tests.core.builders.situations import situation
from tests.core.builders.worlds import huge_last
from tests.fakes.driver import run_to_end
from tests.fakes.plans import plan_relocate, sound


def test_relocate__behind_a_huge_transaction__at_the_next_file_and_verified() -> None:
    world = huge_last()
    world.tick()
    for node in world.nodes:
        node.log.rotate()
    world.remember()
    world.write_times(2, "a3")
    world.kill("a1")
    plan = sound(plan_relocate(world, "a2", "b1"))
    memory = run_to_end(world, plan)
    assert memory.ended.state == "succeeded", memory.failures
    world.write_times(3, "a2")
    world.converge()
    assert world.faults() == []


def test_change_source__a_position_beyond_4_gib__never_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it does not come from a search: the end of a log, or a backup."""
    world, plan = situation("replica_lost").build()
    beyond = FilePosition(world.node("a1").log.end.file, 2**32 + 4)
    monkeypatch.setattr(change_source, "proven_position", lambda _ctx, _step: beyond)
    memory = run_to_end(world, plan)
    assert memory.ended.state in ("failed", "needs_operator")
    assert "below 4 GiB" in memory.ended.sentence
    assert world.b.doubled == []
