"""Records that the lost side is the standby side again, so that any plan may move its channels."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class Attach:
    """Implements StepKind; before this step only a reprotect may touch the lost side.

    A move planned earlier would find its position by content at the divergence point, before the orphans and their
    undo, and would replicate both.
    """

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always to do: recording it twice has the effect of recording it once."""
        return Observation(Effect.TO_DO, "attach")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded."""
        ctx.console.attach(step.params["cluster_id"])
        return Proof(True, f"{step.params['side']} is the standby side")
