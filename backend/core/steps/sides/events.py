"""Enables an event on the node that is to run it, or leaves it to another one."""

from __future__ import annotations

from backend.core.facts.events import DISABLED, ENABLED, read_events
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext, unobserved
from backend.core.topology import NodeEvent


class AlterEvent:
    """`ALTER EVENT` on one node, which replication carries to every other one as SLAVESIDE_DISABLED."""

    def undone(self, step: Step) -> str:
        """What holds again."""
        return f"{step.params['event']} runs there again" if step.undo else "it stays as it is"

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the event has the wanted status, or where there is nothing to enable any more."""
        assert step.node_id is not None
        facts = ctx.facts_of(step)
        if not facts.is_up:
            return unobserved(facts)
        events = read_events(ctx.gateway.reader(step.node_id))
        if events is None:
            return Observation(Effect.FOREIGN, f"{step.node} does not show its events")
        name = step.params["event"]
        event = next((event for event in events if event.shown == name), None)
        if event is not None and event.status == step.params["wanted"]:
            return Observation(Effect.DONE, f"{name} is {event.status}", {"status": event.status})
        changed = _changed(event, step)
        if changed:
            effect = Effect.DONE if step.params["wanted"] == ENABLED else Effect.FOREIGN
            return Observation(effect, f"{name} {changed}")
        assert event is not None
        return Observation(Effect.TO_DO, f"{name} is {event.status}", {"status": event.status})

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


def _changed(event: NodeEvent | None, step: Step) -> str:
    """What somebody did to the event since the plan: before the fence that stops a run, and behind it is left so.

    An event whose time is over is dropped, or disabled, by the server itself.
    """
    if event is None:
        return "was dropped since the plan"
    if event.status == DISABLED:
        return "was disabled since the plan, or its time is over"
    if event.definer != step.params.get("definer", event.definer):
        return f"was made anew since the plan, with the definer {event.definer}: it stays as it is"
    return ""
