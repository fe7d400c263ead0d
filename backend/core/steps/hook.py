"""Calls a webhook of the link before or after an operation; no server is touched."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class Hook:
    """Implements StepKind; the call itself is made in `prove`, and repeated under the same key after a crash."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Nothing shows on a server."""
        return Observation(Effect.TO_DO, "call the webhook")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """A blocking webhook that is not delivered fails the step; one that does not block is only noted."""
        answer = ctx.console.call_hook(step.params["hook_id"], f"{ctx.probe_token}:{step.index}")
        note = "" if answer.is_ok or step.params["blocking"] else " (not blocking: the run continues)"
        return Proof(answer.is_ok or not step.params["blocking"], answer.sentence + note, answer.facts)
