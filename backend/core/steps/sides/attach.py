"""Record that the side that was lost stands by again, so that any plan may move its channels."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class Attach:
    """Implements StepKind; until here only a reprotect may touch the side that was lost.

    A move planned earlier would find its place by content where the sides parted, in front of its orphans and of
    their undo, and carry both over.
    """

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Doing it twice is doing it once."""
        return Observation(Effect.TO_DO, "attach")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded."""
        ctx.console.attach(step.params["cluster_id"])
        return Proof(True, f"{step.params['side']} stands by")
