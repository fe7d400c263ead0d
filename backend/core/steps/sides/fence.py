"""Fences and unfences a side: `read_only` on every node, `wsrep_reject_queries` where requested.

`SET GLOBAL read_only=ON` waits for statements that are committing and takes milliseconds on a node under load;
applying from a channel and from the cluster continues (observed on MariaDB 10.11.19).
"""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext, UnobservedNodeError, unobserved
from backend.core.steps.fence_watch import watch_start
from backend.core.steps.peers import require_none_applies, wait_until_expelled
from backend.core.topology import NodeFacts


class SetVariable:
    """Sets one global variable of one node; the undo sets its previous value."""

    def __init__(self, variable: str, undone: str) -> None:
        self._variable = variable
        self._undone = undone

    def undone(self, step: Step) -> str:
        """The same for every node, except on a side whose fence stays."""
        return self._undone if step.undo else "it is still fenced"

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the variable has the wanted value."""
        facts = ctx.facts_of(step)
        value = self._value(facts)
        if not facts.is_up:
            return unobserved(facts)
        if value is None:
            return Observation(Effect.UNSEEN, f"{step.node} does not report {self._variable}")
        state = {self._variable: value}
        effect = Effect.DONE if value == step.params["wanted"] else Effect.TO_DO
        return Observation(effect, f"{self._variable} is {value}", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Read back."""
        seen = self.look(ctx, step)
        sentence = seen.sentence if seen.effect is Effect.UNSEEN else f"{step.node}: {seen.sentence}"
        return Proof(seen.effect is Effect.DONE, sentence, seen.state)

    def undo_statement(self, ctx: StepContext, step: Step) -> str | None:
        """The statement that sets the previous value; None where it is set already or must not be restored."""
        if not step.undo:
            return None
        facts = ctx.facts_of(step)
        if self._value(facts) is None:
            raise UnobservedNodeError(f"{step.node} cannot be read now: {facts.error or self._variable}")
        return None if self._value(facts) == step.params["was"] else step.undo[0]

    def _value(self, facts: NodeFacts) -> str | None:
        value = facts.variable(self._variable) if facts.is_up else None
        return value.upper() if value is not None else None


class Fence(SetVariable):
    """`read_only` of a node of the side that is left."""

    def all_accepted(self, ctx: StepContext, steps: Sequence[Step]) -> None:
        """Read on the first of these nodes where the watch begins over the side, where a later step ends one."""
        if not any(step.params.get("is_watched_on") for step in ctx.plan.steps):
            return
        start = watch_start(ctx, str(steps[0].node_id))
        if start is not None:
            ctx.watch_starts[ctx.polled[start.node_id].node.cluster_id] = start


class OpenVariable(SetVariable):
    """A node of the side that takes over; the side is unfenced without a node that its cluster has expelled."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Nothing to do on an expelled node: otherwise it would keep its healthy peers fenced."""
        assert step.node_id is not None
        seen = super().look(ctx, step)
        if seen.effect is Effect.UNSEEN and wait_until_expelled(ctx, step.node_id):
            sentence = f"{step.node} was expelled from its cluster; the side is activated without it"
            return Observation(Effect.DONE, sentence, {"left_out": True})
        return seen

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """After a failover only while no node applies transactions of the lost side."""
        if "parted_from" in step.params:
            assert step.node_id is not None
            require_none_applies(ctx, step.params["parted_from"], ctx.gateway.reader(step.node_id).node.cluster_id)
        return super().statement(ctx, step)


FENCE = Fence("read_only", "writable again")
REJECT = SetVariable("wsrep_reject_queries", "accepts clients again")
OPEN = OpenVariable("read_only", "read-only again")
ADMIT = OpenVariable("wsrep_reject_queries", "rejects clients again")
