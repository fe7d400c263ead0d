"""A link's webhooks as steps of its plans, so that the operator sees which one is called when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backend.core.hooks import HookPhase, PlannedHook
from backend.core.plan import Plan, Step


def with_hooks(plan: Plan, hooks: Sequence[PlannedHook]) -> Plan:
    """The plan with the calls in it: "before" directly after the recheck, "after" at the end.

    A refused plan stays as it is. Steps refer to each other by code, never by number, so they can be renumbered.
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
            "address_digest": hook.address_digest,
        },
    )
