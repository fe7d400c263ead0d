"""How long applications could not write, measured by the steps of a run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from backend.core.runner.write_pause import OPENING, PauseEnd, PauseState, TimedStep, WritePause, write_pause
from backend.core.steps.registry import STEP_KINDS
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

T0 = datetime(2026, 11, 25, 3, 0, tzinfo=UTC)


@dataclass(frozen=True)
class _Step:
    code: str
    state: str = "pending"
    started_at: datetime | None = None
    ended_at: datetime | None = None


def _at(ms: int | None) -> datetime | None:
    return None if ms is None else T0 + timedelta(milliseconds=ms)


def _step(code: str, state: str = "pending", began: int | None = None, ended: int | None = None) -> TimedStep:
    return _Step(code, state, _at(began), _at(ended))


FENCED = [_step("fence", "succeeded", 100, 150), _step("fence", "succeeded", 50, 200)]
WAITING = [_step("swap_roles"), _step("unfence"), _step("unfence")]
SWAPPED = [_step("swap_roles", "succeeded", 800, 850), _step("unfence", "succeeded", 850, 900), _step("unfence")]
OPENED = [*SWAPPED[:2], _step("unfence", "succeeded", 900, 1_290)]


def _pause(steps: list[TimedStep], *, over: bool = False, reverted: bool = False) -> WritePause | None:
    return write_pause(steps, is_over=over, is_reverted=reverted)


def _ended(began: int, ended: int, by: PauseEnd) -> WritePause:
    return WritePause(T0 + timedelta(milliseconds=began), PauseState.ENDED, _at(ended), by)


@pytest.mark.parametrize("over", [False, True])
def test_pause__every_node_opened__from_the_first_fence_to_the_last_opening(over: bool) -> None:
    pause = _pause([*FENCED, *OPENED], over=over)
    assert pause == _ended(50, 1_290, PauseEnd.OPENED)
    assert pause is not None
    assert pause.duration_s == 1.24


@pytest.mark.parametrize("opening", [WAITING, SWAPPED])
def test_pause__not_every_node_opened_yet__goes_on(opening: list[TimedStep]) -> None:
    pause = _pause([*FENCED, *opening])
    assert pause == WritePause(T0 + timedelta(milliseconds=50), PauseState.ONGOING)
    assert pause is not None
    assert pause.duration_s is None


def test_pause__roles_swapped_and_nodes_found_open__ends_with_the_swap() -> None:
    assert _pause([*FENCED, OPENED[0]]) == _ended(50, 850, PauseEnd.OPENED)


def test_pause__fences_undone__ends_with_the_last_of_them() -> None:
    undone = [_step("fence", "undone", 100, 1_400), _step("fence", "undone", 50, 1_500), *WAITING]
    assert _pause(undone, over=True, reverted=True) == _ended(50, 1_500, PauseEnd.REVERTED)
    assert _pause(undone) == _ended(50, 1_500, PauseEnd.REVERTED)


def test_pause__one_fence_failed_and_the_run_was_reverted__ends_with_those_undone() -> None:
    steps = [_step("fence", "undone", 50, 1_400), _step("fence", "failed", 300, 400), *WAITING]
    assert _pause(steps, over=True, reverted=True) == _ended(50, 1_400, PauseEnd.REVERTED)


def test_pause__a_fence_is_not_undone_yet__goes_on_and_is_unknown_once_the_run_is_over() -> None:
    steps = [_step("fence", "undone", 50, 1_400), _step("fence", "succeeded", 60, 70), *WAITING]
    assert _pause(steps) == WritePause(T0 + timedelta(milliseconds=50), PauseState.ONGOING)
    assert _pause(steps, over=True) == WritePause(T0 + timedelta(milliseconds=50), PauseState.UNKNOWN)


@pytest.mark.parametrize(
    ("steps", "reverted"),
    [
        ([_step("fence"), *WAITING], False),
        ([_step("fence", "succeeded", 1, 2), _step("verify")], False),
        ([_step("swap_roles", "succeeded", 1, 2), _step("unfence", "succeeded", 1, 2)], False),
        ([_step("fence", "failed", 1, 2), *WAITING], True),
        ([], False),
    ],
)
def test_pause__nothing_closed_or_nothing_to_open__none(steps: list[TimedStep], reverted: bool) -> None:
    assert _pause(steps, over=reverted, reverted=reverted) is None


def test_pause__clock_stepped_back__never_negative() -> None:
    pause = _pause([_step("fence", "succeeded", 900, 950), _step("swap_roles", "succeeded", 800, 850)])
    assert pause is not None
    assert pause.duration_s == 0.0


def test_pause__kinds_of_steps_it_reads__are_those_that_plans_have() -> None:
    assert OPENING | {"fence"} <= STEP_KINDS.keys()
    world = passive(FakeWorld.classic())
    codes = {step.code for step in plan_switchover(world).steps}
    assert {"fence", "swap_roles", "unfence"} <= codes
    world.node("b1").variables["wsrep_reject_queries"] = "ALL"
    world.kill_side(world.a)
    may = {n.ref.id: True for n in world.b.nodes}
    assert {step.code for step in plan_failover(world, may_reject=may).steps} >= OPENING
