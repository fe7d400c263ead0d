"""How long a whole side may be silent while the other one waits for it, fenced."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from backend.core.steps.positions.caught_up import LOST_AFTER_S, LostSideError, LostWatchError, SilenceTimer, _watch
from backend.core.topology import Reach
from tests.fakes.clock import FakeClock
from tests.fakes.world import FakeWorld

A = ("a1", "a2", "a3")


def heard(*looks: tuple[float, str]) -> str:
    """What is said after looks so many seconds apart, each at which the named nodes of a are silent."""
    world = FakeWorld.classic()
    clock = FakeClock()
    silence = SilenceTimer(clock)
    for after_s, silent in looks:
        clock.time_s += after_s
        for name in A:
            world.node(name).reach = Reach.HUNG if name in silent.split() else Reach.UP
        try:
            silence.check(world.facts())
        except LostSideError as error:
            return str(error)
    return ""


def test_silence__a_whole_side_too_long__that_side_is_named() -> None:
    assert heard((0.0, "a1 a2 a3"), (LOST_AFTER_S, "a1 a2 a3")) == "No node of cluster-a has responded for 10 s."


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param([(0.0, "a1 a2 a3"), (LOST_AFTER_S - 0.1, "a1 a2 a3")], id="not-long-enough"),
        pytest.param([(0.0, "a1 a2"), (60.0, "a2 a3")], id="one-answers"),
        pytest.param([(0.0, "a1 a2 a3"), (6.0, "a1 a2"), (6.0, "a1 a2 a3")], id="heard-between"),
    ],
)
def test_silence__somebody_answers_in_time__goes_on(looks: list[tuple[float, str]]) -> None:
    assert heard(*looks) == ""


def _context(results: dict[int, dict[str, str]]) -> SimpleNamespace:
    """Of a walk that began no watch of its own, with a proven fence in step 0."""
    fence = SimpleNamespace(code="verify_fence", index=0)
    return SimpleNamespace(plan=SimpleNamespace(steps=[fence]), results=results, fence_watches={})


def test_watch__began_in_a_walk_that_is_over__refused_as_unknown() -> None:
    step = SimpleNamespace(params={"watch_of": "c_a"})
    with pytest.raises(LostWatchError, match="unknown whether the fenced side wrote"):
        _watch(_context({0: {"watched_from": "binlog.000001:4"}}), step)  # type: ignore[arg-type]


def test_watch__ended_by_the_fence_itself__none() -> None:
    assert _watch(_context({0: {}}), SimpleNamespace(params={"watch_of": "c_a"})) is None  # type: ignore[arg-type]
