"""Records that the lost side may be a source again, with its current state UUID."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.plural import pluralize
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class Reconcile:
    """Implements StepKind; touches no server."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always to do: recording it twice has the effect of recording it once."""
        return Observation(Effect.TO_DO, "reconcile")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded with the state UUID that its nodes show now."""
        cluster_id = step.params["cluster_id"]
        link = ctx.gateway.observe_link()
        cluster = link.active if link.active.id == cluster_id else link.standby
        uuids = {n.wsrep.state_uuid for n in cluster.nodes if n.wsrep and n.wsrep.cluster_status == "Primary"}
        if len(uuids) != 1:
            return Proof(False, f"{cluster.name} shows {pluralize(len(uuids), 'state UUID')} instead of one")
        (state_uuid,) = uuids
        ctx.console.reconcile(cluster_id, state_uuid)
        return Proof(True, f"{cluster.name} is reconciled", {"state_uuid": state_uuid})
