"""Enables an event on the node that is to run it, or leaves it to another one."""

from __future__ import annotations

from backend.core.facts.events import read_events
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext, unobserved


class AlterEvent:
    """`ALTER EVENT` on one node, which replication carries to every other one as SLAVESIDE_DISABLED."""

    def undone(self, step: Step) -> str:
        """What holds again."""
        return f"{step.params['event']} runs there again" if step.undo else "it stays as it is"

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the event has the wanted status."""
        assert step.node_id is not None
        facts = ctx.facts_of(step)
        if not facts.is_up:
            return unobserved(facts)
        status = self._status(ctx, step)
        if status is None:
            return Observation(Effect.FOREIGN, f"{step.node} does not show the event {step.params['event']} any more")
        effect = Effect.DONE if status == step.params["wanted"] else Effect.TO_DO
        return Observation(effect, f"{step.params['event']} is {status}", {"status": status})

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Read back."""
        seen = self.look(ctx, step)
        return Proof(seen.effect is Effect.DONE, f"{step.node}: {seen.sentence}", seen.state)

    def undo_statement(self, ctx: StepContext, step: Step) -> str | None:
        """The statement that gives it the status of before; None where it has that, or the step is not undone."""
        if not step.undo or self._status(ctx, step) != step.params["wanted"]:
            return None
        return step.undo[0]

    def _status(self, ctx: StepContext, step: Step) -> str | None:
        assert step.node_id is not None
        events = read_events(ctx.gateway.reader(step.node_id)) or ()
        return next((event.status for event in events if event.shown == step.params["event"]), None)
