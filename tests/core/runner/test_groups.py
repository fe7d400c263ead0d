"""Which neighbouring steps are sent at once, and which never are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.plan import Step
from backend.core.runner.together import groups, is_untouched
from backend.core.runner.transitions import Progress
from tests.fakes.sites import passive, plan_switchover
from tests.fakes.world import FakeWorld

PLAN = plan_switchover(passive(FakeWorld.classic()))
FENCES = tuple(step for step in PLAN.steps if step.code == "fence")


def _sizes(*steps: Step) -> list[int]:
    return [len(group) for group in groups(replace(PLAN, steps=steps))]


def test_groups__fences_of_a_side__are_one_and_every_step_is_in_its_order() -> None:
    assert [len(group) for group in groups(PLAN) if group[0].code == "fence"] == [3]
    assert tuple(step for group in groups(PLAN) for step in group) == tuple(PLAN.steps)
    assert {group[0].code for group in groups(PLAN) if len(group) > 1} <= {"fence", "unfence"}


@pytest.mark.parametrize("which", [0, 1, 2])
def test_groups__the_point_of_no_return_among_them__each_alone(which: int) -> None:
    steps = list(FENCES)
    steps[which] = replace(steps[which], point_of_no_return=True)
    assert _sizes(*steps) == [1, 1, 1]


def test_groups__one_that_must_look_just_before_it_sends__each_alone() -> None:
    looks = replace(FENCES[1], params={**FENCES[1].params, "parted_from": {}})
    assert _sizes(FENCES[0], looks, FENCES[2]) == [1, 1, 1]


def test_groups__two_of_one_node__each_alone() -> None:
    assert _sizes(*FENCES, replace(FENCES[0], index=90)) == [1, 1, 1, 1]


@pytest.mark.parametrize("known", ["done", "intended", "undone"])
def test_untouched__an_earlier_worker_had_begun_one__not(known: str) -> None:
    assert is_untouched(FENCES, Progress())
    assert not is_untouched(FENCES, Progress(**{known: {FENCES[2].index}}))
