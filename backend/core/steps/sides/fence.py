"""Close and open a side to writes: `read_only` on every node, `wsrep_reject_queries` where asked for.

`SET GLOBAL read_only=ON` waits for statements that are committing and takes milliseconds on a node
under load; applying from a channel and from the cluster goes on (seen, 10.11.19).
"""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext, UnobservedNodeError, unobserved
from backend.core.steps.peers import require_none_applies, wait_until_expelled
from backend.core.topology import NodeFacts


class SetVariable:
    """One global variable of one node brought to a value; undone by the value that stood before."""

    def __init__(self, variable: str, undone: str) -> None:
        self._variable = variable
        self._undone = undone

    def undone(self, step: Step) -> str:
        """The same for every node, but for a side whose fence stays."""
        return self._undone if step.undo else "its fence is not taken back"

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the variable has the wanted value."""
        facts = ctx.facts_of(step)
        value = self._value(facts)
        if not facts.is_up:
            return unobserved(facts)
        if value is None:
            return Observation(Effect.UNSEEN, f"{step.node} does not say its {self._variable}")
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
        """Back to the value before, unless it stands already or is not to come back."""
        if not step.undo:
            return None
        facts = ctx.facts_of(step)
        if self._value(facts) is None:
            raise UnobservedNodeError(f"{step.node} cannot be read now: {facts.error or self._variable}")
        return None if self._value(facts) == step.params["was"] else step.undo[0]

    def _value(self, facts: NodeFacts) -> str | None:
        value = facts.variable(self._variable) if facts.is_up else None
        return value.upper() if value is not None else None


class OpenVariable(SetVariable):
    """A node of the side that takes over; without one that its cluster has expelled the side opens all the same."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Nothing to do on a node that is gone: it would else keep its healthy neighbours closed."""
        assert step.node_id is not None
        seen = super().look(ctx, step)
        if seen.effect is Effect.UNSEEN and wait_until_expelled(ctx, step.node_id):
            sentence = f"{step.node} is gone from its cluster: the side opens without it"
            return Observation(Effect.DONE, sentence, {"left_out": True})
        return seen

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """After a failover only while nobody applies what is left of the lost side."""
        if "parted_from" in step.params:
            assert step.node_id is not None
            require_none_applies(ctx, step.params["parted_from"], ctx.gateway.reader(step.node_id).node.cluster_id)
        return super().statement(ctx, step)


FENCE = SetVariable("read_only", "takes writes again")
REJECT = SetVariable("wsrep_reject_queries", "answers clients again")
OPEN = OpenVariable("read_only", "takes no writes again")
ADMIT = OpenVariable("wsrep_reject_queries", "turns clients away again")
