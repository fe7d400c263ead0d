"""Webhooks as steps: where they stand, that the rest of the plan stays, that a run calls and notes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.hooks import HookPhase, PlannedHook
from backend.core.plan import Plan
from backend.core.plans.builders.hook_steps import with_hooks
from backend.core.ports import HookResponse
from tests.core.builders.situations import SITUATIONS, Situation, situation
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld

BEFORE = PlannedHook("h_before", "proxies", HookPhase.BEFORE, blocking=True, timeout_s=10)
AFTER = PlannedHook("h_after", "chat", HookPhase.AFTER, blocking=True, timeout_s=5)
REFUSES = HookResponse(is_ok=False, sentence="answered 503")


def soft(hook: PlannedHook) -> PlannedHook:
    """The same, not blocking."""
    return replace(hook, blocking=False)


def walked(one: Situation, *hooks: PlannedHook, refusing: str = "") -> tuple[FakeWorld, Plan, Memory, Walker]:
    """A run of the situation's plan with these webhooks, carried as far as it goes."""
    world, plan = one.build()
    hooked = with_hooks(plan, hooks)
    memory = Memory(hooked)
    walker = Walker(world, FakeGateway(world), memory)
    if refusing:
        walker.console.hooks[refusing] = REFUSES
    walker.run()
    return world, hooked, memory, walker


@pytest.mark.parametrize("one", SITUATIONS, ids=lambda s: s.name)
def test_with_hooks__every_plan__before_behind_the_recheck_after_at_the_end(one: Situation) -> None:
    _, plan = one.build()
    hooked = with_hooks(plan, [BEFORE, AFTER])
    codes = [step.code for step in hooked.steps]
    assert codes == ["recheck", "hook", *[s.code for s in plan.steps[1:]], "hook"]
    assert [step.index for step in hooked.steps] == list(range(len(codes)))
    assert hooked.steps[1].title == "Call the webhook proxies (blocking, 10 s)"
    assert hooked.steps[-1].params["hook_id"] == "h_after"
    rest = [step for step in hooked.steps if step.code != "hook"]
    assert [replace(step, index=0) for step in rest] == [replace(step, index=0) for step in plan.steps]
    assert hooked.digest != plan.digest


def test_with_hooks__refused_plan__stays_refused() -> None:
    _, plan = situation("source_lost").build()
    refused = replace(plan, steps=())
    assert with_hooks(refused, [BEFORE]) is refused


@pytest.mark.parametrize("one", SITUATIONS, ids=lambda s: s.name)
def test_walk__with_hooks__called_once_each_and_the_run_verified(one: Situation) -> None:
    world, plan, memory, walker = walked(one, BEFORE, AFTER)
    assert memory.ended.state == "succeeded", memory.end
    assert [hook for hook, _ in walker.console.called] == ["h_before", "h_after"]
    assert walker.console.called[1][1].endswith(f":{plan.steps[-1].index}")
    assert world.second_seen == []


def test_walk__blocking_before_refuses__run_failed_and_nothing_sent() -> None:
    world, _, memory, _ = walked(situation("source_lost"), BEFORE, refusing="h_before")
    assert memory.ended.state == "failed"
    assert "answered 503" in memory.failures[0]
    assert world.executed == []


def test_walk__unblocking_before_refuses__noted_and_the_run_goes_on() -> None:
    _, plan, memory, _ = walked(situation("source_lost"), soft(BEFORE), refusing="h_before")
    assert memory.ended.state == "succeeded"
    assert plan.steps[1].index in memory.done


def test_walk__blocking_after_refuses__needs_operator_and_resume_calls_it_again() -> None:
    world, _plan, memory, walker = walked(situation("source_lost"), AFTER, refusing="h_after")
    assert memory.ended.state == "needs_operator"
    sent = list(world.executed)
    memory.end = None
    resumed = Walker(world, FakeGateway(world), memory)
    resumed.run()
    assert memory.ended.state == "succeeded"
    assert resumed.console.called == walker.console.called, "the same key names the same call"
    assert world.executed == sent
