"""Read everything again and compare it with what the plan rests on; nothing is sent before it holds."""

from __future__ import annotations

from backend.core.fingerprint import changes, fingerprint_again
from backend.core.plan import Step
from backend.core.steps.base import Deed, Proof, Seen, StepContext


class Recheck:
    """Implements StepKind; reads only."""

    def look(self, ctx: StepContext, step: Step) -> Seen:
        """Always to be read anew."""
        return Seen(Deed.TO_DO, "read both sides")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Equal facts, and a plan that has not run out of time."""
        if ctx.clock.now_s() > ctx.plan.expires_at_s:
            return Proof(False, "The plan has expired before its first statement; make a new one.")
        link = ctx.gateway.observe_link()
        found = changes(ctx.plan.fingerprint, fingerprint_again(ctx.plan.fingerprint, link))
        if found:
            first = found[0]
            return Proof(
                False,
                f"{len(found)} fact(s) changed since the plan, first {first['fact']}: "
                f"{first['planned']} is now {first['now']}. Nothing was sent; make a new plan.",
                {"changes": found},
            )
        count = len(ctx.plan.fingerprint)
        return Proof(True, f"facts equal, 0 of {count} differ", {"compared": count})
