"""A run that fails past its point of no return gives the other direction back."""

from __future__ import annotations

import pytest

from backend.core.plan import Plan
from backend.core.runner.give_back import steps_to_give_back, stopped_directions
from backend.core.runner.transitions import Progress
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.plans import plan_relocate
from tests.fakes.world import FakeWorld


def begun() -> tuple[FakeWorld, Plan]:
    world = FakeWorld.classic()
    world.write("a1")
    world.write("b1")
    world.tick()
    return world, plan_relocate(world, "a2", "b2")


def refuse(plan: Plan, code: str, direction: str) -> dict[int, Fault]:
    """The statement of that step, by its place among all."""
    sent = [step for step in plan.steps if step.sql]
    place = next(i for i, s in enumerate(sent, 1) if (s.code, s.params["direction"]) == (code, direction))
    return {place: Fault.REFUSED}


def failed_at(code: str, direction: str) -> tuple[FakeWorld, Memory, FakeGateway]:
    """The run once that step was refused."""
    world, plan = begun()
    memory, gateway = Memory(plan), FakeGateway(world, refuse(plan, code, direction))
    Walker(world, gateway, memory).run()
    return world, memory, gateway


def is_running(world: FakeWorld, replica: str) -> bool:
    channel = world.node(replica).channels.get("link1")
    return channel is not None and (channel.io, channel.sql) == ("Yes", "Yes")


def runs_again(code: str, direction: str, replica: str) -> bool:
    """Whether the channel of the other direction runs on that node although this step failed."""
    return is_running(failed_at(code, direction)[0], replica)


@pytest.mark.parametrize("code", ["reset_channel", "change_source", "start_channel"])
@pytest.mark.parametrize(("direction", "replica"), [("forward", "a2"), ("reverse", "b2")])
def test_fail__one_direction_past_return__the_other_one_runs_at_its_proven_position(
    code: str, direction: str, replica: str
) -> None:
    other = "reverse" if direction == "forward" else "forward"
    world, memory, gateway = failed_at(code, direction)
    assert memory.ended.state == "needs_operator"
    assert memory.is_past_return
    assert is_running(world, replica)
    if (code, direction) != ("start_channel", "reverse"):  # the forward one runs already then
        assert f"The {other} channel, which this run had stopped, was started again" in memory.ended.sentence
    assert f"The {direction} channel does not replicate until then." in memory.ended.sentence
    memory.end = None
    Walker(world, gateway, memory).run()
    assert memory.ended.state == "succeeded"
    world.converge()
    assert world.faults() == []


def test_fail__both_directions_past_return__said_of_both_and_nothing_is_guessed() -> None:
    world, plan = begun()
    faults = refuse(plan, "change_source", "forward")
    place = next(iter(faults))
    memory, gateway = Memory(plan), FakeGateway(world, faults | {place + 1: Fault.REFUSED})
    Walker(world, gateway, memory).run()
    assert memory.ended.state == "needs_operator"
    assert "The reverse channel, which this run had stopped, is still stopped." in memory.ended.sentence
    assert len(memory.failures) == 2


def stopped(plan: Plan) -> Progress:
    return Progress(done={step.index for step in plan.steps if step.code in ("recheck", "stop_channel")})


def waits_for_the_proof() -> bool:
    """Whether nothing is given back while a position of the plan is not proven."""
    _, plan = begun()
    failed = next(s for s in plan.steps if s.code == "reset_channel")
    return steps_to_give_back(plan, stopped(plan), failed, "reverse") == ()


def test_steps__something_else_comes_first__none() -> None:
    assert waits_for_the_proof()
    _, plan = begun()
    progress = stopped(plan)
    assert stopped_directions(plan, progress) == ["forward", "reverse"]
    failed = next(s for s in plan.steps if s.code == "reset_channel")
    progress.done |= {step.index for step in plan.steps if step.code == "locate"}
    given_back = steps_to_give_back(plan, progress, failed, "reverse")
    assert [step.code for step in given_back] == ["reset_channel", "change_source", "start_channel"]
    of_nothing = next(s for s in plan.steps if s.code == "recheck")
    assert steps_to_give_back(plan, progress, of_nothing, "reverse") == ()
