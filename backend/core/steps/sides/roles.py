"""The console's own record of a switch: who takes writes from now on, and where histories parted."""

from __future__ import annotations

from dataclasses import replace

from backend.core.facts.serialization import divergence_from_json
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext


class SwapRoles:
    """Implements StepKind; no server is touched, so nothing can be half done.

    In a failover the divergence is kept first: from the moment the roles are swapped the lost side
    is refused as a source.
    """

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Setting the same roles twice is setting them once."""
        return Observation(Effect.TO_DO, "swap the roles")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not a statement."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Recorded."""
        params = step.params
        for other in ctx.plan.steps:
            if other.code == "diverge":
                divergence = divergence_from_json(ctx.results[other.index]["divergence"])
                ctx.console.record_divergence(replace(divergence, run_id=ctx.probe_token))
        ctx.console.set_roles(params["active"], params["standby"])
        return Proof(True, f"{params['active_name']} takes writes, {params['standby_name']} stands by", dict(params))


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
