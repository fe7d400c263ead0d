"""The steps before a node is stopped: read the gcaches, record the maintenance, freeze a donor, allow the stop."""

from __future__ import annotations

from backend.core.adviser.node_absence.cache import cache_of
from backend.core.adviser.node_absence.freeze import OPTION, can_freeze
from backend.core.adviser.node_absence.summary import is_synced
from backend.core.estimates import Unknown
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, RefusedByFactsError, StepContext
from backend.core.steps.sides.fence import SetVariable
from backend.core.topology import NodeFacts


class _ReadsOnly:
    """A step without a statement, always observed again."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Nothing is half done."""
        return Observation(Effect.TO_DO, step.title)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """None is sent."""
        return None


class ReadGcaches(_ReadsOnly):
    """Implements StepKind; reads only."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The node's seqno, and of every member the oldest write-set that it could send."""
        link, cluster_id = ctx.gateway.observe_link(), step.params["cluster_id"]
        cluster = link.active if link.active.id == cluster_id else link.standby
        node = next(one for one in cluster.nodes if one.node.id == step.node_id)
        if not is_synced(node) or node.wsrep is None:
            return Proof(False, f"{step.node} is not a Synced member any more")
        held = {one.node.name: cache_of(one).downto for one in cluster.nodes if one.node.id != step.node_id}
        known = {name: None if isinstance(seqno, Unknown) else seqno for name, seqno in held.items()}
        texts = [f"{name} from {seqno:,}" for name, seqno in known.items() if seqno is not None]
        last = node.wsrep.last_committed
        facts = {"last_committed": last, "cached_downto": known}
        return Proof(
            True, f"{step.node} applied up to {last:,}; write-sets are kept by {', '.join(texts) or 'none'}", facts
        )


class OpenMaintenance(_ReadsOnly):
    """Records the maintenance before anything is frozen: whatever becomes of this run, the record is closed."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded, and not closed yet."""
        if not ctx.console.open_maintenance(step.params):
            return Proof(False, "this maintenance was ended, or another one of the cluster is open")
        return Proof(True, "recorded")


class SkipFreeze(_ReadsOnly):
    """Says why nothing is frozen: the provider's own list of options does not have it."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Read again."""
        can = can_freeze(ctx.facts_of(step))
        if isinstance(can, Unknown):
            return Proof(False, can.reason)
        if can:
            return Proof(False, f"{step.node} has {OPTION} now; create a new plan")
        return Proof(True, f"skipped: the provider of {step.node} has no {OPTION}")


class FreezeGcache(SetVariable):
    """Sets the option of the donor's provider; the undo ends only the freeze of this run."""

    def __init__(self) -> None:
        super().__init__(OPTION, "drops old write-sets again")

    def undo_statement(self, ctx: StepContext, step: Step) -> str | None:
        """None where it is not frozen; a freeze at another seqno is not ours."""
        statement = super().undo_statement(ctx, step)
        value = self._value(ctx.facts_of(step))
        if statement is not None and value != step.params["wanted"]:
            raise RefusedByFactsError(f"{step.node} is frozen at {value}, which this run did not set")
        return statement


class AllowStop(_ReadsOnly):
    """The last step: from now on the monitor watches the node."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The node is still a member, and its maintenance is open."""
        facts: NodeFacts = ctx.facts_of(step)
        if not is_synced(facts) or facts.wsrep is None:
            return Proof(False, f"{step.node} is not a Synced member any more")
        logs = facts.binlog.files if facts.binlog else ()
        if not ctx.console.allow_stop(facts.wsrep.last_committed, logs):
            return Proof(False, "this maintenance was ended meanwhile")
        return Proof(True, f"{step.node} may be stopped now")
