"""A link's webhooks as steps of its plans, so that the operator sees who is told what, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from backend.core.plan import Plan, Step

PLAN_KINDS = ("relocate", "clean", "switchover", "failover", "reprotect", "failback")
"""Every kind of plan a webhook can be asked for."""


class HookPhase(StrEnum):
    """When a webhook is called; `test` only by hand."""

    BEFORE = "before"
    AFTER = "after"
    EVENT = "event"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class PlannedHook:
    """A webhook as a plan needs it; a blocking one that does not take the call stops the run."""

    id: str
    name: str
    phase: HookPhase
    blocking: bool
    timeout_s: int


def with_hooks(plan: Plan, hooks: Sequence[PlannedHook]) -> Plan:
    """The plan with the calls in it: "before" right behind the recheck, "after" at the very end.

    A refused plan stays as it is. Steps name each other by code, never by number, so that they
    can be numbered anew.
    """
    if plan.is_refused or not hooks:
        return plan
    head = [step for step in plan.steps[:1] if step.code == "recheck"]
    rest = plan.steps[len(head) :]
    before = [_step(hook) for hook in hooks if hook.phase is HookPhase.BEFORE]
    after = [_step(hook) for hook in hooks if hook.phase is HookPhase.AFTER]
    steps = (*head, *before, *rest, *after)
    return replace(plan, steps=tuple(replace(step, index=index) for index, step in enumerate(steps)))


def _step(hook: PlannedHook) -> Step:
    way = "blocking" if hook.blocking else "not blocking"
    return Step(
        index=0,
        code="hook",
        title=f"Call the webhook {hook.name} ({way}, {hook.timeout_s} s)",
        node_id=None,
        node=None,
        params={
            "hook_id": hook.id,
            "name": hook.name,
            "phase": hook.phase.value,
            "blocking": hook.blocking,
            "timeout_s": hook.timeout_s,
        },
    )
