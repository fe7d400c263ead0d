"""Record that the side that was lost may be a source again, with the state UUID it has now."""

from __future__ import annotations

from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class Reconcile:
    """Implements StepKind; the lost side may be a source again."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Doing it twice is doing it once."""
        return Observation(Effect.TO_DO, "reconcile")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded, with the state UUID its nodes show now."""
        cluster_id = step.params["cluster_id"]
        link = ctx.gateway.observe_link()
        cluster = link.active if link.active.id == cluster_id else link.standby
        uuids = {n.wsrep.state_uuid for n in cluster.nodes if n.wsrep and n.wsrep.cluster_status == "Primary"}
        if len(uuids) != 1:
            return Proof(False, f"{cluster.name} does not show one state UUID but {len(uuids)}")
        (state_uuid,) = uuids
        ctx.console.reconcile(cluster_id, state_uuid)
        return Proof(True, f"{cluster.name} is reconciled", {"state_uuid": state_uuid})
